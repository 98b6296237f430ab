import System

/// The rate limits of errors: one for each sender, so that the mistakes of one do not hide the errors of another. Further
/// senders of one machine share a limit, and so do those beyond the ones that are remembered.
struct ErrorLimits {
  // The transport is not kept alive.
  private struct Sender: Equatable {
    let host: HostAddress
    // Nil for the further senders of the machine.
    let endpoint: Peer.Endpoint?
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
  /// The senders of one machine and transport that have a limit of their own.
  static let sendersOfHost = 8
  /// After this time the whole burst is available again, nanoseconds.
  static let memory: Int64 = 2_000_000_000
  private static let rate = RateLimiter(burst: 20, perSecond: 10)

  /// Counts an error of a sender at `now`, nanoseconds. False if the limit is reached.
  mutating func take(_ sender: MessageSender, _ now: Int64) -> Bool {
    let sender = Sender(
      host: sender.peer.host, endpoint: sender.peer.endpoint, transport: ObjectIdentifier(sender.transport))
    guard let index = index(of: sender, now) else { return others.take(now) }
    limits[index].usedAt = now
    return limits[index].rate.take(now)
  }

  private mutating func index(of sender: Sender, _ now: Int64) -> Int? {
    if let index = limits.firstIndex(where: { $0.sender == sender }) { return index }
    let others = limits.count {
      $0.sender.host == sender.host && $0.sender.transport == sender.transport && $0.sender.endpoint != nil
        && now - $0.usedAt < ErrorLimits.memory
    }
    if others >= ErrorLimits.sendersOfHost, sender.endpoint != nil {
      return index(of: Sender(host: sender.host, endpoint: nil, transport: sender.transport), now)
    }
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
