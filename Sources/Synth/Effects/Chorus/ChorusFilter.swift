import CRealtime

/// The low-pass around the bucket brigades of a chorus: four poles, maximally flat (Butterworth, 1930), stereo.
///
/// Both sections of both sides form one vector. The second section uses the first one's output of the sample before, so
/// the two do not wait for each other; the extra delay of one sample is negligible beside the chorus delay.
struct ChorusFilter {
  // Left and right of the first section, left and right of the second.
  private var first = SIMD4<Float>.zero
  private var second = SIMD4<Float>.zero
  private var passed = SIMD4<Float>.zero
  private let gain: SIMD4<Float>
  private let a1: SIMD4<Float>
  private let a2: SIMD4<Float>

  /// Frequency in hertz where the response is -3 dB, except at low sample rates.
  private static let cutoff = 10_000.0

  /// A filter at rest for a sample rate.
  init(rate: Double) {
    let g = rt_tan64(Double.pi * min(Self.cutoff / rate, 0.42))
    // The dampings of the two pairs of poles: 2 cos(pi/8), 2 cos(3 pi/8).
    let k = SIMD2(1.8477590650225735, 0.7653668647301796)
    let a0 = 1 + g * (k + g)
    let (b, c1, c2) = (g * g / a0, (2 * g * g - 2) / a0, (1 - g * (k - g)) / a0)
    gain = SIMD4(Float(b.x), Float(b.x), Float(b.y), Float(b.y))
    a1 = SIMD4(Float(c1.x), Float(c1.x), Float(c1.y), Float(c1.y))
    a2 = SIMD4(Float(c2.x), Float(c2.x), Float(c2.y), Float(c2.y))
  }

  /// Filters some frames into interleaved left and right samples, in the second transposed direct form, which suits
  /// constant coefficients.
  @_noLocks @inline(__always)
  mutating func process(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, frames: Int,
    _ pairs: UnsafeMutablePointer<Float>
  ) {
    var (s1, s2, y) = (first, second, passed)
    let (gain, a1, a2) = (gain, a1, a2)
    var i = 0
    while i < frames {
      // Opaque; otherwise the compilers split the vector into halves.
      let x = rt_opaque(SIMD4<Float>(lowHalf: SIMD2(left[i], right[i]), highHalf: y.lowHalf)) * gain
      y = s1 + x
      s1 = (s2 + (x + x)) - a1 * y
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
