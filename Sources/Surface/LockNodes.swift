import Control
import Parameters

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
