/// The beats that have passed, computed from the frame, so that nothing drifts: an LFO in tempo gets its phase from the
/// frame. A change of tempo keeps the current beat.
struct TempoClock {
  /// Beats a second.
  private(set) var perSecond: Float = 2
  private let rate: Double
  // Frame and beat of the last change of tempo.
  private var frame: Int64 = 0
  private var beat: Double = 0

  /// A clock at beat 0, for a sample rate.
  init(rate: Double) { self.rate = rate }

  /// The beat at a frame.
  @_noLocks
  func beats(at frame: Int64) -> Double { beat + Double(frame &- self.frame) / rate * Double(perSecond) }

  /// Continues at a tempo in beats a minute.
  @_noLocks
  mutating func follow(_ tempo: Float, frame: Int64) {
    let perSecond = max(tempo, 1) / 60
    if perSecond == self.perSecond { return }
    (beat, self.frame, self.perSecond) = (beats(at: frame), frame, perSecond)
  }
}
