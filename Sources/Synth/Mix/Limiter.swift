/// A look-ahead limiter by true peaks: what stays under the ceiling passes bit for bit, a millisecond late; what would
/// not, between samples too, is turned down before it comes.
///
/// The gain that each sample needs is held at its minimum over the look-ahead and averaged: a ramp that is always down
/// when the peak arrives. Both channels share it. It comes back in two stages, whose product it is: a fast one for
/// single peaks, and a slow one that goes to what the last 26 ms needed, so that it stands still under a sound that is too
/// loud all the time: no distortion of low notes, and no pumping.
struct Limiter: ~Copyable {
  /// 0.6 dB under full scale: room for what four times as dense a look still does not see, 0.3 dB of white noise.
  private static var ceiling: Float { @_noLocks get { 0.93 } }
  /// Gains that are averaged: they are down when the sound is, which the detector has seen late.
  private static var averaged: Int { @_noLocks get { Limits.lookAhead &- TruePeak.delay } }
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
  private let detector: TruePeak
  // What it says of the frames under way.
  private let peaks: UnsafeMutablePointer<Float>
  // The fast stage and the slow one, and what that goes to: in double precision, or the last of the way would be lost.
  private var fast = 1.0
  private var slow = 1.0
  private var goal = 1.0
  private let fastRelease: Double
  private let slowRelease: Double
  private let slowAttack: Double
  // The least gain needed in each of the last times around.
  private let least: UnsafeMutablePointer<Float>
  private let rounds: Int
  private var round = 0
  // The lowest gain since it was taken.
  private var lowest: Float = 1

  init(rate: Double) {
    func line(_ value: Float) -> UnsafeMutablePointer<Float> {
      // One more, and for the peaks a whole vector.
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

  /// Forgets what is on its way through.
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

  /// Limits frames that do not go once around.
  @_noLocks @inline(__always)
  private mutating func limit(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    var (fast, slow, sum, least) = (fast, slow, sum, leastUpToHere)
    let mean = 1 / Double(Self.averaged)
    var place = position
    detector.take(l, r, frames: frames, at: place, peaks: peaks)
    var i = 0
    while i < frames {
      let need = peaks[i] > Self.ceiling ? Self.ceiling / peaks[i] : 1
      needed[place] = need
      least = min(least, need)
      let floor = Double(min(least, leastToEnd[place &+ 1]))
      if goal < slow {
        // What the slow stage takes over, the fast one gives back.
        let before = slow
        slow += (goal - slow) * slowAttack
        fast = min(fast * before / slow, 1)
      } else {
        slow += (goal - slow) * slowRelease
      }
      // Within 1e-5 of open is open, so that what needs no limiting passes untouched.
      if slow > 0.99999, goal == 1 { slow = 1 }
      let rest = floor < slow ? floor / slow : 1
      fast = rest < fast ? rest : fast + (rest - fast) * fastRelease
      if fast > 0.99999, rest == 1 { fast = 1 }
      let ended = place &+ TruePeak.delay
      let gain = Float(fast * slow)
      sum += Double(gain) - Double(held[ended < Limits.lookAhead ? ended : ended &- Limits.lookAhead])
      held[place] = gain
      let smooth = Float(sum * mean)
      let (x, y) = (left[place], right[place])
      (left[place], right[place]) = (l[i], r[i])
      l[i] = x * smooth
      r[i] = y * smooth
      place &+= 1
      i &+= 1
    }
    (self.fast, self.slow, self.sum, leastUpToHere, position) = (fast, slow, sum, least, place)
  }

  /// The lowest gain since the last call, as of the last time around: 1 when nothing was turned down.
  @_noLocks
  mutating func takeLowestGain() -> Float {
    let gain = lowest
    lowest = 1
    return gain
  }

  /// Once around.
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

  /// Once around: what the gains have come down to. Each minimum is held for longer than they are averaged, so that
  /// what goes out comes down as far.
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

  /// Sums the gains anew, at the end of a time around, so that what is rounded off does not add up over days.
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
