import Control
import Glibc
import Storage
import System

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

// The checks of `pipit doctor`, a test tone, and the clients.

extension Node {
  // swift-format-ignore
  static let doctor: [Node] = [
    .lateQuery("/doctor", [], "Checks the machine and the instrument as 'pipit doctor' does. Answers with the number of findings, and each as /doctor/<n>, n from 0, the worst first. Fields separated by tabs: fail, warn or ok, thing, sentence, remedy, words of a button, and the message that it sends.") { query, reply in
      query.instrument.doctor.ask(()) { reply($0.mapError { $0 as any Error }.map(messages)) }
    },
    .trigger("/doctor/tone", .instrument, "Plays a test tone on outputs 1 and 2: 440 Hz at -30 dBFS for two seconds, whatever sound and level are set.") { request in
      if request.instrument.link.clock.rate == 0 { throw Refusal("has no sound output to play on") }
      request.instrument.link.tone.ask()
    },
    .lateQuery("/clients", [], "Answers with the number of clients that receive feedback, and each as /clients/<n>, n from 0. Fields separated by tabs: name, address, transport, the parts whose own addresses it has used, as 1,3, seconds since its last message, 1 if it holds notes.") { query, reply in
      let lines = query.surface.clients.all.map { $0.line(at: query.now) }
      reply(.success(listed("/clients", lines)))
    },
    .command("/client/name", .instrument, [.string("a name")], "Names the sender in /clients, as by the kind of its device.") { request in
      guard case .string(let wish)? = request.arguments.first, let name = Document.name(wish) else { throw Refusal("takes a name") }
      request.client.name = name
    },
  ]

  private static func messages(_ findings: [DoctorFinding]) -> [OSCMessage] {
    listed(
      "/doctor",
      findings.map { finding in
        let action = finding.action
        return [
          finding.grade.rawValue, finding.thing, finding.words, finding.remedy, action?.label ?? "",
          action?.message ?? "",
        ].tabbedLine
      })
  }

  private static func listed(_ address: String, _ lines: [String]) -> [OSCMessage] {
    [OSCMessage(address, .int(lines.count))]
      + lines.enumerated().map { OSCMessage("\(address)/\($0)", .string($1)) }
  }
}

extension Client {
  fileprivate func line(at now: Int64) -> String {
    let parts = soundParts.map { "\($0 + 1)" }.joined(separator: ",")
    let seconds = max(0, now - receivedAt) / 1_000_000_000
    return [name, "\(peer)", transport.name, parts, "\(seconds)", plays ? "1" : "0"].tabbedLine
  }
}
