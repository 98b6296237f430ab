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
    for i in 0..<Self.count {
      other[i] = vectors[i]
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

/// The composition of a sum of saws in one tick. Only a sum with an equal key may continue it in the next tick.
struct ImpulseKey {
  private var bits: UInt64 = 0

  /// The key of an empty sum.
  @_noLocks @inline(__always)
  init() {}

  @_noLocks @inline(__always)
  static func == (a: ImpulseKey, b: ImpulseKey) -> Bool { a.bits == b.bits }

  /// True when anything has been added.
  var isAny: Bool { @_noLocks @inline(__always) get { bits != 0 } }

  /// Adds the voices of an oscillator: saws, pulses or synchronized saws, on one side or on both (`isWide`), with the
  /// side of the first voice.
  @_noLocks @inline(__always)
  mutating func add(
    _ voices: UInt8, of oscillator: Int, isPulse: Bool, isSynced: Bool, isFirstLeft: Bool, isWide: Bool
  ) {
    let (wide, left): (UInt64, UInt64) = (isWide ? 1 : 0, isFirstLeft ? 2 : 0)
    let (pulse, synced): (UInt64, UInt64) = (isPulse ? 4 : 0, isSynced ? 8 : 0)
    let kind = UInt64(voices) &<< 8 | 16 | wide | left | pulse | synced
    bits |= kind &<< UInt64(16 &* oscillator)
  }

  /// Adds the sub oscillator, by its waveform.
  @_noLocks @inline(__always)
  mutating func addSub(_ wave: Int32) { bits |= UInt64(UInt32(bitPattern: wave) &+ 1) &<< 32 }
}
