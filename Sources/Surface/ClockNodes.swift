import Control

// The beat and the own clock.

extension Node {
  // swift-format-ignore
  static let clock: [Node] = [
    .beat("/beat", .int(0...12), "Beat of the bar from 1, sent on the beat; 0 while the transport stands still.") { $0.beat },
    .beat("/beat/bar", .int(), "Bar from the start, from 1; 0 in a count-in and while the transport stands still.") { $0.bar },
    .beat("/clock/running", .int(0...1), "1 while the transport runs; 0 after a stop and in a count-in.") { $0.isRunning ? 1 : 0 },
    .trigger("/clock/start", .instrument, "Starts at the first beat of the first bar, after the bars of /click/count-in. Refused while a device's clock leads, as are stop and continue.") { $0.instrument.clock.start(at: $0.moment ?? $0.now) },
    .trigger("/clock/stop", .instrument, "Stops the transport, and with it the click and latched arpeggios; it also ends a count-in.") { $0.instrument.clock.stop(at: $0.moment ?? $0.now) },
    .trigger("/clock/continue", .instrument, "Continues where the beat is, without a count-in.") { $0.instrument.clock.resume(at: $0.moment ?? $0.now) },
  ]

  private static func beat(
    _ path: String, _ type: ArgumentType, _ about: String, read: @escaping @Sendable (OwnClock) -> Int
  ) -> Node {
    Node(
      path, .instrument, [type], about, origin: .beat,
      read: { instrument, _, _ in .int(read(instrument.clock)) })
  }
}
