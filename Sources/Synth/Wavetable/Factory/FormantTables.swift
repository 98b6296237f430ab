import CRealtime
import Scenes

/// Harmonics of amplitude 1/h, shaped by resonances such as the formants of a voice. The resonances are at the given
/// frequencies while the pitch is 110 Hz, and move with the pitch.
enum FormantTables {
  /// The amplitude of a harmonic at a position 0…1.
  static func sine(_ table: FactoryWavetable, _ position: Float, _ harmonic: Int) -> Float {
    let hertz = 110 * Float(harmonic)
    let source = 1 / Float(harmonic)
    switch table {
    case .tenor: return source * vowel(tenor, position, hertz)
    case .soprano: return source * vowel(soprano, position, hertz)
    case .formant: return source * (0.05 + peak(300 * rt_exp2(3.3219281 * position), 110, 0, hertz))
    case .nasal:
      let dip = 1 - peak(500 + 1_500 * position, 400, 0, hertz)
      return source
        * (0.02 + dip * (peak(1_000 + 600 * position, 250, 0, hertz) + peak(2_800, 400, -6, hertz)))
    default: return 0
    }
  }

  /// A formant: its frequency, its bandwidth in hertz, its level in decibels.
  private typealias Formant = (hertz: Float, bandwidth: Float, level: Float)

  // The vowels a, e, i, o, u (Csound's manual, appendix "Formant values").
  private static let tenor: [[Formant]] = [
    [(650, 80, 0), (1_080, 90, -6), (2_650, 120, -7), (2_900, 130, -8)],
    [(400, 70, 0), (1_700, 80, -14), (2_600, 100, -12), (3_200, 120, -14)],
    [(290, 40, 0), (1_870, 90, -15), (2_800, 100, -18), (3_250, 120, -20)],
    [(400, 40, 0), (800, 80, -10), (2_600, 100, -12), (2_800, 120, -12)],
    [(350, 40, 0), (600, 60, -20), (2_700, 100, -17), (2_900, 120, -14)],
  ]
  private static let soprano: [[Formant]] = [
    [(800, 80, 0), (1_150, 90, -6), (2_900, 120, -32)], [(350, 60, 0), (2_000, 100, -20), (2_800, 120, -15)],
    [(270, 60, 0), (2_140, 90, -12), (2_950, 100, -26)], [(450, 70, 0), (800, 80, -11), (2_830, 100, -22)],
    [(325, 50, 0), (700, 60, -16), (2_700, 170, -35)],
  ]

  /// The gain of a vowel between two neighbouring ones: frequencies, bandwidths and levels are interpolated.
  private static func vowel(_ vowels: [[Formant]], _ position: Float, _ hertz: Float) -> Float {
    let vowel = position * Float(vowels.count - 1)
    let first = min(Int(vowel), vowels.count - 2)
    let share = vowel - Float(first)
    var gain: Float = 0.003
    for (one, two) in zip(vowels[first], vowels[first + 1]) {
      let (low, high) = (rt_log2(one.hertz), rt_log2(two.hertz))
      gain += peak(
        rt_exp2(low + share * (high - low)), one.bandwidth + share * (two.bandwidth - one.bandwidth),
        one.level + share * (two.level - one.level), hertz)
    }
    return gain
  }

  /// The gain of a resonance.
  private static func peak(_ center: Float, _ bandwidth: Float, _ level: Float, _ hertz: Float) -> Float {
    let away = (hertz - center) / (0.5 * bandwidth)
    return rt_exp2(level * 0.16609640) / rt_sqrt(1 + away * away)
  }
}
