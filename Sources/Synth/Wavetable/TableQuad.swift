import CRealtime

/// Four voices that read a wavetable, each at its own level and position. They are read together: the neighbours of their
/// phases are transposed, so that each operation of the interpolation computes four samples.
struct TableQuad {
  private let a: TableFrames
  private let b: TableFrames
  private let c: TableFrames
  private let d: TableFrames
  // The bits of a phase above and below the index of a sample.
  private let bits: QuadWords
  private let rest: QuadWords
  private let strides: QuadWords
  private let last: Quad
  // In frames.
  private var position: Quad
  private let step: Quad
  private let moves: Bool
  // The first sample of the frame before the position, counted from the first frame, and the share of the next frame.
  private var frame = QuadWords.zero
  private var blend = Quad.zero

  /// Voices that read `a` to `d`. The position is 0…1, with its change per sample. It may lie beyond the ends, where it is
  /// limited.
  @_noLocks @inline(__always)
  init(_ a: TableFrames, _ b: TableFrames, _ c: TableFrames, _ d: TableFrames, position: Quad, step: Quad) {
    (self.a, self.b, self.c, self.d) = (a, b, c, d)
    bits = QuadWords(a.bits, b.bits, c.bits, d.bits)
    rest = 32 &- bits
    strides = QuadWords(a.stride, b.stride, c.stride, d.stride)
    last = Quad(a.last, b.last, c.last, d.last)
    (self.position, self.step) = (position * last, step * last)
    moves = isAny(self.step .!= Quad.zero)
    split()
  }

  /// Returns the samples at a phase, and advances the position by one sample.
  @_noLocks @inline(__always)
  mutating func next(_ phase: QuadWords) -> Quad {
    let samples = samples(phase)
    if moves {
      position += step
      split()
    }
    return samples
  }

  @_noLocks @inline(__always)
  private mutating func split() {
    let limited = smaller(larger(position, Quad.zero), last)
    // The last frame has none after it.
    let index = rt_whole(smaller(limited, larger(last - 1, Quad.zero)))
    blend = limited - Quad(Float(index[0]), Float(index[1]), Float(index[2]), Float(index[3]))
    frame = unsafeBitCast(index, to: QuadWords.self) &* strides
  }

  /// The samples at a phase.
  @_noLocks @inline(__always)
  func samples(_ phase: QuadWords) -> Quad {
    let index = frame &+ (phase &>> rest)
    let fraction = unsafeBitCast((phase &<< bits) ^ 0x8000_0000, to: SIMD4<Int32>.self)
    return TableInterpolation.values(
      a.neighbours(index[0], blend[0]), b.neighbours(index[1], blend[1]),
      c.neighbours(index[2], blend[2]), d.neighbours(index[3], blend[3]),
      Quad(Float(fraction[0]), Float(fraction[1]), Float(fraction[2]), Float(fraction[3])) * 0x1p-32)
  }
}

/// Interpolation between the samples of a wavetable: the cubic that is optimal for waves sampled four times as densely as
/// needed (O. Niemitalo, "Polynomial Interpolators for High-Quality Resampling of Oversampled Audio", 2001: 4-point, third
/// order).
enum TableInterpolation {
  /// Four values, each between the middle two of four neighbours: `a` are those of the first value. `fraction` is 0 in the
  /// middle, ±0.5 at the two samples.
  @_noLocks @inline(__always)
  static func values(_ a: Quad, _ b: Quad, _ c: Quad, _ d: Quad, _ fraction: Quad) -> Quad {
    let (before, one, two, behind) = transposed(a, b, c, d)
    let (inner, innerTilt) = (one + two, two - one)
    let (outer, outerTilt) = (before + behind, behind - before)
    let c0 = multiplyAdd(inner, Quad(repeating: 0.46567255), outer * 0.0343273)
    let c1 = multiplyAdd(innerTilt, Quad(repeating: 0.53743831), outerTilt * 0.15429463)
    let c2 = (outer - inner) * 0.25194475
    let c3 = multiplyAdd(outerTilt, Quad(repeating: 0.15578801), innerTilt * -0.4689607)
    let slope = multiplyAdd(multiplyAdd(c3, fraction, c2), fraction, c1)
    // Hidden from the compiler, which would otherwise compute the four values one by one.
    return rt_opaque(multiplyAdd(slope, fraction, c0))
  }
}
