/// A band-limited step (polynomial BLEP) for the jump of a saw, which keeps saws and pulses from aliasing.
///
/// A smooth step that reaches four samples to each side replaces the jump. It is evaluated without a branch from the
/// distance to the nearest jump. It is a polynomial whose factors were chosen for its spectrum: alias-to-signal is
/// -79 dB or better up to 3,520 Hz (harmonics under 18 kHz against everything else from 40 Hz, at 48 kHz), and the
/// treble is kept: -0.1 dB at 10 kHz, -3.2 dB at 15 kHz. A B-spline of equal reach aliases as little, but has -5 dB
/// and -11.5 dB there. The coefficients come from weighted least squares on the spectrum of the smoothed step, over a
/// composed polynomial with as few products as possible.
///
/// Phases are numbers in ±2^31, and the saw has the same scale. With t for the distance, the correction is
/// y⁴·(y² - 3.44927464·y + 2.47143413), y = t²·(2.13996165 - t), t = 1.15568949 at the jump. The constants below are
/// these with t times 2^(31/18), which makes the result 2^31 times as large without a further product.
enum BandLimitedStep {
  /// Factor that scales a saw, or a phase, from ±2^31 to ±1.
  static var unit: Float { @_noLocks get { 0x1p-31 } }
  /// Factor that scales ±1 to ±2^31. Both factors are powers of two, so that nothing is rounded.
  static var scale: Float { @_noLocks get { 2_147_483_648 } }
  private static var size: Float { @_noLocks get { 3.81313088 } }

  /// Change of the distance for one phase unit. `steepness` is 1 / reach, with the reach in half periods; 1 or more.
  @_noLocks @inline(__always)
  static func slope(_ steepness: Lanes) -> Lanes { (size * unit) * steepness }

  /// The distance at phase 0; 0 or below.
  @_noLocks @inline(__always)
  static func offset(_ steepness: Lanes) -> Lanes { size - size * steepness }

  /// A saw of ±2^31 at the phase `s`. `none` is a vector of zeros that the compiler does not know to be zero
  /// (`hiddenZero`), so that `larger` is one instruction.
  @_noLocks @inline(__always)
  static func saw(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    s + correction(s, slope, offset, none)
  }

  /// The correction that smooths the jump of a saw: `saw` is its straight line plus this.
  @_noLocks @inline(__always)
  static func correction(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    // `r` is -2^31 at the jump, and of either sign within the reach.
    let r = residual(magnitude(s), slope, offset, none)
    return lanes(bits(r) ^ (bits(s) & 0x8000_0000))
  }

  /// The correction ahead of a jump from 2^31 to -2^31, for the magnitude of the phase.
  @_noLocks @inline(__always)
  static func residual(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    // Greatest at the jump, 0 at the end of the reach and beyond.
    let t = larger(multiplyAdd(s, slope, offset), none)
    let y = t * t * (7.06068015 - t)
    let q = y * y
    return q * q * multiplyAdd(y - 123.893756, y, Lanes(repeating: 3188.54337))
  }
}

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
