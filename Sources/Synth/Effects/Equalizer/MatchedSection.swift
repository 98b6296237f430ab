import CRealtime

/// Coefficients of a state-variable filter for a bell or a shelf whose response matches its analogue model up to the
/// limit of hearing.
///
/// The poles are found by impulse invariance. The zeros match the magnitude of the model at 0 and at two more
/// frequencies (after M. Vicanek, "Matched Second Order Digital Filters", 2016; he uses the centre frequency and half
/// the sample rate, which gives an error of 2.7 dB for a bell of 18 dB at 20 kHz, where the frequencies here give 0.3
/// dB). Of a boost and a cut of equal size, only the one with the lower poles is matched, and the other is its inverse.
///
/// In double precision, because the result depends on small distances between poles and zeros that nearly coincide.
enum MatchedSection {
  /// Coefficients, in the order of the loop of `FiveBandSection`: c1, c2, 2g, m0, m1, m2.
  typealias Coefficients = SIMD8<Double>

  /// Coefficients that pass the sound unchanged.
  static var neutral: Coefficients { @_noLocks get { SIMD8(0, 0, 0, 1, 0, 0, 0, 0) } }

  /// The analogue model: squared magnitudes of numerator and denominator, each `n0 + n1 s² + n2 s⁴` for a frequency of
  /// s times the section's, and frequency and damping of the poles.
  struct Model {
    var above = SIMD4<Double>.zero
    var below = SIMD4<Double>.zero
    var pole = 1.0
    var damping = 1.0

    /// The squared magnitude at `s` times the section's frequency.
    @_noLocks
    func power(_ s: Double) -> Double {
      let q = s * s
      return (above.x + q * (above.y + q * above.z)) / (below.x + q * (below.y + q * below.z))
    }

    /// The model (a0 + a1 s + a2 s²) / (b0 + b1 s + b2 s²).
    @_noLocks
    init(_ a0: Double, _ a1: Double, _ a2: Double, over b0: Double, _ b1: Double, _ b2: Double) {
      above = SIMD4(a0 * a0, a1 * a1 - 2 * a0 * a2, a2 * a2, 0)
      below = SIMD4(b0 * b0, b1 * b1 - 2 * b0 * b2, b2 * b2, 0)
      pole = MatchedSection.root(b0 / b2)
      damping = b1 / (2 * MatchedSection.root(b0 * b2))
    }
  }

  /// A bell at `hertz`. All models are those of the Audio EQ Cookbook (R. Bristow-Johnson).
  @_noLocks
  static func bell(hertz: Double, decibels: Double, q: Double, rate: Double) -> Coefficients {
    let a = rt_exp2_64(decibels.magnitude * 0.0830482023721841)
    return match(
      Model(1, a / q, 1, over: 1, 1 / (a * q), 1), hertz: hertz, rate: rate, inverse: decibels < 0)
  }

  /// A shelf below `hertz`.
  @_noLocks
  static func lowShelf(hertz: Double, decibels: Double, rate: Double) -> Coefficients {
    let a = rt_exp2_64(decibels.magnitude * 0.0830482023721841)
    let b = root(2 * a)
    return match(
      Model(a * a, a * b, a, over: 1, b, a), hertz: hertz, rate: rate, inverse: decibels < 0)
  }

  /// A shelf above `hertz`.
  @_noLocks
  static func highShelf(hertz: Double, decibels: Double, rate: Double) -> Coefficients {
    let a = rt_exp2_64(-decibels.magnitude * 0.0830482023721841)
    let b = root(2 * a)
    return match(
      Model(a, a * b, a * a, over: a, b, 1), hertz: hertz, rate: rate, inverse: decibels > 0)
  }

