import CRealtime

/// Levels of the drive, and the gains that keep its loudness.
enum DriveLoudness {
  /// The gain of a level in decibels.
  @_noLocks
  static func factor(_ decibels: Float) -> Float { rt_exp2(decibels * 0.16609640) }

  /// The bias of the asymmetric curve for a gain and an input level in decibels. It grows with the level, so that a
  /// loud sound stays asymmetric, but not so far that a quiet one disappears in the knee of the curve.
  @_noLocks
  static func bias(_ gain: Float, level: Float) -> Float {
    min(1.2, 0.3 * rt_sqrt(factor(gain + level - DriveLevel.usual)))
  }

  /// The make-up gain after a curve for a drive gain and an RMS input level in decibels. It keeps the loudness of a
  /// chord of five saws (ITU-R BS.1770).
  @_noLocks
  static func kept(_ curve: Int, _ gain: Float, level: Float) -> Float {
    let decibels = table(curve)
    // A louder sound is saturated like a sound at more gain, and was louder before the curve. This does not apply to
    // the power, whose shape does not depend on the level.
    let more = curve == DriveShape.power.index ? 0 : level - DriveLevel.usual
    let position = (gain + more) / 6
    if position < 0 { return factor(decibels[0] - gain) }
    let index = min(6, Int(position))
    let share = min(1, position - Float(index))
    return factor(more + decibels[index] + share * (decibels[index + 1] - decibels[index]))
  }

  /// The exponent of the power for a drive gain in decibels.
  @_noLocks
  static func exponent(_ gain: Float) -> Float { 1 - gain / 40 }

  /// Make-up gains in decibels at steps of six decibels of drive gain, measured at -18 dB.
  @_noLocks
  private static func table(_ curve: Int) -> SIMD8<Float> {
    switch curve {
    case 0: SIMD8(0.06, -5.77, -11.08, -14.77, -16.64, -17.57, -18.08, -18.08)
    case 1: SIMD8(0.42, -5.04, -9.66, -13.32, -15.83, -17.38, -18.04, -18.04)
    case 2: SIMD8(0, -6.00, -11.72, -15.25, -16.89, -17.70, -18.15, -18.15)
    case 4: SIMD8(-0.01, -7.39, -13.08, -17.10, -19.51, -20.35, -19.71, -19.71)
    default: SIMD8(0.27, -5.45, -10.86, -15.61, -18.77, -19.88, -20.76, -22.0)
    }
  }
}
