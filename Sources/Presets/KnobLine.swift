import Parameters
import Scenes

/// A knob in a line of text, as `/filter/cutoff/hz 1200`, which is the OSC message that sets it.
enum KnobLine {
  /// The line for the value of a row, with a newline. It reads back to the same bits.
  static func write(_ prefix: String, _ row: Parameter, _ value: Float, _ names: NameRegister) -> String {
    let unit = row.kind.unit.map { "/" + $0.rawValue } ?? ""
    return prefix + row.address + unit + " " + row.kind.knowing(names).exact(value: value) + "\n"
  }

  /// The parsed line: the value of the knob, and a problem if the value was changed or is missing.
  struct Parsed {
    var value: Float?
    var problem: String?
  }

  /// Parses `word` as a value of the knob at `address`.
  static func read(_ address: Address, _ word: Substring, _ names: NameRegister) -> Parsed {
    let kind = Table.rows[address.knob.row].kind.knowing(names)
    switch address.spelling {
    case .text:
      return Parsed(problem: "an address that ends in /text is for labels only")
    case .fader where !kind.isDiscrete:
      guard let normalized = Double(word), normalized.isFinite,
        let value = kind.value(fader: Float(normalized))
      else {
        return Parsed(problem: "expected a number from 0 to 1")
      }
      return Parsed(
        value: value, problem: (0...1).contains(normalized) ? nil : "expected 0 to 1; the nearest is used")
    case .fader, .unit:
      guard let value = kind.value(text: word) ?? kind.learn(word) else {
        return Parsed(problem: "expected " + expected(kind))
      }
      return Parsed(value: value, problem: excess(kind, word, value))
    }
  }

  /// The problem of a number that the knob cannot have; nil without one.
  private static func excess(_ kind: Kind, _ word: Substring, _ value: Float) -> String? {
    // The name of a choice may be a number.
    guard let number = Double(word) else { return nil }
    let used = Double(kind.number(value: value))
    // A Float has 24 bits of the written decimal number.
    if (used - number).magnitude <= 1e-6 * max(number.magnitude, 1) { return nil }
    let written = kind.exact(value: value)
    return written == word ? nil : "expected " + expected(kind) + "; read as " + written
  }

  private static func expected(_ kind: Kind) -> String {
    switch kind {
    case .choice(let names): return "one of " + names.joined(separator: ", ")
    case .names: return "a name"
    case .toggle: return "on or off"
    case .steps, .linear, .exponential, .cubic:
      let (low, high) = (kind.range.lowerBound, kind.range.upperBound)
      let number = if case .steps = kind { "a whole number" } else { "a number" }
      return "\(number) from \(kind.exact(value: low)) to \(kind.exact(value: high))"
    }
  }
}

/// A step of a sequence in a line of text, as `/sequence/step/3 7 100 50 1`, which is the OSC message that sets it.
enum SequenceLine {
  private static let stem = "/sequence/step/"

  /// The lines of a sequence, without rests.
  static func write(_ prefix: String, _ sequence: StepSequence) -> String {
    var text = ""
    for step in 0..<sequence.written where sequence[step] != SequenceStep() {
      text += line(prefix, step, sequence[step])
    }
    return text
  }

  /// The line of a step, 0..<64, with a newline.
  static func line(_ prefix: String, _ step: Int, _ value: SequenceStep) -> String {
    "\(prefix)\(stem)\(step + 1) \(value.text)\n"
  }

  /// The step, 0..<64, that the address of a line names; nil for any other address.
  static func step(_ address: Substring) -> Int? {
    // On bytes, for speed: every line of a preset is asked.
    guard address.utf8.starts(with: stem.utf8),
      let number = Int(Substring(address.utf8.dropFirst(stem.utf8.count))),
      (1...StepSequence.mostSteps).contains(number)
    else { return nil }
    return number - 1
  }

  /// Reads a step into a sequence. Returns a problem if the text is not a step or a number was changed.
  static func read(_ text: Substring, _ step: Int, _ sequence: inout StepSequence) -> String? {
    guard let read = SequenceStep(text) else { return "expected " + SequenceStep.expected }
    sequence[step] = read
    let numbers = text.split(separator: " ").compactMap { Int($0) }
    let used = [read.note, read.velocity, read.gate, read.ratchet]
    if zip(numbers, used).allSatisfy({ $0 == $1 }) { return nil }
    return "expected \(SequenceStep.expected); read as \(read.text)"
  }
}
