import Control
import Synth

// The part in focus, notices, and messages of clients about themselves.

extension Node {
  // swift-format-ignore
  static let session: [Node] = [
    .setting("/focus", .instrument, .int(1...Double(Limits.parts)), "The part that bare addresses mean.", read: { instrument, _, _ in .int(instrument.focus + 1) }, write: { try $0.setFocus() }),
    .display("/notice", .instrument, .string(), "Notice for the player, as a preset that could not be saved.") { instrument, _, _ in .string(instrument.notices.label) },
    .display("/notice/whole", .instrument, .string(), "The notice of /notice, which is cut to 70 letters, in full.") { instrument, _, _ in .string(instrument.notices.shown) },
    .trigger("/sync", .instrument, "Sends all feedback again.") { $0.surface.feedback.resendAll(to: $0.client, now: $0.now) },
    .command("/here", .instrument, [.int(nil, "anything", optional: true)], "Sign of life of a tablet in use; lost feedback is sent again. With the word from /who, it confirms the sender's address.") { _ in },
    .command("/hold", .instrument, [.float(1...600, "seconds")], "Releases the sender's notes after a silence of this length. A tablet repeats it while a finger is down.") { try $0.setHoldTimeout() },
    .command("/subscribe", .instrument, [.int(1...65_535, "a port", optional: true)], "Requests feedback at a port, by default the port of the sender. Renew it within ten minutes.") { try $0.surface.subscribe($0) },
    .command("/unsubscribe", .instrument, [], "Ends the sender's subscription.") { try $0.surface.unsubscribe($0) },
  ]
}

extension Request {
  fileprivate func setFocus() throws {
    let part = try whole(in: 1...Limits.parts, else: "takes a part, 1…\(Limits.parts)") - 1
    instrument.sequenceWindow.endGestures(of: client.slot)
    instrument.focus = part
  }

  fileprivate func setHoldTimeout() throws {
    let longest = Double(Clients.silence) * 1e-9
    let seconds = try number(in: 1...longest, else: "takes seconds, 1…\(Int(clamping: longest))")
    client.holdTimeout = Int64(clamping: seconds * 1e9)
  }
}
