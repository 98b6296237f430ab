import CRealtime

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
