import Parameters
import Synth

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
