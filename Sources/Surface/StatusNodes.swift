import Control
import Glibc

// The status of the instrument.

extension Node {
  static let status: [Node] =
    [
      Node(
        "/status", .instrument, [], "Answers with all figures of the status, /status/….", isQuery: true,
        list: { instrument in StatusValue.all.map { $0.message(instrument) } }),
      Node(
        "/peak", .part, [.float(nil)],
        "Peak of the part in dBFS, measured while a page shows meters; otherwise -60. It falls by 20 dB a second.",
        origin: .peaks, isQuery: true,
        read: { instrument, part, _ in .float(Float(instrument.health.partPeaks[part])) }),
      Node.query(
        "/status/history", [],
        "Answers with the seconds between two readings of the last hour, and the readings as /status/history/load (percent), late (blocks), voices (the most at once) and temperature (degrees Celsius, -1 if unknown): numbers separated by spaces, the oldest first."
      ) { instrument, _ in history(instrument.health.history) },
    ] + StatusValue.all.map(figure) + StatusValue.all.filter(\.hasText).map(text)

  private static func history(_ history: HealthHistory) -> [OSCMessage] {
    let readings = history.readings
    func line(_ name: String, _ number: (HealthHistory.Reading) -> Int) -> OSCMessage {
      OSCMessage(
        "/status/history/" + name, .string(readings.map { "\(number($0))" }.joined(separator: " ")))
    }
    return [
      OSCMessage("/status/history", .int(Int(HealthHistory.interval / 1_000_000_000))),
      line("load") { Int($0.load) }, line("late") { Int($0.late) }, line("voices") { Int($0.voices) },
      line("temperature") { $0.temperature.map(Int.init) ?? -1 },
    ]
  }

  private static func figure(_ figure: StatusValue) -> Node {
    Node(
      "/status/" + figure.name, .instrument, [figure.argumentType], figure.about,
      origin: figure.origin, isQuery: true,
      read: { instrument, _, _ in figure.message(instrument).value })
  }

  private static func text(_ figure: StatusValue) -> Node {
    Node(
      "/status/\(figure.name)/text", .instrument, [.string()], "Text of /status/\(figure.name) for a label.",
      origin: figure.origin,
      read: { instrument, _, _ in .string(figure.text(instrument.health)) })
  }

  /// Fault injection for tests. Refused unless the environment of pipit has `PIPIT_DEBUG=1`.
  static let faults: [Node] = [
    .fault("/debug/freeze", .int(0...1, optional: true), "Stops the audio thread; 0 ends it.") {
      $0.link.faultInjection.isFrozen = $1 != 0
    },
    .fault("/debug/slow", .int(1...100), "Makes each block last this many times as long.") {
      $0.link.faultInjection.slowness = Int(clamping: $1, to: 1...100)
    },
  ]

  private static func fault(
    _ path: String, _ type: ArgumentType, _ about: String,
    _ inject: @escaping @Sendable (Instrument, Double) -> Void
  ) -> Node {
    .command(path, .instrument, [type], about) { request in
      guard getenv("PIPIT_DEBUG").map({ String(cString: $0) == "1" }) ?? false else {
        throw Refusal("is for tests; start pipit with PIPIT_DEBUG=1 to use it")
      }
      inject(request.instrument, request.number ?? 1)
    }
  }
}

extension StatusValue {
  fileprivate var argumentType: ArgumentType {
    switch type {
    case .whole: .int()
    case .number: .float(nil)
    case .words: .string()
    }
  }

  fileprivate var origin: Node.Origin {
    switch delivery {
    case .onRequest: .none
    case .eachSecond: .health
    case .asMeter: .levels
    case .whileWatched: .peaks
    }
  }

  /// Whether clients receive it as text, too.
  fileprivate var hasText: Bool { delivery != .onRequest && delivery != .whileWatched }

  /// The message with the figure.
  fileprivate func message(_ instrument: Instrument) -> OSCMessage {
    OSCMessage("/status/" + name, OSCValue(value(instrument.health)))
  }
}
