/// The periods of an LFO that all voices of a sound share, counted from frames while its rate stays.
struct LFOClock {
  private var rate: Float = 0
  private var frame: Int64 = 0
  private var periods: Double = 0

  /// At its first period.
  @_noLocks init() {}

  /// The periods at a frame, from which on it goes at `rate` Hz.
  @_noLocks
  mutating func periods(at frame: Int64, rate: Float, sampleRate: Double) -> Double {
    let now = periods + Double(frame &- self.frame) / sampleRate * Double(self.rate)
    if rate != self.rate {
      if self.rate == 0 {
        // As if it had gone since the first frame.
        (periods, self.frame, self.rate) = (0, 0, rate)
        return Double(frame) / sampleRate * Double(rate)
      }
      (periods, self.frame, self.rate) = (now, frame, rate)
    }
    return now
  }
}
