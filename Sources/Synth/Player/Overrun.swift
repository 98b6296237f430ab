/// Knows when what a full ring may have left hanging can be let go: not before everything that was in it has been
/// played, since a note on among it may have lost its note off.
struct Overrun {
  private var seen: UInt64 = 0
  private var until: UInt64 = 0
  private var isDue = false

  /// Looks whether the ring has dropped events. Once a block.
  @_noLocks
  mutating func look(at ring: EventRing) {
    let dropped = ring.dropped
    if dropped == seen { return }
    (seen, until, isDue) = (dropped, ring.given, true)
  }

  /// True once, when the ring has been played so far that its sources are to be released.
  @_noLocks
  mutating func isOver(_ ring: EventRing) -> Bool {
    guard isDue, ring.taken >= until else { return false }
    isDue = false
    return true
  }
}
