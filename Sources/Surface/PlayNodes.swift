import Control
import Scenes

// Notes, wheels, pedals and the tempo.

extension Node {
  // swift-format-ignore
  static let playing: [Node] = [
    .gesture("/note/<n>", numbers: 0...127, .noteOn, [.float(0...1, "velocity")], "Plays the note <n>; 0 or F releases it."),
    .command("/note", .part, [.int(0...127, "note"), .float(0...1, "velocity")], "Plays a note; velocity 0 releases it.") { try $0.playNote() },
    .command("/play/xy", .part, [.float(0...1, "pitch"), .float(0...1, "loudness"), .int(0...1, "finger", optional: true)], "XY pad for one finger: pitch over two octaves, and loudness. The last argument is 0 or F when the finger leaves.") { try $0.playXY() },
    .gesture("/bend",       .bend,       [.float(-1...1)], "Pitch bend."),
    .gesture("/wheel",      .wheel,      [.float(0...1)],  "Modulation wheel."),
    .gesture("/pressure",   .pressure,   [.float(0...1)],  "Channel pressure."),
    .gesture("/expression", .expression, [.float(0...1)],  "Expression pedal."),
    .gesture("/sustain",    .sustain,    [.int(0...1)],    "Sustain pedal."),
    .trigger("/tempo/tap", .instrument, "Sets /tempo from the median of the last taps, and the beat to the last one. A pause of 2 s starts again.") { $0.instrument.tempo.tap(at: $0.moment ?? $0.now) },
    .trigger("/panic", .instrument, "Ends all notes at once, whoever plays them.") { $0.instrument.performance.play(.panic, source: $0.source, part: 0) },
  ]

  /// A note or controller: one number, clamped to its range.
  private static func gesture(
    _ path: String, numbers: ClosedRange<Int>? = nil, _ kind: Event.Kind, _ arguments: [ArgumentType],
    _ about: String
  ) -> Node {
    .command(path, numbers: numbers, .part, arguments, about) { request in
      guard let value = request.number else { throw Refusal("takes a number", not: request.arguments.first) }
      request.play(kind, note: request.target.number, value, arguments[0].range ?? 0...1)
    }
  }
}

extension Request {
  /// Plays to the named part, or to the part in focus and those on its channel. A release is played to the parts of
  /// the press.
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
    guard let note = number, (0...127).contains(note),
      let velocity = arguments[1].number
    else { throw Refusal("takes a note 0…127 and a velocity 0…1") }
    play(.noteOn, note: Int(clamping: note), velocity, 0...1)
  }

  fileprivate func playXY() throws {
    let numbers = arguments.compactMap { $0.number.map { Float($0) } }
    guard (2...3).contains(numbers.count), numbers.count == arguments.count else {
      throw Refusal("takes pitch and loudness, and optionally the finger, 0 or 1")
    }
    client.plays = true
    // Without the last argument, loudness 0 means that the finger has left.
    let isTouched = numbers.count == 3 ? numbers[2] != 0 : numbers[1] > 0
    instrument.performance.playXY(
      x: numbers[0], y: numbers[1], isTouched: isTouched, source: source, part: target.part, at: moment)
  }
}
