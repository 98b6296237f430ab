import Testing

@testable import Control

/// The current snapshot after undo.
struct SnapshotUndoTests {
  @Test("After undo of a store, the letter whose sound plays is the current one, or none")
  func store() throws {
    let stand = ShowStand()
    let (presets, buttons) = (stand.instrument.presets, stand.instrument.snapshotButtons)
    func store(_ snapshot: Int) throws {
      stand.now += 1_000_000_000
      buttons.arm(part: 0, now: stand.now)
      try buttons.touch(snapshot, part: 0, now: stand.now)
      stand.run()
    }
    var current: Int? { stand.instrument.snapshots.current(part: 0) }
    stand.set("/part/1/filter/cutoff/hz", 300)
    try store(0)
    stand.set("/part/1/filter/cutoff/hz", 600)
    try store(0)
    #expect(current == 0)
    // A has the sound of 300 Hz again, and 600 Hz play.
    try presets.undo(part: 0)
    #expect(stand.cutoff == 600 && current == nil)
    try presets.redo(part: 0)
    #expect(current == 0)
    try presets.undo(part: 0)
    try presets.undo(part: 0)
    #expect(stand.cutoff == 300 && current == 0)
  }
}
