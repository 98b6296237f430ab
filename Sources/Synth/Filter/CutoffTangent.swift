/// The tangent of half the cutoff's angular frequency per sample, which is the coefficient g of a trapezoidal
/// integrator, as a quotient: its Padé approximant, within 0.02 % up to 1.45.
struct CutoffTangent {
  /// Half the angular frequency, radians per sample.
  let halfAngle: Lanes
  /// The square of `halfAngle`.
  let z: Lanes
  /// The tangent's numerator over `halfAngle`.
  let ratio: Lanes
  /// The numerator and the denominator.
  let n: Lanes
  let d: Lanes

  /// The tangent for a cutoff in Hz, at most 20 kHz.
  @_noLocks @inline(__always)
  init(hertz: Lanes, rate: Float) {
    let hertz = smaller(hertz, Lanes(repeating: min(20_000, 0.45 * rate)))
    halfAngle = hertz * (Float.pi / rate)
    z = halfAngle * halfAngle
    ratio = multiplyAdd(z - 105, z, Lanes(repeating: 945))
    d = multiplyAdd(15 * z - 420, z, Lanes(repeating: 945))
    n = halfAngle * ratio
  }
}
