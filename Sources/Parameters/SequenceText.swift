import Synth

// A step of a sequence as text, in presets and over OSC: `NOTE VELOCITY GATE RATCHET`, `NOTE VELOCITY GATE RATCHET tie`
// or `rest`. Gate and ratchet may be left out.

extension SequenceStep {
  /// The words of a rest and of a tie.
  private static let rest = "rest"
  private static let tie = "tie"
  /// The form of the text of a step, for error messages.
  public static let expected =
    "a note from -60 to 60, a velocity, a gate from 2 to 200, a ratchet and tie; or rest"

  /// The step as text, which reads back to the same step.
  public var text: String {
    if self == SequenceStep() { return SequenceStep.rest }
    let numbers = "\(note) \(velocity) \(gate) \(ratchet)"
    return isTie ? numbers + " " + SequenceStep.tie : numbers
  }

  /// Reads the text of a step. Numbers out of range are clamped. Nil for any other text.
  public init?(_ text: some StringProtocol) {
    var words = text.split(separator: " ").map { String($0) }
    if words == [SequenceStep.rest] {
      self.init()
      return
    }
    let isTie = words.last == SequenceStep.tie
    if isTie { words.removeLast() }
    let numbers = words.compactMap { Int($0) }
    guard numbers.count == words.count, (2...4).contains(numbers.count) else { return nil }
    self.init(
      note: numbers[0], velocity: numbers[1], gate: numbers.count > 2 ? numbers[2] : 50,
      ratchet: numbers.count > 3 ? numbers[3] : 1, isTie: isTie)
  }
}
