/// Random numbers for notes. The sequence is always the same, so that a song renders to the same bits.
struct RandomNumbers {
  private var word: UInt32 = 0x6d2b_79f5

  @_noLocks init() {}

  /// A random phase.
  @_noLocks
  mutating func phase() -> Int32 {
    word ^= word &<< 13
    word ^= word &>> 17
    word ^= word &<< 5
    return Int32(bitPattern: word)
  }

  /// A random number in 0..<1.
  @_noLocks
  mutating func next() -> Float { Float(UInt32(bitPattern: phase()) &>> 8) * 0x1p-24 }
}
