import CRealtime

/// The filters of the noise. Pink is a sum of four one-poles, within 0.14 dB of -3.01 dB an octave from 20 Hz to 20 kHz
/// at 48 kHz (the fit is for that rate; for others the poles are moved). Brown is a one-pole at 20 Hz, because an
/// integrator would drift. Violet is each white sample minus the one before.
struct NoiseFilter {
  let poles: Quad
  /// Gain of each one-pole relative to the next one's; the last is the gain of their sum, which makes pink as loud as
  /// white.
  let ratios: Quad
  let brownPole: Float
  let brownGain: Float

  @_noLocks @inline(__always)
  init(rate: Float) {
    // The usual rate is a separate case, so that the compiler evaluates its divisions.
    if rate == 48_000 {
      self.init(poles: Self.polesAt48000, rate: 48_000)
    } else {
      self.init(poles: Self.poles(rate), rate: rate)
    }
  }

  @_noLocks @inline(__always)
  private init(poles: Quad, rate: Float) {
    self.poles = poles
    let one = Quad(repeating: 1)
    // The gains belong to the poles at 48 kHz: a pole nearer to 1 accumulates more.
    let gains: Quad = Self.gains * (one - poles) / (one - Self.polesAt48000)
    ratios = gains / Quad(gains[1], gains[2], gains[3], 1 / Self.pinkGain)
    let fall = min(1, 2 * Float.pi * 20 / rate)
    (brownPole, brownGain) = (1 - fall, 25.8 * fall)
  }

  // Gains that give the colours the power of white, measured at 48 kHz; the gain of brown is 25.8.
  private static var pinkGain: Float { @_noLocks get { 0.256 } }
  static var violetGain: Float { @_noLocks get { 0.707106781 } }

  private static var gains: Quad { @_noLocks get { Quad(0.118462, 0.205292, 0.49979, 1.255047) } }
  private static var polesAt48000: Quad {
    @_noLocks get { Quad(0.9970672, 0.9776131, 0.8619147, 0.3558372) }
  }

  @_noLocks
  private static func poles(_ rate: Float) -> Quad {
    let (poles, power) = (polesAt48000, 48_000 / rate)
    return Quad(
      rt_exp2(power * rt_log2(poles[0])), rt_exp2(power * rt_log2(poles[1])),
      rt_exp2(power * rt_log2(poles[2])), rt_exp2(power * rt_log2(poles[3])))
  }
}
