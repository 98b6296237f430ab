import CRealtime

/// A fast Fourier transform of complex numbers (J. Cooley and J. Tukey, 1965): radix 2, decimation in time. The
/// number of points is a power of two. Not on the audio thread.
struct FourierTransform {
  /// The number of points.
  let count: Int
  // Cosines and sines of the first half of a period.
  private let cosines: [Float]
  private let sines: [Float]
  private let reversed: [Int]

  /// A transform of 2 to the power of `bits` points.
  init(bits: Int) {
    let count = 1 << bits
    self.count = count
    let angles = (0..<count / 2).map { Float($0) / Float(count) * 2 * Float.pi }
    cosines = angles.map { rt_cos($0) }
    sines = angles.map { rt_sin($0) }
    var reversed = [Int](repeating: 0, count: count)
    for index in 1..<count { reversed[index] = reversed[index >> 1] >> 1 | (index & 1) << (bits - 1) }
    self.reversed = reversed
  }

  /// Replaces the points by the sums of `x[n]·e^(sign·2πikn/count)` over n, without a factor: `sign` is -1 for the
  /// spectrum of samples, and 1 for the samples of a spectrum.
  func transform(_ real: inout [Float], _ imaginary: inout [Float], sign: Float) {
    precondition(real.count == count && imaginary.count == count)
    for (index, other) in reversed.enumerated() where index < other {
      real.swapAt(index, other)
      imaginary.swapAt(index, other)
    }
    real.withUnsafeMutableBufferPointer { real in
      imaginary.withUnsafeMutableBufferPointer { imaginary in butterflies(real, imaginary, sign) }
    }
  }

  private func butterflies(
    _ real: UnsafeMutableBufferPointer<Float>, _ imaginary: UnsafeMutableBufferPointer<Float>, _ sign: Float
  ) {
    var half = 1
    while half < count {
      let step = count / (2 * half)
      var first = 0
      while first < count {
        for index in 0..<half {
          let (c, s) = (cosines[index * step], sign * sines[index * step])
          let (one, two) = (first + index, first + index + half)
          let (x, y) = (real[two] * c - imaginary[two] * s, real[two] * s + imaginary[two] * c)
          (real[two], imaginary[two]) = (real[one] - x, imaginary[one] - y)
          real[one] += x
          imaginary[one] += y
        }
        first += 2 * half
      }
      half *= 2
    }
  }
}
