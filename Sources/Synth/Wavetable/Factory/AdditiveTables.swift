import CRealtime
import Scenes

/// Wavetables that are sums of harmonics, all in sine phase.
enum AdditiveTables {
  /// The amplitude of a harmonic at a position 0…1.
  static func sine(_ table: FactoryWavetable, _ position: Float, _ harmonic: Int) -> Float {
    let h = Float(harmonic)
    switch table {
    case .basic: return basic(position * 3, harmonic)
    case .cutoff: return max(0, min(1, rt_exp2(9 * position) + 1 - h)) / h
    case .parity: return harmonic == 1 ? 1 : (harmonic % 2 == 0 ? position : 1 - position) / h
    case .comb: return (0.5 + 0.5 * rt_cos(2 * Float.pi * (h - 1) / (2 + 14 * position))) / h
    case .primes:
      let reach = rt_exp2(1 + 8 * position)
      return isPrime(harmonic) || harmonic == 1 ? power(h, -0.5) * max(0, min(1, reach + 1 - h)) : 0
    case .drawbars: return drawbar(position, harmonic)
    case .hollow:
      let dip = 1 - 0.95 * position * rt_exp2(-0.3 * (h - 5) * (h - 5) / (1 + h))
      return harmonic % 2 == 0 ? 0 : dip / h
    default: return 0
    }
  }

  /// Sine, triangle, saw and square at 0, 1, 2 and 3, all with a peak of about 1.
  private static func basic(_ position: Float, _ harmonic: Int) -> Float {
    let (h, isOdd) = (Float(harmonic), harmonic % 2 == 1)
    let alternating: Float = harmonic % 4 == 1 ? 1 : -1
    let waves: [Float] = [
      harmonic == 1 ? 1 : 0, isOdd ? alternating * 0.810569 / (h * h) : 0,
      (isOdd ? 1 : -1) * 0.636620 / h, isOdd ? 1.273240 / h : 0,
    ]
    let first = min(Int(position), 2)
    return waves[first] + (waves[first + 1] - waves[first]) * (position - Float(first))
  }

  /// The amplitude of a harmonic of a drawbar organ, counted from the 16' drawbar. The drawbars enter one after the
  /// other.
  private static func drawbar(_ position: Float, _ harmonic: Int) -> Float {
    let bars = [1, 2, 3, 4, 6, 8, 10, 12, 16]
    guard let bar = bars.firstIndex(of: harmonic) else { return 0 }
    return max(0, min(1, position * 8 + 1 - Float(bar)))
  }

  private static func isPrime(_ number: Int) -> Bool {
    if number < 2 { return false }
    var divisor = 2
    while divisor * divisor <= number {
      if number % divisor == 0 { return false }
      divisor += 1
    }
    return true
  }

  /// `x`, above 0, to a power.
  static func power(_ x: Float, _ exponent: Float) -> Float { rt_exp2(exponent * rt_log2(x)) }
}

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
  static func chirped(_ amplitude: Float, _ harmonic: Int) -> (Float, Float) {
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
