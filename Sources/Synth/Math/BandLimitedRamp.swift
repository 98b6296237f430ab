/// The corners of a triangle, band-limited: the integral of `BandLimitedStep`. Both corners are evaluated at every
/// sample, as they may overlap in high notes.
enum BandLimitedRamp {
  /// A triangle of -1…1 at the phase `s`, a number of ±2^31.
  /// - Parameters:
  ///   - slope: the distance for each number of phase, `steepness` in units of 2^31.
  ///   - offset: the distance at phase 0, `1 - steepness`.
  ///   - depth: twice the reach in units of half a period.
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
