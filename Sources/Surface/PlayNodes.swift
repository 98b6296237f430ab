import Control
import Synth

// What is played: notes, wheels and pedals.

extension Node {
  // swift-format-ignore
  static let playing: [Node] = [
    .hand("/note/<n>", numbers: 0...127, .noteOn, [.float(0...1, "velocity")], "Plays the note <n>, as a tablet's button does; 0 or F is the release."),
    .command("/note", .part, [.int(0...127, "note"), .float(0...1, "velocity")], "Plays a note, as a program does; velocity 0 is the release.") { try $0.playNote() },
    .command("/play/xy", .part, [.float(0...1, "pitch"), .float(0...1, "loudness"), .int(0...1, "finger", optional: true)], "A plane under one finger: pitch over two octaves, and loudness; the last is 0 or F when the finger leaves.") { try $0.playXY() },
    .hand("/bend",       .bend,       [.float(-1...1)], "The pitch wheel."),
    .hand("/wheel",      .wheel,      [.float(0...1)],  "The modulation wheel."),
    .hand("/pressure",   .pressure,   [.float(0...1)],  "Pressure on the keys."),
    .hand("/expression", .expression, [.float(0...1)],  "The expression pedal."),
    .hand("/sustain",    .sustain,    [.int(0...1)],    "The sustain pedal."),
    .trigger("/tempo/tap", .instrument, "Tapped in time, sets /tempo: the median of the last taps; a pause of 2 s begins anew.") { $0.instrument.tempo.tap(at: $0.moment ?? $0.now) },
    .trigger("/panic", .instrument, "Ends every note of everyone at once.") { $0.instrument.performance.play(.panic, source: $0.source, part: 0) },
  ]

  /// Something that a hand presses, turns or holds: one number, brought inside its range.
  private static func hand(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ kind: Event.Kind, _ arguments: [ArgumentType],
    _ about: String
  ) -> Node {
    .command(path, numbers: numbers, .part, arguments, about) { request in
      guard request.arguments.count == 1, let value = request.number else {
        throw Refusal("takes one number", not: request.number == nil ? request.arguments.first : nil)
      }
      request.play(kind, note: request.target.number, value, arguments[0].range ?? 0...1)
    }
  }
}

extension Request {
  /// Plays to the part that is named, or to the one in focus and those on its channel; what is taken hold of there is let
  /// go there.
  fileprivate func play(
    _ kind: Event.Kind, note: Int, _ value: Double, _ range: ClosedRange<Double>
  ) {
    client.plays = true
    let level = max(range.lowerBound, min(value, range.upperBound))
    instrument.performance.handle(
      kind == .noteOn && level == 0 ? .noteOff : kind, source: source, part: target.part, note: note,
      value: Float(level), at: moment)
  }

  fileprivate func playNote() throws {
    guard arguments.count == 2, let note = arguments[0].number, (0...127).contains(note),
      let velocity = arguments[1].number
    else { throw Refusal("takes a note 0…127 and a velocity 0…1") }
    play(.noteOn, note: Int(note), velocity, 0...1)
  }

  fileprivate func playXY() throws {
    let numbers = arguments.compactMap { $0.number.map { Float($0) } }
    guard (2...3).contains(numbers.count), numbers.count == arguments.count else {
      throw Refusal("takes two numbers, and whether there is a finger")
    }
    client.plays = true
    // Without a word about the finger, silence is its absence.
    let isTouched = numbers.count == 3 ? numbers[2] != 0 : numbers[1] > 0
    instrument.performance.playXY(
      x: numbers[0], y: numbers[1], isTouched: isTouched, source: source, part: target.part, at: moment)
  }
}
