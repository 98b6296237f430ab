/// The jump of a saw, band-limited: what keeps saws and pulses from aliasing.
///
/// A jump is replaced by a smooth one that reaches four samples to each side, evaluated without a branch from the
/// distance to the nearest jump, as a polynomial of which each factor is chosen for its spectrum: alias-to-signal is
/// -79 dB or better up to 3,520 Hz (harmonics under 18 kHz against everything else from 40 Hz, at 48 kHz), and the top
/// is kept: -0.1 dB at 10 kHz, -3.2 dB at 15 kHz. A B-spline of the same reach gives as much with -5 dB and -11.5 dB.
/// The coefficients were found by weighted least squares on the spectrum of the smoothed step, over a composed
/// polynomial with as few products as possible.
///
/// Phases come as numbers of ±2^31 and the saw leaves in the same scale. With t for the distance, what is taken off is
/// y⁴·(y² - 3.44927464·y + 2.47143413), y = t²·(2.13996165 - t), t = 1.15568949 at the jump; the constants below are
/// these with t times 2^(31/18), which makes the result 2^31 times as large without a product for it.
enum BandLimitedStep {
  /// What brings a saw, or a phase, to -1…1.
  static var unit: Float { @_noLocks get { 0x1p-31 } }
  /// What brings it back: both are powers of two, so that nothing is rounded.
  static var scale: Float { @_noLocks get { 2_147_483_648 } }
  private static var size: Float { @_noLocks get { 3.81313088 } }

  /// Distance for each number of phase: `steepness` is one over the reach in units of half a period, 1 or more.
  @_noLocks @inline(__always)
  static func slope(_ steepness: Lanes) -> Lanes { (size * unit) * steepness }

  /// The distance at phase 0, which is below nothing.
  @_noLocks @inline(__always)
  static func offset(_ steepness: Lanes) -> Lanes { size - size * steepness }

  /// A saw of ±2^31 at the phase `s`. `none` is zero, as a vector that the compiler does not know to be zero: then
  /// the larger of the two is one instruction.
  @_noLocks @inline(__always)
  static func saw(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    s + bend(s, slope, offset, none)
  }

  /// What smooths the jump of a saw, as `saw`: to be added to its straight line.
  @_noLocks @inline(__always)
  static func bend(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    // `r` is -2^31 at the jump, and of either sign on the way.
    let r = residual(magnitude(s), slope, offset, none)
    return lanes(bits(r) ^ (bits(s) & 0x8000_0000))
  }

  /// What is taken off ahead of a jump from 2^31 to -2^31, for the magnitude of the phase.
  @_noLocks @inline(__always)
  static func residual(_ s: Lanes, _ slope: Lanes, _ offset: Lanes, _ none: Lanes) -> Lanes {
    // Greatest at the jump, 0 at the end of its reach and beyond.
    let t = larger(multiplyAdd(s, slope, offset), none)
    let y = t * t * (7.06068015 - t)
    let q = y * y
    return q * q * multiplyAdd(y - 123.893756, y, Lanes(repeating: 3188.54337))
  }
}
