import System

/// The rate limits of errors: one for each sender, so that the mistakes of one do not hide the errors of another. Senders
/// beyond those that are remembered share a limit.
struct ErrorLimits {
  // The transport is not kept alive.
  private struct Sender: Equatable {
    let peer: Peer
    let transport: ObjectIdentifier
  }
  private struct Limit {
    let sender: Sender
    var rate: RateLimiter
    // When its last error was asked for.
    var usedAt: Int64
  }
  private var limits: [Limit] = []
  private var others = ErrorLimits.rate

  /// The senders that are remembered. One is forgotten for another after it made no error for `memory`.
  static let senders = 64
  /// After this time the whole burst is available again, nanoseconds.
  static let memory: Int64 = 2_000_000_000
  private static let rate = RateLimiter(burst: 20, perSecond: 10)

  /// Counts an error of a sender at `now`, nanoseconds. False if the limit is reached.
  mutating func take(_ sender: MessageSender, _ now: Int64) -> Bool {
    let sender = Sender(peer: sender.peer, transport: ObjectIdentifier(sender.transport))
    guard let index = index(of: sender, now) else { return others.take(now) }
    limits[index].usedAt = now
    return limits[index].rate.take(now)
  }

  private mutating func index(of sender: Sender, _ now: Int64) -> Int? {
    if let index = limits.firstIndex(where: { $0.sender == sender }) { return index }
    let new = Limit(sender: sender, rate: ErrorLimits.rate, usedAt: now)
    if limits.count < ErrorLimits.senders {
      limits.append(new)
      return limits.count - 1
    }
    guard let index = limits.firstIndex(where: { now - $0.usedAt >= ErrorLimits.memory }) else { return nil }
    limits[index] = new
    return index
  }
}
