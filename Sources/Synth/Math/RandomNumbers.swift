/// Random numbers of the notes: the same ones in the same order each time, so that a song renders to the same bits.
struct RandomNumbers {
  private var word: UInt32 = 0x6d2b_79f5

  @_noLocks init() {}

  /// A phase, anywhere in a period.
  @_noLocks
  mutating func phase() -> Int32 {
    word ^= word &<< 13
    word ^= word &>> 17
    word ^= word &<< 5
    return Int32(bitPattern: word)
  }

  /// A number of 0..<1.
  @_noLocks
  mutating func next() -> Float { Float(UInt32(bitPattern: phase()) &>> 8) * 0x1p-24 }
}
