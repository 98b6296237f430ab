import CRealtime
import Scenes

/// Wavetables that are sampled from a waveform.
enum WaveTables {
  /// The value of a wave at a position and a phase, both 0…1.
  static func wave(_ table: FactoryWavetable) -> (Float, Float) -> Float {
    switch table {
    case .fm11: modulated(carrier: 1, modulator: 1)
    case .fm12: modulated(carrier: 1, modulator: 2)
    case .fm23: modulated(carrier: 2, modulator: 3)
    case .fm17: modulated(carrier: 1, modulator: 7)
    case .feedback: { selfModulated($0 * 1.2, $1) }
    case .sync: { 2 * part($1 * (1 + 7 * $0)) - 1 }
    // A sine that starts anew with each period, under a Hann window.
    case .grain: { sine($1 * (1 + 15 * $0)) * (0.5 - 0.5 * sine($1 + 0.25)) }
    case .folded: { rt_sin(0.5 * Float.pi * (1 + 9 * $0) * sine($1)) }
    case .driven: { saturated((0.5 + 12 * $0 * $0) * (sine($1) + 0.3 * $0)) }
    case .chebyshev: { rt_cos((1 + 10 * $0) * arcCosine(0.9 * sine($1))) }
    case .bits: { stepped(sine($1), 1 + 7 * (1 - $0)) }
    case .glottal: { glottal($1, open: 1 - 0.7 * $0) }
    default: { _, _ in 0 }
    }
  }

  /// The sine of a phase in periods.
  static func sine(_ phase: Float) -> Float { rt_sin(2 * Float.pi * part(phase)) }

  private static func part(_ x: Float) -> Float { x - Float(Int(x)) }

  /// A sine whose phase is modulated by another sine, by up to 8 radians.
  private static func modulated(carrier: Float, modulator: Float) -> (Float, Float) -> Float {
    { sine(carrier * $1 + 8 * $0 * sine(modulator * $1) / (2 * Float.pi) + 4) }
  }

  /// A sine that modulates its own phase. Its value is found by bisection; it is unique up to an index of 1.
  private static func selfModulated(_ index: Float, _ phase: Float) -> Float {
    let index = min(index, 0.999)
    let centered = phase < 0.5 ? phase : phase - 1
    var (low, high) = (Float(-1), Float(1))
    for _ in 0..<24 {
      let middle = 0.5 * (low + high)
      if middle < rt_sin(2 * Float.pi * centered + index * middle) { low = middle } else { high = middle }
    }
    return 0.5 * (low + high)
  }

  private static func saturated(_ x: Float) -> Float {
    let e = rt_exp2(2 * 1.44269504 * max(-15, min(x, 15)))
    return (e - 1) / (e + 1)
  }

  /// The arc cosine of a number in ±1 (M. Abramowitz and I. Stegun, 4.4.46).
  private static func arcCosine(_ x: Float) -> Float {
    let a = x.magnitude
    var p: Float = -0.0012624911
    for factor: Float in [
      0.0066700901, -0.0170881256, 0.0308918810, -0.0501743046, 0.0889789874, -0.2145988016, 1.5707963050,
    ] {
      p = p * a + factor
    }
    let angle = rt_sqrt(max(0, 1 - a)) * p
    return x < 0 ? Float.pi - angle : angle
  }

  /// A value quantized to a number of bits, which may have a fraction.
  private static func stepped(_ x: Float, _ bits: Float) -> Float {
    let steps = rt_exp2(bits - 1)
    return (x * steps).rounded() / steps
  }

  /// The flow through the glottis (A. Rosenberg, "Effect of Glottal Pulse Shape on the Quality of Natural Vowels", 1971,
  /// pulse C). The glottis is open for the share `open` of the period.
  private static func glottal(_ phase: Float, open: Float) -> Float {
    let (rise, fall) = (open * 2 / 3, open / 3)
    if phase < rise { return 0.5 - 0.5 * rt_cos(Float.pi * phase / rise) }
    return phase < open ? rt_cos(0.5 * Float.pi * (phase - rise) / fall) : 0
  }
}
