/// Estimates the start times of blocks without the wake-up jitter of the thread: a second-order delay-locked loop (F.
/// Adriaensen, "Using a DLL to filter time", 2005).
struct TimeFilter {
  private var next: Double = 0
  private var period: Double
  private let nominal: Double
  private let origin: Int64
  private var running = false

  /// A filter for blocks of `frames` at `rate` Hz, the first at about `now` nanoseconds.
  init(frames: Int, rate: Int, now: Int64) {
    nominal = Double(frames) * 1e9 / Double(rate)
    period = nominal
    origin = now
  }

  /// Restarts the filter at the next block, as after an interruption.
  mutating func reset() { running = false }

  /// The estimated start, in nanoseconds, of the block for which the thread woke at `now`.
  mutating func block(at now: Int64) -> Int64 {
    let time = Double(now &- origin)
    let error = time - next
    // A stall must not affect the filter.
    if !running || abs(error) > max(2e7, 4 * nominal) {
      running = true
      period = nominal
      next = time + period
      return now
    }
    let begin = next
    // A bandwidth of one hertz: it settles in seconds and hardly responds to a single late wake-up.
    let omega = min(0.5, 2 * Double.pi * nominal * 1e-9)
    next += omega * 1.414 * error + period
    period += omega * omega * error
    return origin + Int64(clamping: begin)
  }
}
