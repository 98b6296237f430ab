/// The curve of a compressor: the reduction of a level, both in octaves of amplitude, 6.02 dB each.
struct CompressorCurve {
  private var threshold: Float = 0
  private var slope: Float = 0
  // The factor of the square within the knee.
  private var kneeFactor: Float = 0
  // The knobs that the numbers were computed from.
  private var knobs = SIMD2<Float>(repeating: -1_000)

  /// Decibels as octaves of amplitude.
  static var octaves: Float { @_noLocks get { 0.166096405 } }
  /// Half of the knee's width: 3 dB.
  private static var knee: Float { @_noLocks get { 3 * octaves } }

  /// The curve of knobs that are all 0.
  @_noLocks init() {}

  /// Follows the knobs.
  @_noLocks @inline(__always)
  mutating func follow(_ knobs: UnsafePointer<CompressorKnobs>) {
    let wanted = SIMD2(knobs.pointee.threshold, knobs.pointee.ratio)
    if wanted.x == self.knobs.x, wanted.y == self.knobs.y { return }
    self.knobs = wanted
    threshold = wanted.x * Self.octaves
    slope = 1 - 1 / max(1, wanted.y)
    kneeFactor = slope / (4 * Self.knee)
  }

  /// The reductions of eight levels: none below the knee, a parabola within it, and a line above.
  @_noLocks @inline(__always)
  func reduction(_ level: Lanes) -> Lanes {
    let over = level - threshold
    let within = larger(smaller(over + Self.knee, Lanes(repeating: 2 * Self.knee)), Lanes.zero)
    let above = larger(over - Self.knee, Lanes.zero)
    return multiplyAdd(above, Lanes(repeating: slope), within * within * kneeFactor)
  }

  /// The levels of eight magnitudes; that of silence is -126. The error is 0.0007 dB: the mantissa's logarithm is a
  /// cubic correction of a straight line, zero at both ends.
  @_noLocks @inline(__always)
  static func level(_ x: Lanes) -> Lanes {
    let bits = bits(larger(x, Lanes(repeating: 1.2e-38)))
    // The exponent as the low bits of a number of 2^23, and the mantissa as a number in 0..<1.
    let exponent = lanes((bits &>> 23) | 0x4b00_0000) - (8_388_608 + 127)
    let t = lanes((bits & 0x007f_ffff) | 0x3f80_0000) - 1
    var p = multiplyAdd(Lanes(repeating: 0.08213069), t, Lanes(repeating: -0.23905823))
    p = multiplyAdd(p, t, Lanes(repeating: 0.43872574))
    return exponent + multiplyAdd(p, multiplySubtract(t, t, from: t), t)
  }
}
