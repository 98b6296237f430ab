import Parameters
import Synth

/// The state of the whole instrument, as the next start restores it.
public struct Session: Sendable {
  /// All knobs.
  public var scene: Scene
  /// The part that bare addresses mean, 0…7.
  public var focus: Int
  /// The preset that each of the eight parts was recalled from.
  public var presets: [Slot?]

  /// A session; without arguments, a new instrument.
  public init(
    scene: Scene = .initial, focus: Int = 0, presets: [Slot?] = Array(repeating: nil, count: Limits.parts)
  ) {
    self.scene = scene
    self.focus = focus
    self.presets = presets
  }
}

extension Session {
  /// The session as text, in the lines of a preset with `/part/N` before them, `focus N` and
  /// `preset PART BANK PROGRAM`. Parts are counted from 1, banks and programs from 0. Any thread.
  public var text: String {
    var text = TextFormat.head("session")
    text += "focus \(focus + 1)\n"
    for (part, slot) in presets.prefix(Limits.parts).enumerated() {
      if let slot { text += "preset \(part + 1) \(slot.bank) \(slot.program)\n" }
    }
    for knob in Knob.all where scene[knob].bitPattern != Scene.initial[knob].bitPattern {
      let row = Table.rows[knob.row]
      let part = row.field.scope == .master ? "" : "/part/\(knob.part + 1)"
      text += KnobLine.write(part, row, scene[knob])
    }
    return text
  }

  /// Reads a session, as `PresetText.read` reads a preset.
  public static func read(_ text: String) throws(TextRefusal) -> (session: Session, warnings: [TextWarning]) {
    var session = Session()
    let warnings = try TextFormat.read(text, kind: "session", limit: DocumentKind.session.rule.textBytes) {
      word, rest in
      switch word {
      case "focus":
        guard let part = Int(rest), (1...Limits.parts).contains(part) else {
          return "expected a part from 1 to \(Limits.parts)"
        }
        session.focus = part - 1
        return nil
      case "preset":
        let numbers = rest.split(separator: " ").compactMap { Int($0) }
        guard numbers.count == 3, (1...Limits.parts).contains(numbers[0]),
          let slot = Slot(bank: numbers[1], program: numbers[2])
        else { return "expected a part, a bank and a program" }
        session.presets[numbers[0] - 1] = slot
        return nil
      default:
        guard let address = Address(word, focus: 0) else { return "no such knob" }
        let line = KnobLine.read(address, rest)
        if let value = line.value { session.scene[address.knob] = value }
        return line.problem
      }
    }
    return (session, warnings)
  }
}
