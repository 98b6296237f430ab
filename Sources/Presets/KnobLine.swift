import Parameters
import Synth

/// One knob in a line of text, as `/filter/cutoff/hz 1200`: the OSC message that would set it.
enum KnobLine {
  /// The line for a row's value, with its newline; reads back to the same bits.
  static func write(_ prefix: String, _ row: Row, _ value: Float) -> String {
    let unit = row.kind.unit.map { "/" + $0.rawValue } ?? ""
    return prefix + row.address + unit + " " + row.kind.exact(value: value) + "\n"
  }

  /// What a line says: the knob's value, and a problem when it was not taken to the letter.
  struct Parsed {
    var value: Float?
    var problem: String?
  }

  /// The value that `word` means for the knob of `address`.
  static func read(_ address: Address, _ word: Substring) -> Parsed {
    let kind = Table.rows[address.knob.row].kind
    switch address.spelling {
    case .text:
      return Parsed(problem: "an address that ends in /text is for labels only")
    case .fader where !kind.isDiscrete:
      guard let way = Double(word), way.isFinite, let value = kind.value(fader: Float(way)) else {
        return Parsed(problem: "expected a number from 0 to 1")
      }
      return Parsed(
        value: value, problem: (0...1).contains(way) ? nil : "expected 0 to 1; taken to the nearest")
    case .fader, .unit:
      guard let value = kind.value(text: word) else { return Parsed(problem: "expected " + expected(kind)) }
      return Parsed(value: value, problem: excess(kind, word, value))
    }
  }

  /// Says so when a number was not one that the knob can have.
  private static func excess(_ kind: Kind, _ word: Substring, _ value: Float) -> String? {
    // A choice may be named by a number.
    guard let number = Double(word), kind.exact(value: value) != word else { return nil }
    let taken = Double(kind.number(value: value))
    // Float against the decimal number that was written: 24 bits of it are right.
    if (taken - number).magnitude <= 1e-6 * max(number.magnitude, 1) { return nil }
    return "expected " + expected(kind) + "; taken as " + kind.exact(value: value)
  }

  private static func expected(_ kind: Kind) -> String {
    switch kind {
    case .choice(let names): return "one of " + names.joined(separator: ", ")
    case .toggle: return "on or off"
    case .steps, .linear, .exponential, .cubic:
      let (low, high) = (kind.range.lowerBound, kind.range.upperBound)
      let number = if case .steps = kind { "a whole number" } else { "a number" }
      return "\(number) from \(kind.exact(value: low)) to \(kind.exact(value: high))"
    }
  }
}
