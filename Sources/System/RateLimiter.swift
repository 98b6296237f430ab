/// How many of something may happen: a few at once, and so many a second. For what must not become a flood.
public struct RateLimiter: Sendable {
  private let burst: Double
  private let perSecond: Double
  private var left: Double
  private var at: Int64?

  /// An allowance that starts full.
  public init(burst: Double, perSecond: Double) {
    (self.burst, self.perSecond, left) = (burst, perSecond, burst)
  }

  /// Takes one at a time in nanoseconds, if there is one left.
  public mutating func take(_ now: Int64) -> Bool {
    left = min(burst, left + Double(now - (at ?? now)) * 1e-9 * perSecond)
    at = now
    if left < 1 { return false }
    left -= 1
    return true
  }
}
