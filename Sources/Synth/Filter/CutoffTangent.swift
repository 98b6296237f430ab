/// The tangent of half the cutoff's angular frequency per sample, which is the coefficient g of a trapezoidal
/// integrator, as a quotient: its Padé approximant, within 0.02 % up to 1.45.
struct CutoffTangent {
  /// Half the angular frequency, radians per sample.
  let half: Lanes
  /// The square of `half`.
  let z: Lanes
  /// The tangent's numerator over `half`.
  let ratio: Lanes
  /// The numerator and the denominator.
  let n: Lanes
  let d: Lanes

  /// The tangent for a cutoff in Hz, at most 20 kHz.
  @_noLocks @inline(__always)
  init(hertz: Lanes, rate: Float) {
    let hertz = smaller(hertz, Lanes(repeating: min(20_000, 0.45 * rate)))
    half = hertz * (Float.pi / rate)
    z = half * half
    ratio = multiplyAdd(z - 105, z, Lanes(repeating: 945))
    d = multiplyAdd(15 * z - 420, z, Lanes(repeating: 945))
    n = half * ratio
  }
}
