import Control
import Parameters

// The snapshots A to H of a part, and its morph beside its knobs.

extension Node {
  static let snapshots: [Node] =
    Table.snapshots.enumerated().flatMap { letter($0.offset, $0.element) } + storing + morphing

  // swift-format-ignore
  private static func letter(_ index: Int, _ letter: String) -> [Node] {
    let (path, name) = ("/snapshot/\(letter)", letter.uppercased())
    return [
      Node(path, .sound, [.int(0...1, optional: true)], "Recalls snapshot \(name) when a press ends within half a second; a longer press stores the sound in it. A message without argument acts at once.", isTrigger: true, actsOnRelease: true, write: { try $0.touchSnapshot(index) }),
      shown(path + "/filled", .int(0...1), "1 if snapshot \(name) holds a sound.") { instrument, part in .int(instrument.presets.snapshots(part: part)[index] == nil ? 0 : 1) },
      shown(path + "/current", .int(0...1), "1 if snapshot \(name) was recalled or stored last.") { instrument, part in .int(instrument.snapshots.current(part: part) == index ? 1 : 0) },
      shown(path + "/name", .string(), "Name of snapshot \(name).") { instrument, part in .string(instrument.presets.snapshots(part: part)[index]?.name ?? "") },
      .command(path + "/rename", .sound, [.string("a name, or an empty one")], "Names snapshot \(name).") { try $0.nameSnapshot(index) },
      .trigger(path + "/erase", .sound, "Empties snapshot \(name); undo brings it back.") { try $0.instrument.presets.erase(index, part: $0.part) },
    ]
  }

  // swift-format-ignore
  private static let storing: [Node] = [
    .trigger("/snapshot/store", .sound, "Stores the sound in the letter pressed next. A second press or ten seconds cancel it.") { $0.instrument.snapshotButtons.arm(part: $0.part, now: $0.now) },
    shown("/snapshot/store/armed", .int(0...1), "1 while the letter pressed next stores the sound.") { instrument, part in .int(instrument.snapshotButtons.isArmed(part: part) ? 1 : 0) },
    shown("/snapshot/coming", .string(), "Letter of the snapshot that waits for the beat or bar; empty if none does.") { instrument, part in .string(instrument.snapshots.coming(part: part).map { Table.snapshots[$0].uppercased() } ?? "") },
  ]

  // swift-format-ignore
  private static let morphing: [Node] = [
    .trigger("/morph/keep", .sound, "Makes the sound between both snapshots that of the part, a step that undo takes back. The morph leaves it alone until an end is reached.") { try $0.instrument.morphs.keep(part: $0.part) },
    shown("/morph/active", .int(0...1), "1 while the sound is that of the position of /morph; 0 after it has come from elsewhere.") { instrument, part in .int(instrument.morphs.isActive(part: part) ? 1 : 0) },
  ]

  private static func shown(
    _ path: String, _ type: ArgumentType, _ about: String,
    read: @escaping @Sendable (Instrument, Int) -> OSCValue
  ) -> Node {
    Node(
      path, .sound, [type], about, origin: .snapshots, read: { instrument, part, _ in read(instrument, part) }
    )
  }
}

extension Request {
  fileprivate func touchSnapshot(_ index: Int) throws {
    if arguments.isEmpty {
      return try instrument.snapshotButtons.touch(index, part: part, now: now)
    }
    let number = try number(in: 0...1, else: "takes 1 for a press and 0 for a release")
    // On a locked surface a long press, as by an elbow, must not store.
    if instrument.lock.isOn {
      if number > 0 { try instrument.snapshotButtons.touch(index, part: part, now: now) }
      return
    }
    try instrument.snapshotButtons.touch(
      index, isPressed: number > 0, client: client.slot, part: part, now: now)
  }

  fileprivate func nameSnapshot(_ index: Int) throws {
    guard let name = arguments.first?.words else { throw Refusal("takes a name") }
    try instrument.presets.name(index, name, part: part)
  }
}