  /// The section that matches the magnitude of a model or of its inverse.
  @_noLocks
  private static func match(_ model: Model, hertz: Double, rate: Double, inverse: Bool) -> Coefficients {
    let hertz = min(hertz, 0.48 * rate)
    let angle = 2 * Double.pi * hertz / rate
    // 1 + a1 + a2, 1 - a1 + a2 and a2 of the denominator.
    let poles = self.poles(angle: angle * model.pole, damping: model.damping)
    let a2 = poles.z
    let (low, high, middle) = (poles.x * poles.x, poles.y * poles.y, -4 * a2)
    // The numerator's power at 0 is known; the other two terms follow from the two matched frequencies.
    let second = max(0.3958 * rate, min(19_000, 0.43 * rate))
    let first = min(0.6 * hertz, 0.8 * second)
    let (p, q) = (basis(first / rate), basis(second / rate))
    let b0 = low * model.power(0)
    let u = model.power(first / hertz) * (low * p.x + high * p.y + middle * p.z) - b0 * p.x
    let v = model.power(second / hertz) * (low * q.x + high * q.y + middle * q.z) - b0 * q.x
    let determinant = 1 / (p.y * q.z - p.z * q.y)
    let b1 = max(1e-9 * high, (u * q.z - p.z * v) * determinant)
    let b2 = (p.y * v - u * q.y) * determinant
    let (even, odd) = (root(b0), root(b1))
    let half = 0.5 * (even + odd)
    let z0 = 0.5 * (half + root(max(0, half * half + b2)))
    // b0 + b1 + b2, b0 - b1 + b2 and b2 of the numerator.
    let zeros = SIMD4(even, odd, -b2 / (4 * z0), z0)
    let whole = SIMD4(poles.x, poles.y, a2, 1)
    return inverse ? section(whole, over: zeros) : section(zeros, over: whole)
  }

  /// 1 + a1 + a2, 1 - a1 + a2 and a2 of poles with the decay and the frequency of the model's.
  @_noLocks
  private static func poles(angle: Double, damping: Double) -> SIMD4<Double> {
    let r = exp(-damping * angle)
    let turn = 1 - damping * damping
    if turn >= 0 {
      // Computed from the tangent of half the angle, so that few bits are lost at small angles.
      let t = rt_tan64(0.5 * min(root(turn) * angle, 3.1))
      let less = 2 * t * t / (1 + t * t)
      return SIMD4((1 - r) * (1 - r) + 2 * r * less, (1 + r) * (1 + r) - 2 * r * less, r * r, 0)
    }
    let spread = root(-turn) * angle
    let (one, other) = (exp(spread - damping * angle), exp(-spread - damping * angle))
    return SIMD4((1 - one) * (1 - other), (1 + one) * (1 + other), one * other, 0)
  }

  /// The basis functions of a numerator's or denominator's power at a frequency, given as a fraction of the sample
  /// rate.
  @_noLocks
  private static func basis(_ frequency: Double) -> SIMD4<Double> {
    let t = rt_tan64(Double.pi * frequency)
    let odd = t * t / (1 + t * t)
    return SIMD4(1 - odd, odd, 4 * odd * (1 - odd), 0)
  }

  /// The state-variable filter with the given numerator and denominator; each vector holds the sum, the alternating
  /// sum, the last and the first coefficient.
  @_noLocks
  private static func section(_ zeros: SIMD4<Double>, over poles: SIMD4<Double>) -> Coefficients {
    let unit = 1 / poles.w
    let (sum, other, last) = (poles.x * unit, poles.y * unit, poles.z * unit)
    let g = root(sum / other)
    // 1 + g k + g²
    let whole = 4 / other
    let (m0, bottom) = (zeros.y / poles.y, zeros.x / poles.x)
    let m1 = ((zeros.w - zeros.z) * unit - m0 * (1 - last)) * whole / (2 * g)
    let m2 = bottom - m0
    return SIMD8(1 / whole, g / whole, 2 * g, m0, m1 + m2 * g, m2, 0, 0)
  }

  @_noLocks
  private static func exp(_ x: Double) -> Double { rt_exp2_64(x * 1.4426950408889634) }

  /// The square root, by one Newton step from the square root in single precision.
  @_noLocks
  static func root(_ x: Double) -> Double {
    if x < 1e-30 { return 0 }
    let y = Double(rt_sqrt(Float(x)))
    return 0.5 * (y + x / y)
  }
}
