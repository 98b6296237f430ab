/// Counts the periods of an LFO that all voices of a sound share. While its rate is constant, the count is computed
/// from the frame.
struct LFOClock {
  private var rate: Float = 0
  private var frame: Int64 = 0
  private var periods: Double = 0

  /// A clock before its first period.
  @_noLocks init() {}

  /// The periods at a frame; from that frame on the rate is `rate` Hz.
  @_noLocks
  mutating func periods(at frame: Int64, rate: Float, sampleRate: Double) -> Double {
    let now = periods + Double(frame &- self.frame) / sampleRate * Double(self.rate)
    if rate != self.rate {
      if self.rate == 0 {
        // As if it had run since the first frame.
        (periods, self.frame, self.rate) = (0, 0, rate)
        return Double(frame) / sampleRate * Double(rate)
      }
      (periods, self.frame, self.rate) = (now, frame, rate)
    }
    return now
  }
}
