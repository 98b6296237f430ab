import CRealtime

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
