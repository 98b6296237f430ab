/// A band-limited triangle: `integral` is the integral of `BandLimitedStep`. Both corners are evaluated at every
/// sample, because their smoothing may overlap in high notes.
enum BandLimitedRamp {
  /// A triangle of -1…1 at the phase `s`, in ±2^31 (2^32 phase units are one period).
  /// - Parameters:
  ///   - slope: change of the normalized distance for one phase unit, `steepness` · 2^-31.
  ///   - offset: normalized distance at phase 0, `1 - steepness`. The distance is 1 at the corner and 0 where its
  ///     smoothing ends.
  ///   - depth: twice the reach of the smoothing, in half periods.
  ///   - none: 0, hidden from the compiler (`hiddenZero`).
  @_noLocks @inline(__always)
  static func triangle(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ depth: Lanes, _ none: Lanes) -> Lanes {
    let a = magnitude(s)
    let top = larger(multiplySubtract(a, slope, from: Lanes(repeating: 1)), none)
    let bottom = larger(multiplyAdd(a, slope, offset), none)
    let plain = multiplySubtract(a, Lanes(repeating: 2 * BandLimitedStep.unit), from: Lanes(repeating: 1))
    return multiplySubtract(depth, integral(top) - integral(bottom), from: plain)
  }

  @_noLocks @inline(__always)
  static func integral(_ t: Lanes) -> Lanes {
    let w = t * t
    var p = multiplyAdd(Lanes(repeating: -0.125997449), w, Lanes(repeating: 1.20222472))
    p = multiplyAdd(p, w, Lanes(repeating: -3.66630742))
    p = multiplyAdd(p, w, Lanes(repeating: 4.8179851))
    p = multiplyAdd(p, w, Lanes(repeating: -2.4356313))
    p = multiplyAdd(p, w, Lanes(repeating: 0.267562209))
    return w * w * p
  }
}
