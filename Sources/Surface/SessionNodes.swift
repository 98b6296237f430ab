import Control
import Parameters
import Scenes

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

// The lock of the surfaces on stage.

extension Node {
  // swift-format-ignore
  static let lock: [Node] = [
    .setting("/lock", .instrument, .int(0...1), "1 locks the surfaces for the stage: they can still go to the next and the previous entry of the set, recall snapshots, move the morph, the macros and the master level, tap the tempo and send /panic. Keyboards, pedals and the shell are not locked. 0 at every start.", read: { instrument, _, _ in .int(instrument.lock.isOn ? 1 : 0) }, write: { $0.instrument.lock.set(try $0.number(in: 0...1, else: "takes 0 or 1") >= 0.5) }),
    .display("/lock/text", .instrument, .string(), "LOCKED or LOCK for a label.") { instrument, _, _ in .string(instrument.lock.isOn ? "LOCKED" : "LOCK") },
    .command("/lock/press", .instrument, [.int(0...1)], "A button for the lock, 1 pressed and 0 let go: a press locks, and a press of one second unlocks.") { $0.instrument.lock.press(try $0.number(in: 0...1, else: "takes 0 or 1") >= 0.5, now: $0.now) },
  ]

  /// Whether a locked surface can use the node: the controls that a show needs, and messages of clients about
  /// themselves.
  var isOnStage: Bool {
    Node.onStage.contains(path) || isKnob && Node.onStageStems.contains { path.hasPrefix($0) }
  }

  /// Whether a message releases a note or a controller: a touch may have started it before the lock was on.
  func isRelease(_ arguments: [OSCArgument]) -> Bool {
    if path == "/expression" { return arguments.last?.number == 1 }
    return arguments.count >= min(2, self.arguments.count) && arguments.last?.number == 0
      && Node.played.contains(path)
  }

  private static let played: Set<String> = Set(Node.playing.map(\.path))
  private static let onStage: Set<String> = Set(
    [
      "/lock", "/lock/press", "/panic", "/tempo/tap", "/set/next", "/set/previous", "/morph/position",
      "/subscribe",
      "/unsubscribe", "/sync", "/here", "/hold", "/client/name",
    ] + Table.snapshots.map { "/snapshot/" + $0 })
  private static let onStageStems = ["/macro/", "/master/level"]
}
