import Glibc
import Surface
import System

/// Starts the OSC server as soon as its port is free. The sound never waits for it. Control thread.
public final class RetryingServer {
  /// The server; nil until it has started.
  public private(set) var server: Server?
  private let make: () throws(Server.Failure) -> Server
  private let local: LocalServer
  private let started: (Server) -> Void
  private let failed: (_ short: String, _ long: String) -> Void
  // The failure reported last, so that each is reported once.
  private var failure: Server.Failure?
  private var retryAt = Int64.min

  /// The time between attempts, nanoseconds.
  static let retryInterval: Int64 = 2_000_000_000

  /// Starts the server that `make` returns, now or later.
  /// - Parameters:
  ///   - local: The local server, which knows whether another pipit uses the port.
  ///   - started: Called when the server listens.
  ///   - failed: Called with the reason of a failure, short for a label and long for the log; once for each reason.
  public init(
    beside local: LocalServer, loop: PollLoop, make: @escaping () throws(Server.Failure) -> Server,
    started: @escaping (Server) -> Void, failed: @escaping (_ short: String, _ long: String) -> Void
  ) {
    (self.local, self.make, self.started, self.failed) = (local, make, started, failed)
    start()
    loop.afterEachRound { [weak self] now in self?.update(now) }
  }

  /// Tries again when due. Returns when it is to be called again; nil once the server runs.
  func update(_ now: Int64) -> Int64? {
    if server != nil { return nil }
    if retryAt == .min { retryAt = now + RetryingServer.retryInterval }
    if now >= retryAt {
      retryAt = now + RetryingServer.retryInterval
      start()
      // The server takes its turns from the next round on.
      if server != nil { return now }
    }
    return retryAt
  }

  private func start() {
    do throws(Server.Failure) {
      let server = try make()
      self.server = server
      started(server)
    } catch {
      if error == failure { return }
      failure = error
      let (short, long) = RetryingServer.words(error, isPipit: local.isTaken)
      failed(short, long)
    }
  }

  /// The reason of a failure, for a label and for the log.
  static func words(_ failure: Server.Failure, isPipit: Bool) -> (short: String, long: String) {
    let port = "UDP port \(failure.port)"
    let rest = "pipit plays without a tablet and tries again"
    switch failure.code {
    case EADDRINUSE where isPipit:
      return (
        "\(port) is another pipit's: no tablet", "\(port) is taken by another pipit on this machine; \(rest)"
      )
    case EADDRINUSE:
      return (
        "\(port) is taken: no tablet until it is free",
        "\(port) is taken by another program, which 'sudo ss -lunp sport = :\(failure.port)' names; \(rest)"
      )
    case EACCES, EPERM:
      let why = failure.port < 1024 ? ": ports below 1024 are the system's, set osc-port in pipit.conf" : ""
      return ("\(port) is not permitted: no tablet", "\(port) is not permitted to pipit\(why); \(rest)")
    default:
      let why = failure.code == 0 ? "the system refused" : String(cString: strerror(failure.code))
      return ("\(port): \(why)", "cannot listen for OSC on \(port): \(why); \(rest)")
    }
  }
}
