import CRealtime

/// The slow wandering of an oscillator's pitch, as of an analog one that is never quite in tune: noise through two
/// low-passes of half a hertz, at control rate, in each of eight voices.
struct DriftLanes {
  private var first = Lanes.zero
  /// Where the pitch is, mostly within -1…1.
  private(set) var value = Lanes.zero

  /// Corner of the low-passes, Hz.
  private static var corner: Float { @_noLocks get { 0.5 } }
  // Evenly distributed noise of ±1 through both is so much weaker, for a share of 1: √(share / 6) and a half more.
  private static var loss: Float { @_noLocks get { 0.289 } }

  /// Goes on by `seconds`, with random words.
  @_noLocks @inline(__always)
  mutating func advance(_ words: LaneWords, seconds: Float) {
    let share = min(1, 2 * Float.pi * Self.corner * seconds)
    first += (noise(words) * (0.5 / (Self.loss * rt_sqrt(share))) - first) * share
    value += (first - value) * share
  }

  /// Starts a lane somewhere on its way: a random number of -1…1.
  @_noLocks
  mutating func start(_ lane: Int, _ random: Float) {
    first[lane] = random
    value[lane] = random
  }
}
