/// The phases of four voices in a part of a block.
struct TablePhases {
  private var phase: SIMD4<Int32>
  private let advance: SIMD4<Int32>
  // A phase offset for each sample and voice; those of the next sample are `Limits.lanesPerGroup` numbers later.
  private var offsets: UnsafePointer<Int32>

  @_noLocks @inline(__always)
  init(_ phase: SIMD4<Int32>, _ advance: SIMD4<Int32>, _ offsets: UnsafePointer<Int32>) {
    (self.phase, self.advance, self.offsets) = (phase, advance, offsets)
  }

  /// The phases of the next sample.
  @_noLocks @inline(__always)
  mutating func next() -> QuadWords {
    let at = phase &+ UnsafeRawPointer(offsets).load(as: SIMD4<Int32>.self)
    phase &+= advance
    offsets += Limits.lanesPerGroup
    return unsafeBitCast(at, to: QuadWords.self)
  }
}
