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
  // Gains needed: of this time around up to here, and of the last time the least from each place to its
  // end, with nothing behind it. The
  // two hold the minimum over the look-ahead (van Herk, 1992): no search.
  private let needed: UnsafeMutablePointer<Float>
  private let leastToEnd: UnsafeMutablePointer<Float>
  private var leastUpToHere: Float = 1
  // The held minima that are being averaged.
  private let held: UnsafeMutablePointer<Float>
  private var position = 0
  private var sum: Double
  private var gain: Float = 1
  private let release: Float

  init(rate: Double) {
    func line(_ value: Float) -> UnsafeMutablePointer<Float> {
      let line = UnsafeMutablePointer<Float>.allocate(capacity: Limits.lookAhead + 1)
      line.initialize(repeating: value, count: Limits.lookAhead + 1)
      return line
    }
    (left, right, needed, leastToEnd, held) = (line(0), line(0), line(1), line(1), line(1))
    sum = Double(Limits.lookAhead)
    // 80 ms.
    release = Float(1 / (0.08 * rate))
  }

  deinit {
    left.deallocate()
    right.deallocate()
    needed.deallocate()
    leastToEnd.deallocate()
    held.deallocate()
  }

  /// Limits a run of frames in place.
  @_noLocks
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var done = 0
    while done < frames {
      let count = min(frames &- done, Limits.lookAhead &- position)
      limit(l + done, r + done, frames: count)
      done &+= count
      if position == Limits.lookAhead { turn() }
    }
  }

  /// Limits frames that do not go once around.
  @_noLocks @inline(__always)
  private mutating func limit(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var (gain, sum, least) = (gain, sum, leastUpToHere)
    let mean = 1 / Double(Limits.lookAhead)
    var place = position
    var i = 0
    while i < frames {
      let peak = max(l[i].magnitude, r[i].magnitude)
      let need = peak > Self.ceiling ? Self.ceiling / peak : 1
      needed[place] = need
      least = min(least, need)
      let floor = min(least, leastToEnd[place &+ 1])
      gain = floor < gain ? floor : gain + (floor - gain) * release
      // Within 1e-5 of open is open, so that what needs no limiting passes untouched.
      if gain > 0.99999, floor == 1 { gain = 1 }
      sum += Double(gain) - Double(held[place])
      held[place] = gain
      let smooth = Float(sum * mean)
      let (x, y) = (left[place], right[place])
      (left[place], right[place]) = (l[i], r[i])
      l[i] = x * smooth
      r[i] = y * smooth
      place &+= 1
      i &+= 1
    }
    (self.gain, self.sum, leastUpToHere, position) = (gain, sum, least, place)
  }

  /// Once around: sums anew, so that rounding does not add up over days.
  @_noLocks
  private mutating func turn() {
    position = 0
    sum = 0
    leastUpToHere = 1
    var least: Float = 1
    var i = Limits.lookAhead
    while i > 0 {
      i &-= 1
      least = min(least, needed[i])
      leastToEnd[i] = least
      sum += Double(held[i])
    }
  }
}
