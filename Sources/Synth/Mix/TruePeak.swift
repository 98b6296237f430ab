import CRealtime
import Scenes

/// Measures true peaks: the largest magnitude of a stereo signal between its samples, at four times the sample rate. A
/// converter or an encoder reproduces these peaks (ITU-R BS.1770-4, annex 2).
///
/// Each position between samples is a weighted sum of the twelve samples before and the twelve after it, a sinc with a
/// Kaiser window. The recommendation uses half as many, which measures noise near half the sample rate up to 5 dB too
/// low. Nothing is computed where the samples are so low that no such sum can reach the level of interest.
struct TruePeak: ~Copyable {
  /// Samples that contribute to a position between samples.
  private static var taps: Int { @_noLocks get { 24 } }
  /// Latency of the result in frames: it covers the time from one sample to the next, and that sample came this many
  /// frames ago.
  static var delay: Int { @_noLocks get { 12 } }
  /// The largest sum of the magnitudes of a position's coefficients: 2.66, with a margin.
  private static var reach: Float { @_noLocks get { 2.67 } }
  /// Frames that are measured together.
  private static var width: Int { @_noLocks get { Limits.lanesPerGroup } }

  // Coefficients of pairs of samples, the outermost first: for the middle between two samples, and half of the sum and
  // half of the difference for the quarter positions, which mirror each other.
  private let factors: UnsafeMutablePointer<Factors>
  // The frames of a round, after the last ones of the round before, with space for one measurement that begins at its
  // end.
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  private let quiet: Float

  /// - Parameter level: Peaks below this level need not be measured.
  init(level: Float) {
    quiet = level / Self.reach
    factors = .allocate(capacity: Self.taps / 2)
    let (middle, quarter) = (Self.factors(at: 0.5), Self.factors(at: 0.25))
    for pair in 0..<Self.taps / 2 {
      let (one, other) = (quarter[pair], quarter[Self.taps - 1 - pair])
      (factors + pair).initialize(
        to: Factors(
          middle: SIMD4(repeating: Float(middle[pair])), sum: SIMD4(repeating: Float((one + other) / 2)),
          difference: SIMD4(repeating: Float((one - other) / 2))))
    }
    let size = Limits.lookAhead + Self.taps + Self.width
    (left, right) = (.allocate(capacity: size), .allocate(capacity: size))
    left.initialize(repeating: 0, count: size)
    right.initialize(repeating: 0, count: size)
  }

  deinit {
    factors.deallocate()
    left.deallocate()
    right.deallocate()
  }

  /// Coefficients of a pair of samples, each four times.
  private struct Factors {
    var middle: SIMD4<Float>
    var sum: SIMD4<Float>
    var difference: SIMD4<Float>
  }

  /// Coefficients of the samples for a position between two samples, the oldest first. A constant keeps its level.
  private static func factors(at position: Double) -> [Double] {
    let raw = (0..<taps).map { factor(Double($0 - (delay - 1)) - position) }
    let sum = raw.reduce(0, +)
    return raw.map { $0 / sum }
  }

  /// The coefficient of a sample at a distance of `x` samples.
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

  /// Measures frames at a position of the round, 0..<`Limits.lookAhead`, which must not extend beyond its end. For each
  /// frame it writes the largest magnitude from the sample `delay` frames before to the next one, or 0 if the level
  /// cannot be reached. Up to a vector of numbers more are written to `peaks`.
  @_noLocks
  func take(
    _ l: UnsafePointer<Float>, _ r: UnsafePointer<Float>, frames: Int, at index: Int,
    peaks: UnsafeMutablePointer<Float>
  ) {
    let newest = index &+ Self.taps &- 1
    Self.copy(l, to: left + newest, frames)
    Self.copy(r, to: right + newest, frames)
    var done = 0
    while done < frames {
      let (x, y) = (UnsafePointer(left) + (index &+ done), UnsafePointer(right) + (index &+ done))
      var loudest = Lanes.zero
      if isLoud(x, y) { loudest = larger(measure(x), measure(y)) }
      (peaks + done).eight = loudest
      done &+= Self.width
    }
  }

  /// Whether any sample in reach is loud enough for a position between samples to reach the level.
  @_noLocks @inline(__always)
  private func isLoud(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>) -> Bool {
    var loudest = Lanes.zero
    var tap = 0
    while tap < Self.taps &+ Self.width {
      loudest = larger(larger(magnitude((x + tap).eight), magnitude((y + tap).eight)), loudest)
      tap &+= Self.width
    }
    return sum(larger(loudest - quiet, Lanes.zero)) > 0
  }

  /// The largest magnitudes of one side, by frame.
  @_noLocks @inline(__always)
  private func measure(_ x: UnsafePointer<Float>) -> Lanes {
    var (middle, sum, difference) = (Lanes.zero, Lanes.zero, Lanes.zero)
    var pair = 0
    while pair < Self.taps / 2 {
      let (one, other) = ((x + pair).eight, (x + (Self.taps &- 1 &- pair)).eight)
      let (both, change) = (one + other, one - other)
      let factors = factors + pair
      middle = multiplyAdd(Self.lanes(factors.pointee.middle), both, middle)
      sum = multiplyAdd(Self.lanes(factors.pointee.sum), both, sum)
      difference = multiplyAdd(Self.lanes(factors.pointee.difference), change, difference)
      pair &+= 1
    }
    let here = magnitude((x + (Self.delay &- 1)).eight)
    let quarters = larger(magnitude(sum + difference), magnitude(sum - difference))
    return larger(quarters, larger(magnitude(middle), here))
  }

  @_noLocks @inline(__always)
  private static func lanes(_ four: SIMD4<Float>) -> Lanes { Lanes(lowHalf: four, highHalf: four) }

  /// Clears the history.
  @_noLocks
  func reset() {
    left.update(repeating: 0, count: Self.taps)
    right.update(repeating: 0, count: Self.taps)
  }

  /// Ends a round: its last samples precede those of the next round.
  @_noLocks
  func turn() {
    Self.copy(UnsafePointer(left) + Limits.lookAhead, to: left, Self.taps &- 1)
    Self.copy(UnsafePointer(right) + Limits.lookAhead, to: right, Self.taps &- 1)
  }

  @_noLocks @inline(__always)
  private static func copy(_ from: UnsafePointer<Float>, to: UnsafeMutablePointer<Float>, _ count: Int) {
    var i = 0
    while i < count {
      to[i] = from[i]
      i &+= 1
    }
  }
}
