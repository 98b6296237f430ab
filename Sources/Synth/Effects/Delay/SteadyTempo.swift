/// The tempo that the time of a delay follows. A MIDI clock or a tapped tempo is never quite steady; a delay that
/// followed each of its beats would always glide to another time, and all echoes would waver.
///
/// A change larger than the jitter of any clock is followed at once, the mean when it has drifted, and the exact tempo
/// once it has been constant for a second.
struct SteadyTempo {
  /// Beats per second.
  private(set) var perSecond: Float = 0
  private var last: Float = 0
  private var mean: Float = 0
  // Seconds for which the tempo has been constant.
  private var still: Float = 0

  /// Relative deviations that are followed: of a beat, and of the mean.
  private static var leap: Float { @_noLocks get { 0.01 } }
  private static var drift: Float { @_noLocks get { 0.004 } }
  /// Time constant of the mean in seconds, and seconds after which a constant tempo counts as settled.
  private static var memory: Float { @_noLocks get { 2 } }
  private static var settled: Float { @_noLocks get { 1 } }

  @_noLocks init() {}

  /// Jumps to a tempo.
  @_noLocks
  mutating func snap(_ tempo: Float) { (perSecond, last, mean, still) = (tempo, tempo, tempo, 0) }

  /// Follows a tempo, `seconds` after the last call.
  @_noLocks @inline(__always)
  mutating func follow(_ tempo: Float, seconds: Float) {
    if tempo != perSecond { approach(tempo, seconds: seconds) }
  }

  @_noLocks @inline(never)
  private mutating func approach(_ tempo: Float, seconds: Float) {
    still = tempo == last ? still + seconds : 0
    last = tempo
    mean += (tempo - mean) * min(1, seconds / Self.memory)
    if still >= Self.settled || (tempo - perSecond).magnitude > Self.leap * perSecond {
      snap(tempo)
    } else if (mean - perSecond).magnitude > Self.drift * perSecond {
      (perSecond, still) = (mean, 0)
    }
  }
}
