/// Notices that connections wait which nobody accepts, whatever the reason. A value type, control thread.
struct ListenQueue {
  /// What has changed.
  enum Change: Equatable {
    /// So many connections have waited since the last look, and none was accepted.
    case stands(Int)
    /// Connections are accepted again, or none waits any more.
    case moves
  }

  private var acceptedBefore = 0
  private var isWaiting = false
  private var isStanding = false
  /// The time of the next look, nanoseconds; `Int64.max` while nothing waits.
  private(set) var looksAt = Int64.max
  private var lookedAt = Int64.min

  /// The time between two looks, nanoseconds.
  static let interval: Int64 = 2_000_000_000

  /// Looks at the queue if it is time. Returns what has changed; nil if nothing has. A queue that stands is reported at
  /// each look.
  /// - Parameters:
  ///   - accepted: The number of connections that were accepted so far.
  ///   - waiting: The number of connections that wait.
  mutating func look(_ now: Int64, accepted: Int, _ waiting: () -> Int) -> Change? {
    if lookedAt != .min && now < lookedAt + ListenQueue.interval { return nil }
    lookedAt = now
    let count = waiting()
    let isAccepted = accepted != acceptedBefore
    let stands = isWaiting && count > 0 && !isAccepted
    (isWaiting, acceptedBefore) = (count > 0, accepted)
    looksAt = count > 0 ? now + ListenQueue.interval : .max
    if stands {
      isStanding = true
      return .stands(count)
    }
    guard isStanding, count == 0 || isAccepted else { return nil }
    isStanding = false
    return .moves
  }
}
