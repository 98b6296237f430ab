import CRealtime

/// The crossover of a rotary speaker (Linkwitz-Riley): a low-pass for the drum and a high-pass for the horn. Each
/// consists of two equal second-order sections, and both add up to an all-pass (S. H. Linkwitz, "Active crossover
/// networks for noncoincident drivers", JAES 24, 1976).
///
/// As in `ChorusFilter`, all four sections form one vector, and the second ones use the output of the sample before.
struct RotaryCrossover {
  // Low-pass and high-pass of the first section, low-pass and high-pass of the second.
  private var first = Quad.zero
  private var second = Quad.zero
  private var passed = Quad.zero
  private let gain: Quad
  private let a1: Quad
  private let a2: Quad

  /// The frequency in hertz at which both are at -6 dB.
  static let hertz = 800.0

  /// A crossover at rest for a sample rate.
  init(rate: Double) {
    let g = rt_tan64(Double.pi * Self.hertz / rate)
    let a0 = 1 + g * (g + 1.4142135623730951)
    let (low, high) = (Float(g * g / a0), Float(1 / a0))
    gain = Quad(low, high, low, high)
    a1 = Quad(repeating: Float((2 * g * g - 2) / a0))
    a2 = Quad(repeating: Float((1 + g * (g - 1.4142135623730951)) / a0))
  }

  /// Splits the mean of both sides: the drum's and the horn's samples, interleaved.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s1, s2, y) = (first, second, passed)
    let (gain, a1, a2, twice) = (gain, a1, a2, rt_opaque(Quad(2, -2, 2, -2)))
    var i = 0
    while i < frames {
      let mean = 0.5 * (left[i] + right[i])
      let x = rt_opaque(Quad(lowHalf: SIMD2(mean, mean), highHalf: y.lowHalf)) * gain
      y = s1 + x
      s1 = (s2 + x * twice) - a1 * y
      s2 = x - a2 * y
      UnsafeMutableRawPointer(pairs + 2 &* i).storeBytes(of: y.highHalf, as: SIMD2<Float>.self)
      i &+= 1
    }
    (first, second, passed) = (s1, s2, y)
  }

  /// Clears the state.
  @_noLocks
  mutating func reset() { (first, second, passed) = (.zero, .zero, .zero) }
}
