import CRealtime

/// Wavetables that are sums of harmonics, each with its own phase.
enum PartialTables {
  /// The amplitudes of cosine and sine of a harmonic at a position 0…1.
  static func partial(_ table: FactoryWavetable) -> (Float, Int) -> (cosine: Float, sine: Float) {
    switch table {
    case .slope: { chirped(AdditiveTables.power(Float($1), -2.5 + 2 * $0), $1) }
    case .pulse: { (edge($1, 0.5 + 0.45 * $0), 0) }
    case .double: { two(edge($1, 0.08), at: 0.05 + 0.45 * $0, $1) }
    case .bell: { (0, bell($0, $1)) }
    case .noise: { turned(AdditiveTables.power(Float($1), -2 * $0), $1) }
    case .bands: { turned(band(Float($1), around: rt_exp2(0.5 + 6 * $0), octaves: 0.5), $1) }
    case .glass: { turned(glass($0, $1), $1) }
    case .pluck: { chirped(rt_sin(Float.pi * Float($1) * (0.5 - 0.46 * $0)) / Float($1), $1) }
    case .random: { (0, random($0 * 8, $1)) }
    default: { _, _ in (0, 0) }
    }
  }

  /// The amplitude of a harmonic of a pulse that is centred on phase 0 and high for the share `width` of the period.
  private static func edge(_ harmonic: Int, _ width: Float) -> Float {
    rt_sin(Float.pi * Float(harmonic) * width) * 1.273240 / Float(harmonic)
  }

  /// A harmonic, plus the same harmonic delayed by the share `later` of the period.
  private static func two(_ amplitude: Float, at later: Float, _ harmonic: Int) -> (Float, Float) {
    let angle = 2 * Float.pi * (Float(harmonic) * later)
    return (amplitude * (1 + rt_cos(angle)), amplitude * rt_sin(angle))
  }

  /// Partials of a bell over a weak fundamental; the upper ones decay as the position rises.
  private static func bell(_ position: Float, _ harmonic: Int) -> Float {
    let partials = [1, 12, 19, 24, 29, 33, 38, 45, 53, 62]
    guard let partial = partials.firstIndex(of: harmonic) else { return 0 }
    return 0.5 * rt_exp2(-Float(partial) * position * 1.2)
  }

  /// The gain of a band on a scale of octaves.
  private static func band(_ harmonic: Float, around center: Float, octaves: Float) -> Float {
    let away = (rt_log2(harmonic) - rt_log2(center)) / octaves
    return rt_exp2(-away * away) / rt_sqrt(harmonic)
  }

  /// Only harmonics whose numbers are squares, similar to the partials of a free bar; the weight moves upwards.
  private static func glass(_ position: Float, _ harmonic: Int) -> Float {
    let root = Int(rt_sqrt(Float(harmonic)) + 0.5)
    if root * root != harmonic || root > 12 { return 0 }
    let away = Float(root) - 1 - 5 * position
    return (root == 1 ? 0.3 : 0) + rt_exp2(-0.5 * away * away)
  }

  /// Random amplitudes, which change to another set eight times over the range of positions.
  private static func random(_ position: Float, _ harmonic: Int) -> Float {
    let first = Int(position)
    func amplitude(_ set: Int) -> Float {
      let x = chance(UInt32(set * 1_024 + harmonic))
      return (harmonic == 1 ? 1 : x * x * x) / rt_sqrt(Float(harmonic)) * max(0, 1 - Float(harmonic) / 96)
    }
    let (one, two) = (amplitude(first), amplitude(first + 1))
    return one + (two - one) * (position - Float(first))
  }

  /// A harmonic with a phase that makes a wave of few peaks (M. Schroeder, "Synthesis of Low-Peak-Factor Signals", 1970).
  private static func chirped(_ amplitude: Float, _ harmonic: Int) -> (Float, Float) {
    let turns = harmonic * harmonic % (2 * WavetableLevels.mostHarmonics)
    let angle = Float.pi * Float(turns) / Float(WavetableLevels.mostHarmonics)
    return (amplitude * rt_sin(angle), amplitude * rt_cos(angle))
  }

  /// A harmonic with a random phase, which is the same in all frames.
  private static func turned(_ amplitude: Float, _ harmonic: Int) -> (Float, Float) {
    let angle = 2 * Float.pi * chance(UInt32(harmonic) &* 7_919)
    return (amplitude * rt_cos(angle), amplitude * rt_sin(angle))
  }

  /// A pseudorandom number in 0..<1.
  private static func chance(_ seed: UInt32) -> Float {
    Float(mixed(LaneWords(repeating: seed &+ 1))[0] >> 8) * 0x1p-24
  }
}
