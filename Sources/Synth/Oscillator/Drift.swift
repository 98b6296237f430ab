import CRealtime

/// The slow drift of an oscillator's pitch, as of an analog one that is never quite in tune: noise through two
/// low-passes of half a hertz, at control rate, in each of eight voices.
struct DriftLanes {
  private var first = Lanes.zero
  /// The deviation of the pitch, mostly within -1…1.
  private(set) var value = Lanes.zero

  /// Corner frequency of the low-passes, Hz.
  private static var corner: Float { @_noLocks get { 0.5 } }
  // RMS of uniform noise of ±1 after both low-passes, over √share: √(1/6) after the first, half of that power after
  // the second.
  private static var loss: Float { @_noLocks get { 0.289 } }

  /// Advances by `seconds`, with new random words.
  @_noLocks @inline(__always)
  mutating func advance(_ words: LaneWords, seconds: Float) {
    let share = min(1, 2 * Float.pi * Self.corner * seconds)
    first += (noise(words) * (0.5 / (Self.loss * rt_sqrt(share))) - first) * share
    value += (first - value) * share
  }

  /// Starts a lane at a random deviation of -1…1.
  @_noLocks
  mutating func start(_ lane: Int, _ random: Float) {
    first[lane] = random
    value[lane] = random
  }
}
