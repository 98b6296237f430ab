/// Random numbers for notes. The sequence is always the same, so that a song renders to the same bits.
public struct RandomNumbers {
  private var word: UInt32 = 0x6d2b_79f5

  /// The first sequence.
  @_noLocks public init() {}

  /// A different sequence for each `number`.
  @_noLocks
  public init(_ number: UInt32) {
    // Mixed (the finalizer of MurmurHash3, A. Appleby), because sequences that start from similar words begin alike.
    // The word is never 0.
    var mixed = (number &+ 1) &* 0x9e37_79b9
    mixed = (mixed ^ mixed &>> 16) &* 0x85eb_ca6b
    mixed = (mixed ^ mixed &>> 13) &* 0xc2b2_ae35
    mixed ^= mixed &>> 16
    word = mixed == 0 ? word : mixed
  }

  /// A random phase.
  @_noLocks
  public mutating func phase() -> Int32 {
    word ^= word &<< 13
    word ^= word &>> 17
    word ^= word &<< 5
    return Int32(bitPattern: word)
  }

  /// A random phase in the first `share` of a period.
  @_noLocks @inlinable
  public mutating func phase(within share: Float) -> Int32 {
    Int32(truncatingIfNeeded: Int64(share * next() * 4_294_967_296))
  }

  /// A random number in 0..<1.
  @_noLocks @inlinable
  public mutating func next() -> Float { Float(UInt32(bitPattern: phase()) &>> 8) * 0x1p-24 }
}
