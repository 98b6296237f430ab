/// What the sums of saws of a group keep from block to block, so that a jump is put where it is once: of eight lanes each.
struct ImpulseTail {
  let vectors: UnsafeMutablePointer<Lanes>

  /// Vectors that it takes: two for each place of the first oscillator, four of the second, and the samples of both sides.
  static var count: Int { @_noLocks get { 6 &* ImpulseScratch.places &+ 2 &* tail } }
  /// Samples behind a block that its jumps reach, rounded up to fours.
  static var tail: Int { @_noLocks get { 12 } }

  @_noLocks @inline(__always)
  init(_ vectors: UnsafeMutablePointer<Lanes>) { self.vectors = vectors }

  /// The same at other memory.
  @_noLocks
  func copied(to other: UnsafeMutablePointer<Lanes>) -> ImpulseTail {
    var i = 0
    while i < Self.count {
      other[i] = vectors[i]
      i &+= 1
    }
    return ImpulseTail(other)
  }

  /// Of the saws in an oscillator's unison, and then of the ends of its pulses: a period where the next jump has been put
  /// behind the last block, 0 elsewhere. Last there is the sub oscillator's, with those of the first one.
  @_noLocks @inline(__always)
  func jumps(_ oscillator: Int) -> UnsafeMutablePointer<Lanes> {
    vectors + (2 &* ImpulseScratch.places) &* oscillator
  }

  /// The second oscillator's saws, while they are synchronized.
  var synced: SyncedPlaces { @_noLocks @inline(__always) get { SyncedPlaces(jumps(1)) } }

  /// What jumps take away behind the block, left and right.
  var left: UnsafeMutablePointer<Lanes> {
    @_noLocks @inline(__always) get { vectors + 6 &* ImpulseScratch.places }
  }
  var right: UnsafeMutablePointer<Lanes> { @_noLocks @inline(__always) get { left + Self.tail } }
}
