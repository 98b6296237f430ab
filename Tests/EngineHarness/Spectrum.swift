import Glibc

/// The power spectrum of some samples under a 4-term Blackman-Harris window.
public struct Spectrum {
  /// The default number of samples.
  public static let size = 65_536
  /// The power by bin, from 0 to half the sample rate.
  public let power: [Double]
  /// The width of a bin in Hz.
  public let bin: Double

  /// The spectrum of the first `size` samples, a power of two of at most 65,536.
  public init(_ x: some Collection<Float>, size: Int = Spectrum.size, rate: Double = 48_000) {
    bin = rate / Double(size)
    var re = [Double](repeating: 0, count: size)
    var im = re
    for (i, sample) in x.prefix(size).enumerated() {
      let a: Double = 2 * Double.pi * Double(i) / Double(size)
      let odd: Double = 0.48829 * cos(a) + 0.01168 * cos(3 * a)
      let window: Double = 0.35875 + 0.14128 * cos(2 * a) - odd
      re[Int(UInt16(i).reversedBits) / (65_536 / size)] = Double(sample) * window
    }
    Spectrum.transform(&re, &im)
    power = zip(re, im).prefix(size / 2).map { re, im in re * re + im * im }
  }

  /// An in-place radix-2 transform of values in bit-reversed order.
  private static func transform(_ re: inout [Double], _ im: inout [Double]) {
    re.withUnsafeMutableBufferPointer { re in
      im.withUnsafeMutableBufferPointer { im in
        let size = re.count
        var half = 1
        while half < size {
          for k in 0..<half {
            let a = -Double.pi * Double(k) / Double(half)
            let (c, s) = (cos(a), sin(a))
            for i in stride(from: k, to: size, by: 2 * half) {
              let j = i + half
              let (tr, ti) = (re[j] * c - im[j] * s, re[j] * s + im[j] * c)
              (re[j], im[j]) = (re[i] - tr, im[i] - ti)
              (re[i], im[i]) = (re[i] + tr, im[i] + ti)
            }
          }
          half *= 2
        }
      }
    }
  }

  /// The power between two frequencies.
  public func power(from low: Double, to high: Double) -> Double {
    power[max(0, Int(low / bin))..<min(power.count, Int(high / bin) + 1)].reduce(0, +)
  }

  /// The frequency of the highest peak within half a semitone of `hertz`, interpolated between bins: a parabola
  /// through the logarithms of three bins is accurate to a thousandth of a bin.
  public func peak(near hertz: Double) -> Double {
    let reach = exp2(1.0 / 24)
    let bins = max(1, Int(hertz / reach / bin))...min(power.count - 2, Int(hertz * reach / bin) + 1)
    let top = bins.max { power[$0] < power[$1] } ?? bins.lowerBound
    let (below, at, above) = (log(power[top - 1]), log(power[top]), log(power[top + 1]))
    return (Double(top) + 0.5 * (below - above) / (below - 2 * at + above)) * bin
  }

  /// Alias-to-signal ratio in decibels: the power between 40 Hz and `top` outside the harmonics of `hertz`, relative to
  /// the power of the harmonics. What is within `reach` of a harmonic belongs to it; nil is six bins.
  public func aliasing(of hertz: Double, to top: Double = 18_000, reach: Double? = nil) -> Double {
    let powers = powers(of: hertz, to: top, reach: reach)
    return 10 * log10(powers.beside / powers.harmonics)
  }

  /// The power of the harmonics of `hertz` and that of everything else, as `aliasing` compares them.
  public func powers(of hertz: Double, to top: Double = 18_000, reach: Double? = nil)
    -> (harmonics: Double, beside: Double)
  {
    var (signal, alias) = (0.0, 0.0)
    let bins = reach.map { $0 / bin } ?? 6
    for k in Int(40 / bin)..<Int(top / bin) {
      let nearest = max(1, (Double(k) * bin / hertz).rounded()) * hertz / bin
      if abs(Double(k) - nearest) <= bins { signal += power[k] } else { alias += power[k] }
    }
    return (signal, alias)
  }
}

extension UInt16 {
  fileprivate var reversedBits: UInt16 {
    var (x, y) = (self, UInt16(0))
    for _ in 0..<16 { (x, y) = (x >> 1, y << 1 | x & 1) }
    return y
  }
}
