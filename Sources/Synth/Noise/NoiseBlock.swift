/// A block that the noise of four voices is added to, or one block for left and one for right: every second vector of
/// four.
struct NoiseBlock {
  private let left: UnsafeMutablePointer<Quad>
  private let right: UnsafeMutablePointer<Quad>
  /// Twice the number of frames.
  let count: Int
  /// True when the block begins with the second sample of a random word, because the tick was divided there.
  let isOdd: Bool

  @_noLocks @inline(__always)
  private init(
    _ left: UnsafeMutablePointer<Quad>, _ right: UnsafeMutablePointer<Quad>, count: Int, isOdd: Bool
  ) {
    (self.left, self.right, self.count, self.isOdd) = (left, right, count, isOdd)
  }

  @_noLocks @inline(__always)
  init(_ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, frames: Int, isOdd: Bool) {
    self.init(
      UnsafeMutableRawPointer(x).assumingMemoryBound(to: Quad.self),
      UnsafeMutableRawPointer(y).assumingMemoryBound(to: Quad.self), count: 2 &* frames, isOdd: isOdd)
  }

  /// The block for the other four voices.
  var second: NoiseBlock {
    @_noLocks @inline(__always) get { NoiseBlock(left + 1, right + 1, count: count, isOdd: isOdd) }
  }

  /// True when left and right are separate blocks.
  var isWide: Bool { @_noLocks @inline(__always) get { left != right } }

  /// Adds one sample at an index.
  @_noLocks @inline(__always)
  func add(_ value: Quad, _ i: Int, isWide: Bool) {
    left[i] += value
    if isWide { right[i] += value }
  }

  /// Adds white noise at a level. Returns the last random words.
  @_noLocks
  func addWhite(_ words: SIMD4<UInt32>, _ level: QuadRamp) -> SIMD4<UInt32> {
    isWide ? addWhite(words, level, isWide: true) : addWhite(words, level, isWide: false)
  }

  @_noLocks @inline(__always)
  private func addWhite(_ words: SIMD4<UInt32>, _ level: QuadRamp, isWide: Bool) -> SIMD4<UInt32> {
    var (words, level) = (words, level.scaled(NoiseLevels.unit))
    var i = 0
    if isOdd {
      add(level.value * number(turned(words)), 0, isWide: isWide)
      level.move()
      i = 2
    }
    while i &+ 2 < count {
      words = scrambled(words)
      add(level.value * number(words), i, isWide: isWide)
      level.move()
      add(level.value * number(turned(words)), i &+ 2, isWide: isWide)
      level.move()
      i &+= 4
    }
    if i < count {
      words = scrambled(words)
      add(level.value * number(words), i, isWide: isWide)
    }
    return words
  }
}

/// Random words as numbers in ±2^31, converted lane by lane, which both compilers turn into one instruction.
@_noLocks @inline(__always)
func number(_ words: SIMD4<UInt32>) -> Quad {
  let x = unsafeBitCast(words, to: SIMD4<Int32>.self)
  return Quad(Float(x[0]), Float(x[1]), Float(x[2]), Float(x[3]))
}

/// Words with their halves exchanged. They are random as well, because their upper bits were the lower ones.
@_noLocks @inline(__always)
func turned(_ words: SIMD4<UInt32>) -> SIMD4<UInt32> { words &<< 16 | words &>> 16 }

/// The next random word of each lane (Marsaglia's xorshift, 2003); no lane may be 0.
@_noLocks @inline(__always)
func scrambled(_ x: SIMD4<UInt32>) -> SIMD4<UInt32> {
  var x = x
  x ^= x &<< 13
  x ^= x &>> 17
  x ^= x &<< 5
  return x
}
