/// Starts a server as soon as its port is free. The sound never waits for it. Control thread.
public final class RetryingServer<Server> {
  /// The server; nil until it has started.
  public private(set) var server: Server?
  private let make: () throws(PortFailure) -> Server
  private let started: (Server) -> Void
  private let failed: (PortFailure) -> Void
  // The failure reported last, so that each is reported once.
  private var failure: PortFailure?
  private var retryAt = Int64.min

  /// The time between attempts, nanoseconds.
  static var retryInterval: Int64 { 2_000_000_000 }

  /// Starts the server that `make` returns, now or later.
  /// - Parameters:
  ///   - started: Called when the server listens.
  ///   - failed: Called with the reason of a failure, once for each reason.
  public init(
    loop: PollLoop, make: @escaping () throws(PortFailure) -> Server, started: @escaping (Server) -> Void,
    failed: @escaping (PortFailure) -> Void
  ) {
    (self.make, self.started, self.failed) = (make, started, failed)
    start()
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  /// Tries again when due. Returns the time of the next call; nil once the server runs.
  func update(_ now: Int64) -> Int64? {
    if server != nil { return nil }
    if retryAt == .min { retryAt = now + Self.retryInterval }
    if now >= retryAt {
      retryAt = now + Self.retryInterval
      start()
      // The server takes its turns from the next round on.
      if server != nil { return now }
    }
    return retryAt
  }

  private func start() {
    do throws(PortFailure) {
      let server = try make()
      self.server = server
      started(server)
    } catch {
      if error == failure { return }
      failure = error
      failed(error)
    }
  }
}
