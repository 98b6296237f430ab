/// The tempo that the time of a delay goes by. A clock that comes in by MIDI, or is tapped, is never quite steady; a delay that
/// followed every beat of it would always be on its way to another time, and all echoes would waver.
///
/// So it follows at once what differs by more than anybody's clock wavers, the mean where that has moved, and exactly what has
/// stayed the same for a second.
struct SteadyTempo {
  /// Beats a second.
  private(set) var perSecond: Float = 0
  private var last: Float = 0
  private var mean: Float = 0
  // Seconds for which it has been the same.
  private var still: Float = 0

  /// Shares of the tempo by which a beat is off, or the mean, when it is followed.
  private static var leap: Float { @_noLocks get { 0.01 } }
  private static var drift: Float { @_noLocks get { 0.004 } }
  /// Seconds that the mean is taken over, and after which a tempo is there to stay.
  private static var memory: Float { @_noLocks get { 2 } }
  private static var settled: Float { @_noLocks get { 1 } }

  @_noLocks init() {}

  /// Goes by a tempo at once.
  @_noLocks
  mutating func arrive(_ tempo: Float) { (perSecond, last, mean, still) = (tempo, tempo, tempo, 0) }

  /// Follows a tempo after so many seconds.
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
      arrive(tempo)
    } else if (mean - perSecond).magnitude > Self.drift * perSecond {
      (perSecond, still) = (mean, 0)
    }
  }
}
