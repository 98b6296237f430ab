import Control
import Synth

extension Command.Verb {
  /// The event that a command plays: the kind, its lowest and its highest value; nil for other commands.
  var played: (kind: Event.Kind, range: ClosedRange<Double>)? {
    switch self {
    case .note, .noteNumber: (.noteOn, 0...1)
    case .plane: (.notePitch, 0...1)
    case .bend: (.bend, -1...1)
    case .wheel: (.wheel, 0...1)
    case .pressure: (.pressure, 0...1)
    case .expression: (.expression, 0...1)
    case .sustain: (.sustain, 0...1)
    default: nil
    }
  }
}

extension Control {
  /// Plays what a command says; the reason when it cannot.
  func play(
    _ verb: Command.Verb, number: Int?, _ arguments: [Argument], part: Int?, source: Int, at moment: Int64?
  ) -> Refusal? {
    guard let (kind, range) = verb.played else { return Refusal("is not played") }
    if case .plane = verb { return slide(arguments, part: part, source: source, at: moment) }
    var values = arguments[...]
    var note = number ?? 0
    if case .note = verb {
      guard let first = values.popFirst()?.number, (0...127).contains(first) else {
        return Refusal("takes a note 0…127 and a velocity 0…1")
      }
      note = Int(first)
    }
    guard values.count == 1, let value = values.first?.number else {
      return Refusal(verb == .note ? "takes a note 0…127 and a velocity 0…1" : "takes one number")
    }
    let level = max(range.lowerBound, min(value, range.upperBound))
    handle(
      kind == .noteOn && level == 0 ? .noteOff : kind, source: source, part: part, note: note,
      value: Float(level), at: moment)
    return nil
  }

  private func slide(
    _ arguments: [Argument], part: Int?, source: Int, at moment: Int64?
  ) -> Refusal? {
    let numbers = arguments.compactMap { $0.number.map { Float($0) } }
    guard (2...3).contains(numbers.count), numbers.count == arguments.count else {
      return Refusal("takes two numbers, and whether there is a finger")
    }
    // Without a word about the finger, silence is its absence.
    let isTouched = numbers.count == 3 ? numbers[2] != 0 : numbers[1] > 0
    slide(
      x: numbers[0], y: numbers[1], isTouched: isTouched, source: source, part: part ?? focus,
      at: moment)
    return nil
  }
}
