import Control
import Storage
import System

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
