/// A look-ahead limiter: what stays under the ceiling passes bit for bit, a millisecond late; what would not is
/// turned down before it comes.
///
/// The gain that each sample needs is held at its minimum over the look-ahead and averaged over the same time:
/// a ramp that is always down when the peak arrives. Both channels share it. The release is exponential.
struct Limiter: ~Copyable {
  /// Half a decibel under full scale: room for what happens between samples.
  private static var ceiling: Float { @_noLocks get { 0.944 } }
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  // Gains needed, and the held minima that are being averaged.
  private let needed: UnsafeMutablePointer<Float>
  private let held: UnsafeMutablePointer<Float>
  private var position = 0
  /// Samples since the last that needed turning down.
  private var quiet = Limits.lookAhead
  private var sum: Double
  private var gain: Float = 1
  private let release: Float

  init(rate: Double) {
    func line(_ value: Float) -> UnsafeMutablePointer<Float> {
      let line = UnsafeMutablePointer<Float>.allocate(capacity: Limits.lookAhead)
      line.initialize(repeating: value, count: Limits.lookAhead)
      return line
    }
    (left, right, needed, held) = (line(0), line(0), line(1), line(1))
    sum = Double(Limits.lookAhead)
    // 80 ms.
    release = Float(1 / (0.08 * rate))
  }

  deinit {
    left.deallocate()
    right.deallocate()
    needed.deallocate()
    held.deallocate()
  }

  /// Limits a chunk in place.
  @_noLocks
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var i = 0
    while i < frames {
      let peak = max(l[i].magnitude, r[i].magnitude)
      needed[position] = peak > Self.ceiling ? Self.ceiling / peak : 1
      quiet = peak > Self.ceiling ? 0 : quiet &+ 1
      let floor = quiet < Limits.lookAhead ? lowest() : 1
      gain = floor < gain ? floor : gain + (floor - gain) * release
      // Within 1e-5 of open is open, so that what needs no limiting passes untouched.
      if gain > 0.99999, floor == 1 { gain = 1 }
      sum += Double(gain) - Double(held[position])
      held[position] = gain
      let smooth = Float(sum / Double(Limits.lookAhead))
      let (x, y) = (left[position], right[position])
      (left[position], right[position]) = (l[i], r[i])
      l[i] = x * smooth
      r[i] = y * smooth
      position &+= 1
      if position == Limits.lookAhead { turn() }
      i &+= 1
    }
  }

  @_noLocks
  private func lowest() -> Float {
    var lowest = needed[0]
    var i = 1
    while i < Limits.lookAhead {
      lowest = min(lowest, needed[i])
      i &+= 1
    }
    return lowest
  }

  /// Once around: sums anew, so that rounding does not add up over days.
  @_noLocks
  private mutating func turn() {
    position = 0
    sum = 0
    var i = 0
    while i < Limits.lookAhead {
      sum += Double(held[i])
      i &+= 1
    }
  }
}
