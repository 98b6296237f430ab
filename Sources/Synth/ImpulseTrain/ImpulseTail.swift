/// State that a group's sums of saws keep from block to block, so that each jump is placed only once. Vectors of eight
/// lanes.
struct ImpulseTail {
  let vectors: UnsafeMutablePointer<Lanes>

  /// Size in vectors: two for each slot of the first oscillator, four for each of the second, and the samples of both
  /// sides.
  static var count: Int { @_noLocks get { 6 &* Self.slots &+ 2 &* tail } }
  /// Slots for the saws that are added at one level.
  static var slots: Int { @_noLocks get { 8 } }
  /// Samples after a block that its jumps reach, rounded up to a multiple of four.
  static var tail: Int { @_noLocks get { 12 } }

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) { self.vectors = vectors }

  /// A copy in other memory.
  @_noLocks
  func copied(to other: UnsafeMutablePointer<Lanes>) -> ImpulseTail {
    var i = 0
    while i < Self.count {
      other[i] = vectors[i]
      i &+= 1
    }
    return ImpulseTail(other)
  }

  /// Jumps of an oscillator that the last block placed after its end: a period in lanes whose next jump is already
  /// placed, 0 in the others. First the saws of its unison by slot, then the ends of its pulses. The last slot of the
  /// first oscillator belongs to the sub oscillator.
  @_noLocks @inline(__always)
  func jumps(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> {
    vectors + (2 &* Self.slots) &* oscillator
  }

  /// Pulses of the last block's jumps after its end, left and right.
  var left: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 6 &* Self.slots }
  }
  var right: UnsafeMutablePointer<Lanes> { @_noLocks @inline(__always) get { left + Self.tail } }
}
