/// When blocks begin, freed of the jitter with which the thread was woken: a delay-locked loop of second order
/// (F. Adriaensen, "Using a DLL to filter time", 2005).
struct TimeFilter {
  private var next: Double = 0
  private var period: Double
  private let nominal: Double
  private let origin: Int64
  private var running = false

  /// Blocks of `frames` at `rate` Hz, the first about `now` nanoseconds.
  init(frames: Int, rate: Int, now: Int64) {
    nominal = Double(frames) * 1e9 / Double(rate)
    period = nominal
    origin = now
  }

  /// Begins anew at the next block, as after an interruption.
  mutating func reset() { running = false }

  /// When the block for which the thread woke at `now` began, nanoseconds.
  mutating func block(at now: Int64) -> Int64 {
    let time = Double(now &- origin)
    let error = time - next
    // A stall that no filter should learn from.
    if !running || abs(error) > max(2e7, 4 * nominal) {
      running = true
      period = nominal
      next = time + period
      return now
    }
    let begin = next
    // One hertz of bandwidth: seconds to settle, deaf to a late wake-up.
    let omega = min(0.5, 2 * Double.pi * nominal * 1e-9)
    next += omega * 1.414 * error + period
    period += omega * omega * error
    return origin + Int64(begin)
  }
}
