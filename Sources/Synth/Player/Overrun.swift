/// Decides when notes that a full ring may have left hanging can be released: only after all events that were in it
/// have been played, because a note on among these may have lost its note off.
struct Overrun {
  private var seen: UInt64 = 0
  private var until: UInt64 = 0
  private var isDue = false

  /// Checks whether the ring has dropped events. Called once per block.
  @_noLocks
  mutating func look(at ring: EventRing) {
    let dropped = ring.dropped
    if dropped == seen { return }
    (seen, until, isDue) = (dropped, ring.given, true)
  }

  /// True once, when all events that were in the ring at the loss have been played: its sources must then be
  /// released.
  @_noLocks
  mutating func isOver(_ ring: EventRing) -> Bool {
    guard isDue, ring.taken >= until else { return false }
    isDue = false
    return true
  }
}
