import Control
import Parameters
import Scenes
import Storage

// The nodes of the table's rows: each knob as a fader position, in its unit, and as text for a label.

extension Node {
  /// The nodes of every row.
  static let knobs: [Node] = Table.rows.indices.flatMap { Node.knob(row: $0, path: Table.rows[$0].address) }

  /// The nodes of a row, under a path.
  static func knob(row: Int, path: String) -> [Node] {
    Table.rows[row].spellings.map { Node(SpelledKnob(row: row, spelling: $0.spelling), path) }
  }

  /// The value of a knob as one of its nodes sends it.
  static func value(_ value: Float, _ kind: Kind, _ spelling: Spelling) -> OSCValue {
    switch spelling {
    case .text: return .string(kind.text(value: value))
    case .unit: return .float(kind.number(value: value))
    case .fader:
      if kind.names != nil { return .int(Int(clamping: value)) }
      return .float(kind.fader(value: value))
    }
  }
}

/// A row of the table, as one of its nodes spells its value.
struct SpelledKnob: Sendable {
  /// The row.
  let row: Int
  /// The spelling.
  let spelling: Spelling

  private var kind: Kind { Table.rows[row].kind }

  /// The last word of the node's address with a slash; empty for the fader position.
  var leaf: String { Table.rows[row].leaf(spelling) }

  /// The owner of its nodes.
  var owner: Node.Owner {
    let row = Table.rows[row]
    return switch row.field.scope {
    // A part has many details, seldom turned: a client receives those of a part once it has used the part's own
    // address of one of them.
    case .patch, .input, .morph: row.isDetail ? .detail : .sound
    case .strip: .part
    case .master: .instrument
    }
  }

  /// The description of the node; `stem` is the address of the fader position.
  func about(_ stem: String) -> String {
    spelling == .text ? "Text of \(stem) for a label." : Table.rows[row].about
  }

  /// The argument of the node.
  var type: ArgumentType {
    let kind = kind
    switch (kind, spelling) {
    case (_, .text): return .string()
    case (.choice, _), (.names, _): return .choice(kind.names ?? [])
    case (_, .fader): return .float(0...1)
    case (_, .unit):
      let (low, high) = (kind.number(value: kind.range.lowerBound), kind.number(value: kind.range.upperBound))
      return .float(Double(low)...Double(high), unit: kind.unit)
    }
  }

  /// The value of the knob in this spelling.
  func value(_ instrument: Instrument, part: Int) -> OSCValue {
    let kind = kind.knowing(instrument.library.wavetables)
    return Node.value(instrument.value(of: ParameterID(row: row, part: part)), kind, spelling)
  }

  /// Sets the knob by a message; not for a text, which is read-only.
  func set(by request: Request) throws {
    let knob = ParameterID(row: row, part: request.part)
    let kind = kind.knowing(request.instrument.library.wavetables)
    let before = request.instrument.value(of: knob)
    let argument = request.arguments[0]
    // A value that is sent back as it was shown changes nothing, even if it would read back as a neighbouring value.
    let isShown = Node.value(before, kind, spelling).matches(argument)
    if !isShown, case .names = kind { request.instrument.wavetables.learnNames() }
    let accepted = isShown ? before : try kind.value(argument, spelling)
    let shown = Node.value(accepted, kind, spelling)
    request.surface.feedback.hold(request.target, shown, by: request.client, now: request.now)
    request.instrument.set(knob, to: accepted)
    request.reportClamped(to: shown, range: type.range)
  }
}

extension Request {
  /// Reports a number that was clamped to the range to the client, once until a number is in range or another address
  /// is clamped.
  fileprivate func reportClamped(to accepted: OSCValue, range: ClosedRange<Double>?) {
    guard let number, let range else { return }
    // A fader may overshoot by a rounding error.
    let slack = (range.upperBound - range.lowerBound) / 1_000
    if number >= range.lowerBound - slack, number <= range.upperBound + slack {
      if client.clamped == target { client.clamped = nil }
      return
    }
    if client.clamped == target { return }
    client.clamped = target
    let arguments = [range.lowerBound, range.upperBound].map { OSCArgument.number($0).shown }
    surface.sendError(
      "\(OSCArgument.number(number).shown) became \(accepted.shown); it takes \(arguments.joined(separator: "…"))",
      self)
  }
}

extension Kind {
  /// The value of an argument, as a fader position or in the unit.
  fileprivate func value(_ argument: OSCArgument, _ spelling: Spelling) throws -> Float {
    switch (argument, spelling) {
    case (.number(let number), .fader):
      if let value = value(fader: Float(number)) { return value }
    case (.number(let number), .unit):
      if let value = value(unit: Float(number)) { return value }
    case (.string(let text), .unit):
      if let value = value(text: text) { return value }
    case (.string(let text), .fader):
      if isDiscrete, let value = value(text: text) { return value }
      if !isDiscrete, let normalized = Double(text), normalized.isFinite,
        let value = value(fader: Float(normalized))
      {
        return value
      }
    default: break
    }
    switch self {
    case .choice(let names): throw Refusal("takes one of " + names.joined(separator: ", "), not: argument)
    case .names: throw Refusal("takes a name of /wavetable/list", not: argument)
    case .toggle: throw Refusal("takes 0 or 1, on or off", not: argument)
    default: throw Refusal("takes a number", not: argument)
    }
  }
}
