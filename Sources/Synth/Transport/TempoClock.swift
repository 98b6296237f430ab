/// The beats that have passed, counted from frames, so that nothing drifts: an LFO that goes by the tempo is where the
/// frame says. A change of tempo keeps the beat that it comes in.
struct TempoClock {
  /// Beats a second.
  private(set) var perSecond: Float = 2
  private let rate: Double
  // Where the tempo was last changed.
  private var frame: Int64 = 0
  private var beat: Double = 0

  /// A clock at its first beat, at a sample rate.
  init(rate: Double) { self.rate = rate }

  /// The beat of a frame.
  @_noLocks
  func beats(at frame: Int64) -> Double { beat + Double(frame &- self.frame) / rate * Double(perSecond) }

  /// Goes on at a tempo, beats a minute.
  @_noLocks
  mutating func follow(_ tempo: Float, frame: Int64) {
    let perSecond = max(tempo, 1) / 60
    if perSecond == self.perSecond { return }
    (beat, self.frame, self.perSecond) = (beats(at: frame), frame, perSecond)
  }
}
