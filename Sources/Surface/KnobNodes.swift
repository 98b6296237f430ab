import Parameters
import Storage
import Synth

// The nodes of the table's rows: each knob as a fader position, in its unit, and as text for a label.

extension Node {
  /// The nodes of every row.
  static let knobs: [Node] = Table.rows.indices.flatMap { Node.knob(row: $0, path: Table.rows[$0].address) }

  /// The nodes of a row, under a path.
  static func knob(row index: Int, path: String) -> [Node] {
    Table.rows[index].spellings.map { leaf, spelling in
      spelling == .text ? label(index, path) : number(index, path, leaf, spelling)
    }
  }

  /// The node of a knob's fader position, or of its value in its unit.
  private static func number(_ index: Int, _ path: String, _ leaf: String, _ spelling: Spelling) -> Node {
    let row = Table.rows[index]
    let read: Read = { instrument, part, _ in
      value(instrument.value(of: ParameterID(row: index, part: part)), row.kind, spelling)
    }
    let write: Write = { request in
      guard request.arguments.count == 1 else { throw Refusal("takes one value") }
      let knob = ParameterID(row: index, part: request.part)
      let before = request.instrument.value(of: knob)
      let argument = request.arguments[0]
      // A value that is sent back as it was shown changes nothing, even if it would read back as a neighbouring value.
      let isShown = value(before, row.kind, spelling).matches(argument)
      if !isShown, case .names = row.kind { request.instrument.wavetables.learnNames() }
      let accepted = isShown ? before : try row.kind.value(argument, spelling)
      let shown = value(accepted, row.kind, spelling)
      request.surface.feedback.hold(request.target, shown, by: request.client, now: request.now)
      request.instrument.set(knob, to: accepted)
      request.reportClamped(to: shown, range: type(row.kind, spelling).range)
    }
    return Node(
      path + leaf, row.owner, [type(row.kind, spelling)], row.about,
      origin: spelling == .unit ? .unit : .knob(row: index), read: read, write: write)
  }

  /// The node of a knob's text for a label.
  private static func label(_ index: Int, _ path: String) -> Node {
    let row = Table.rows[index]
    let read: Read = { instrument, part, _ in
      .string(row.kind.text(value: instrument.value(of: ParameterID(row: index, part: part))))
    }
    return Node(
      path + "/text", row.owner, [.string()], "Text of \(path) for a label.",
      origin: .knob(row: index), read: read)
  }

  private static func type(_ kind: Kind, _ spelling: Spelling) -> ArgumentType {
    switch (kind, spelling) {
    case (_, .text): return .string()
    case (.choice, _), (.names, _): return .choice(kind.names ?? [])
    case (_, .fader): return .float(0...1)
    case (_, .unit):
      let (low, high) = (kind.number(value: kind.range.lowerBound), kind.number(value: kind.range.upperBound))
      return .float(Double(low)...Double(high), unit: kind.unit)
    }
  }

  /// The value of a knob as one of its nodes sends it.
  static func value(_ value: Float, _ kind: Kind, _ spelling: Spelling) -> OSCValue {
    switch spelling {
    case .text: return .string(kind.text(value: value))
    case .unit: return .float(kind.number(value: value))
    case .fader:
      if kind.names != nil { return .int(Int(value)) }
      return .float(kind.fader(value: value))
    }
  }
}

extension Parameter {
  fileprivate var owner: Node.Owner {
    switch field.scope {
    // A part has many of them, seldom turned: a client receives those of a part once it has used the part's addresses.
    case .patch, .input, .morph: isDetail ? .detail : .sound
    case .strip: .part
    case .master: .instrument
    }
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
