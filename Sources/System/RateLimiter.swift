/// Limits the rate of an event by a token bucket: a burst of events, and a rate per second.
public struct RateLimiter: Sendable {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var at: Int64?

  /// A limiter that allows a full burst at first.
  public init(burst: Double, perSecond: Double) {
    (self.burst, self.perSecond, left) = (burst, perSecond, burst)
  }

  /// Counts an event at `now`, nanoseconds. False if the limit is reached.
  public mutating func take(_ now: Int64) -> Bool {
    left = min(burst, left + Double(now - (at ?? now)) * 1e-9 * perSecond)
    at = now
    if left < 1 { return false }
    left -= 1
    return true
  }
}
