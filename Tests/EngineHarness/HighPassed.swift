import Glibc

extension [Float] {
  /// The samples after a linear-phase high-pass filter of 1,023 taps (sinc under a 4-term Blackman-Harris window),
  /// which attenuates components 300 Hz below the cutoff to -100 dB at 48 kHz. As many samples.
  public func highPassed(above hertz: Double, rate: Double = 48_000) -> [Float] {
    let reach = 511
    let taps: [Float] = (-reach...reach).map { tap in
      let a: Double = Double.pi * Double(tap + reach + 1) / Double(reach + 1)
      let odd: Double = 0.48829 * cos(a) + 0.01168 * cos(3 * a)
      let window: Double = 0.35875 + 0.14128 * cos(2 * a) - odd
      let x: Double = 2 * hertz / rate
      let sinc: Double = tap == 0 ? x : sin(Double.pi * x * Double(tap)) / (Double.pi * Double(tap))
      return Float((tap == 0 ? 1 : 0) - sinc * window)
    }
    let padded = [Float](repeating: 0, count: reach) + self + [Float](repeating: 0, count: reach)
    return padded.withUnsafeBufferPointer { x in
      taps.withUnsafeBufferPointer { taps in
        indices.map { i in
          var sum: Float = 0
          for tap in 0..<taps.count { sum += x[i + tap] * taps[tap] }
          return sum
        }
      }
    }
  }
}
