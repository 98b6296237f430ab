import Control

// The beat, and pipit's own clock.

extension Node {
  static let clock: [Node] = beats + bars + transport

  private static let beats: [Node] = shown(
    "/beat",
    "Beat of the bar from 1, sent on the beat; 0 while the transport stands still or nothing goes by it."
  ) { $0.clock.beat }
  private static let bars: [Node] = shown(
    "/beat/bar", "Bar from the start, from 1; 0 in a count-in and where the beat is 0."
  ) { $0.clock.bar }

  // swift-format-ignore
  private static let transport: [Node] = [
    Node("/clock/running", .instrument, [.int(0...1)], "1 while the transport runs; 0 after a stop and in a count-in.", origin: .beat, read: { instrument, _, _ in .int(instrument.clock.isRunning ? 1 : 0) }),
    .trigger("/clock/start", .instrument, "Starts at the first beat of the first bar, after the bars of /click/count-in. Refused while a device's clock or a song leads, as are stop and continue.") { $0.instrument.clock.start(at: $0.moment ?? $0.now) },
    .trigger("/clock/stop", .instrument, "Stops the transport, and with it the click and latched arpeggios; it also ends a count-in.") { $0.instrument.clock.stop(at: $0.moment ?? $0.now) },
    .trigger("/clock/continue", .instrument, "Continues where the beat is, without a count-in.") { $0.instrument.clock.resume(at: $0.moment ?? $0.now) },
  ]

  /// The nodes of a number that follows the beat, and of its text for a label, which is empty for 0.
  static func shown(
    _ path: String, _ about: String, read: @escaping @Sendable (Instrument) -> Int
  ) -> [Node] {
    [
      Node(
        path, .instrument, [.int()], about, origin: .beat,
        read: { instrument, _, _ in .int(read(instrument)) }),
      Node(
        path + "/text", .instrument, [.string()], "Text of \(path) for a label; empty for 0.", origin: .beat,
        read: { instrument, _, _ in
          let number = read(instrument)
          return .string(number > 0 ? "\(number)" : "")
        }),
    ]
  }
}
