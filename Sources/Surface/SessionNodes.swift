import Control
import Synth

// The part in focus, and what a client says about itself.

extension Node {
  // swift-format-ignore
  static let session: [Node] = [
    .setting("/focus", .instrument, .int(1...Double(Limits.parts)), "The part that bare addresses mean.", read: { instrument, _, _ in .int(instrument.focus + 1) }, write: { try $0.setFocus() }),
    .display("/notice", .instrument, .string(), "What the player should know: a preset that cannot be saved, a program that is not there.") { instrument, _, _ in .string(instrument.notices.shown) },
    .trigger("/sync", .instrument, "Sends everything there is to show once more.") { $0.surface.feedback.resendAll(to: $0.client, now: $0.now) },
    .command("/here", .instrument, [.int(nil, "anything", optional: true)], "Says that a hand is on the tablet: what may have been lost is shown once more. With the word that came in /who, that the sender receives what it is sent.") { _ in },
    .command("/hold", .instrument, [.float(1...600, "seconds")], "What the sender holds is let go once nothing was heard of it for so long; a tablet says so again and again while a finger is down.") { try $0.setPatience() },
    .command("/subscribe", .instrument, [.int(1...65_535, "a port", optional: true)], "Asks for feedback at a port, the sender's own if none is given; to be renewed within ten minutes.") { try $0.surface.subscribe($0) },
    .command("/unsubscribe", .instrument, [], "Ends the feedback.") { try $0.surface.unsubscribe($0) },
  ]
}

extension Request {
  fileprivate func setFocus() throws {
    let highest = Double(Limits.parts)
    instrument.focus = Int(try number(in: 1...highest, else: "takes a part, 1…\(Limits.parts)")) - 1
  }

  fileprivate func setPatience() throws {
    let longest = Double(Clients.silence) * 1e-9
    client.patience = Int64(try number(in: 1...longest, else: "takes seconds, 1…\(Int(longest))") * 1e9)
  }
}
