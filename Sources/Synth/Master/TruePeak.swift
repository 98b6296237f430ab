import CRealtime

/// The largest magnitude of a stereo signal between its samples, four times as dense as they are: what a converter, or
/// whoever encodes a recording, will make of it (ITU-R BS.1770-4, annex 2).
///
/// Each place between two samples is a sum of the twelve before and the twelve behind it, with a Kaiser window on the sinc:
/// twice as many as the recommendation has, which reads noise near half the sample rate up to 5 dB too low.
/// Where as many samples in a row are so low that no such sum can reach the level that matters, nothing is computed.
struct TruePeak: ~Copyable {
  /// Samples that a place between them is made of.
  private static var taps: Int { @_noLocks get { 24 } }
  /// Frames that its answer is late: it is about the time from a sample to the next, and that sample came so many frames
  /// ago.
  static var delay: Int { @_noLocks get { 12 } }
  /// What the magnitudes of one place's factors add up to, at most: 2.66.
  private static var reach: Float { @_noLocks get { 2.67 } }

  // For each of the samples its factors at 1/4, 1/2 and 3/4 of the way and at the place itself, once for each side.
  private let factors: UnsafeMutablePointer<Lanes>
  // The frames of a round behind the last ones of the round before: the left sample four times, the right one as often.
  private let frames: UnsafeMutablePointer<Lanes>
  private let quiet: Float
  // Frames since one that was loud.
  private var since = TruePeak.taps

  /// - Parameter level: what is below it need not be known.
  init(level: Float) {
    quiet = level / Self.reach
    factors = .allocate(capacity: Self.taps)
    factors.initialize(repeating: .zero, count: Self.taps)
    frames = .allocate(capacity: Limits.lookAhead + Self.taps)
    frames.initialize(repeating: .zero, count: Limits.lookAhead + Self.taps)
    for quarter in 0..<4 {
      let raw = (0..<Self.taps).map {
        Self.factor(Double($0 - (Self.taps / 2 - 1)) - Double((quarter + 1) % 4) / 4)
      }
      // A constant stays as loud.
      let sum = raw.reduce(0, +)
      for tap in 0..<Self.taps {
        factors[tap][quarter] = Float(raw[tap] / sum)
        factors[tap][quarter + 4] = factors[tap][quarter]
      }
    }
  }

  deinit {
    factors.deallocate()
    frames.deallocate()
  }

  /// The factor of a sample that lies `x` samples from the place.
  private static func factor(_ x: Double) -> Double {
    let (half, beta) = (Double(taps / 2), 2.0)
    let sinc = x == 0 ? 1 : Double(rt_sin(Float(.pi * x))) / (.pi * x)
    return sinc * bessel(beta * max(0, 1 - x * x / (half * half)).squareRoot()) / bessel(beta)
  }

  /// The modified Bessel function of the first kind and order zero.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for k in 1..<30 {
      term *= (x / 2 / Double(k)) * (x / 2 / Double(k))
      sum += term
    }
    return sum
  }

  /// Takes the frame at a place of the round, 0..<`Limits.lookAhead`, and gives the largest magnitude from the sample
  /// before `delay` frames to the one after it; 0 where that does not reach the level.
  @_noLocks @inline(__always)
  mutating func take(_ l: Float, _ r: Float, at place: Int) -> Float {
    frames[place &+ Self.taps &- 1] = Lanes(
      lowHalf: SIMD4(repeating: l), highHalf: SIMD4(repeating: r))
    since = max(l.magnitude, r.magnitude) > quiet ? 0 : since &+ 1
    return since < Self.taps ? measure(UnsafePointer(frames) + place) : 0
  }

  @_noLocks @inline(__always)
  private func measure(_ x: UnsafePointer<Lanes>) -> Float {
    let factors = UnsafePointer(factors)
    var (even, odd) = (Lanes.zero, Lanes.zero)
    var tap = 0
    while tap < Self.taps {
      even = multiplyAdd(factors[tap], x[tap], even)
      odd = multiplyAdd(factors[tap &+ 1], x[tap &+ 1], odd)
      tap &+= 2
    }
    let peaks = magnitude(even + odd)
    let four = larger(peaks, Lanes(lowHalf: peaks.highHalf, highHalf: peaks.lowHalf))
    return max(max(four[0], four[1]), max(four[2], four[3]))
  }

  /// A round is over: its last samples come before those of the next.
  @_noLocks
  func turn() {
    var i = 0
    while i < Self.taps &- 1 {
      frames[i] = frames[Limits.lookAhead &+ i]
      i &+= 1
    }
  }
}
