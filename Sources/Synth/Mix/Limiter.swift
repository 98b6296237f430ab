import Scenes

/// A look-ahead true-peak limiter. Samples under the ceiling pass bit for bit, a millisecond late; peaks above it,
/// including those between samples, are attenuated in advance.
///
/// The minimum of the required gains is held over the look-ahead and averaged, which gives a ramp that always ends in
/// time for the peak. Both channels share the gain. It is the product of two stages that recover: a fast one for
/// single peaks, and a slow one that follows the minimum of the last 26 ms. The slow stage is therefore constant
/// under a sound that is too loud all the time, which avoids distortion of low notes and pumping.
struct Limiter: ~Copyable {
  /// 0.6 dB under full scale: headroom for peaks that a fourfold oversampled measurement misses, up to 0.3 dB for white
  /// noise.
  private static var ceiling: Float { @_noLocks get { 0.93 } }
  /// Number of gains that are averaged: the look-ahead, less the latency of the detector.
  private static var averaged: Int { @_noLocks get { Limits.lookAhead &- TruePeak.delay } }
  private let left: UnsafeMutablePointer<Float>
  private let right: UnsafeMutablePointer<Float>
  // The gains required in this round of the buffer, up to the current position; and the minimum of the last round's
  // from each position to its end, followed by 1. Both together give the minimum over the look-ahead without a search
  // (van Herk, 1992).
  private let needed: UnsafeMutablePointer<Float>
  private let leastToEnd: UnsafeMutablePointer<Float>
  private var leastUpToHere: Float = 1
  // The held minima that are averaged.
  private let held: UnsafeMutablePointer<Float>
  private var position = 0
  private var sum: Double
  private let detector: TruePeak
  // The detector's peaks for the current frames.
  private let peaks: UnsafeMutablePointer<Float>
  // The fast and the slow stage, and the target of the slow one: in double precision, because the end of their approach
  // would be lost in single precision.
  private var fast = 1.0
  private var slow = 1.0
  private var goal = 1.0
  private let fastRelease: Double
  private let slowRelease: Double
  private let slowAttack: Double
  // The minimum gain required in each of the last rounds.
  private let least: UnsafeMutablePointer<Float>
  private let rounds: Int
  private var round = 0
  // The lowest gain since the last call of `takeLowestGain`.
  private var lowest: Float = 1

  init(rate: Double) {
    func line(_ value: Float) -> UnsafeMutablePointer<Float> {
      // One element more, and for the peaks a whole vector.
      let count = Limits.lookAhead + Limits.lanesPerGroup
      let line = UnsafeMutablePointer<Float>.allocate(capacity: count)
      line.initialize(repeating: value, count: count)
      return line
    }
    (left, right, needed, leastToEnd, held) = (line(0), line(0), line(1), line(1), line(1))
    peaks = line(0)
    sum = Double(Self.averaged)
    detector = TruePeak(level: Self.ceiling)
    fastRelease = 1 / (0.03 * rate)
    slowRelease = 1 / (0.3 * rate)
    slowAttack = 1 / (0.05 * rate)
    // Half a period of 20 Hz and a little more.
    rounds = Int((0.026 * rate / Double(Limits.lookAhead)).rounded(.up))
    least = .allocate(capacity: rounds)
    least.initialize(repeating: 1, count: rounds)
  }

  deinit {
    left.deallocate()
    right.deallocate()
    needed.deallocate()
    leastToEnd.deallocate()
    held.deallocate()
    peaks.deallocate()
    least.deallocate()
  }

  /// Clears the buffers and gains.
  @_noLocks
  mutating func reset() {
    var i = 0
    while i <= Limits.lookAhead {
      (left[i], right[i]) = (0, 0)
      (needed[i], leastToEnd[i], held[i]) = (1, 1, 1)
      i &+= 1
    }
    i = 0
    while i < rounds {
      least[i] = 1
      i &+= 1
    }
    detector.reset()
    (leastUpToHere, fast, slow, goal) = (1, 1, 1, 1)
    (sum, position, round) = (Double(Self.averaged), 0, 0)
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

  /// Limits frames up to the end of the round at most.
  @_noLocks @inline(__always)
  private mutating func limit(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var (fast, slow, sum, least) = (fast, slow, sum, leastUpToHere)
    let mean = 1 / Double(Self.averaged)
    var index = position
    detector.take(l, r, frames: frames, at: index, peaks: peaks)
    var i = 0
    while i < frames {
      let need = peaks[i] > Self.ceiling ? Self.ceiling / peaks[i] : 1
      needed[index] = need
      least = min(least, need)
      let floor = Double(min(least, leastToEnd[index &+ 1]))
      if goal < slow {
        // The fast stage recovers by as much as the slow one takes over.
        let before = slow
        slow += (goal - slow) * slowAttack
        fast = min(fast * before / slow, 1)
      } else {
        slow += (goal - slow) * slowRelease
      }
      // Gains within 1e-5 of 1 become 1, so that sound that needs no limiting passes unchanged.
      if slow > 0.99999, goal == 1 { slow = 1 }
      let rest = floor < slow ? floor / slow : 1
      fast = rest < fast ? rest : fast + (rest - fast) * fastRelease
      if fast > 0.99999, rest == 1 { fast = 1 }
      let ended = index &+ TruePeak.delay
      let gain = Float(fast * slow)
      sum += Double(gain) - Double(held[ended < Limits.lookAhead ? ended : ended &- Limits.lookAhead])
      held[index] = gain
      let smooth = Float(sum * mean)
      let (x, y) = (left[index], right[index])
      (left[index], right[index]) = (l[i], r[i])
      l[i] = x * smooth
      r[i] = y * smooth
      index &+= 1
      i &+= 1
    }
    (self.fast, self.slow, self.sum, leastUpToHere, position) = (fast, slow, sum, least, index)
  }

  /// The lowest gain since the last call, up to the end of the last round: 1 when nothing was attenuated.
  @_noLocks
  mutating func takeLowestGain() -> Float {
    let gain = lowest
    lowest = 1
    return gain
  }

  /// Ends a round of the buffer.
  @_noLocks
  private mutating func turn() {
    position = 0
    detector.turn()
    least[round] = leastUpToHere
    round = round &+ 1 < rounds ? round &+ 1 : 0
    if round == 0 { sumAnew() }
    goal = 1
    var i = 0
    while i < rounds {
      goal = min(goal, Double(least[i]))
      i &+= 1
    }
    leastUpToHere = 1
    noteLowest()
    var toEnd: Float = 1
    i = Limits.lookAhead
    while i > 0 {
      i &-= 1
      toEnd = min(toEnd, needed[i])
      leastToEnd[i] = toEnd
    }
  }

  /// Records the lowest held gain of a round. Each minimum is held for longer than the averaging takes, so the output
  /// gain falls as far.
  @_noLocks
  private mutating func noteLowest() {
    var lows = Lanes(repeating: lowest)
    var i = 0
    while i &+ Limits.lanesPerGroup <= Limits.lookAhead {
      lows = smaller(lows, (held + i).eight)
      i &+= Limits.lanesPerGroup
    }
    lowest = lows.min()
  }

  /// Sums the gains anew at the end of a round, so that rounding errors do not accumulate over days.
  @_noLocks
  private mutating func sumAnew() {
    sum = 0
    var i = TruePeak.delay
    while i < Limits.lookAhead {
      sum += Double(held[i])
      i &+= 1
    }
  }
}
