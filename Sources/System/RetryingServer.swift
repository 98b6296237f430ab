import Glibc

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

/// The reason why a server could not listen on its port.
public struct PortFailure: Error, Equatable {
  /// The protocol of the port.
  public enum Kind: String, Sendable {
    case udp = "UDP"
    case tcp = "TCP"
  }

  /// The protocol of the port.
  public let kind: Kind
  /// The requested port.
  public let port: Int
  /// The error number of the system; 0 if it gave none.
  public let code: Int32

  /// A failure to listen on a port.
  public init(_ kind: Kind, port: Int, code: Int32) { (self.kind, self.port, self.code) = (kind, port, code) }

  /// The reason, for a label and for the log.
  /// - Parameters:
  ///   - absent: What is missing meanwhile, as "tablet".
  ///   - option: The option that sets the port.
  ///   - isPipit: Whether another pipit uses the port.
  public func words(without absent: String, option: String, isPipit: Bool) -> (short: String, long: String) {
    let port = "\(kind.rawValue) port \(self.port)"
    let rest = "pipit plays without a \(absent) and tries again"
    switch code {
    case EADDRINUSE where isPipit:
      return (
        "\(port) is another pipit's: no \(absent)",
        "\(port) is taken by another pipit on this machine; \(rest)"
      )
    case EADDRINUSE:
      let letter = kind == .udp ? "u" : "t"
      return (
        "\(port) is taken: no \(absent) until it is free",
        "\(port) is taken by another program, which 'sudo ss -l\(letter)np sport = :\(self.port)' names; \(rest)"
      )
    case EACCES, EPERM:
      let why =
        self.port < 1024 ? ": ports below 1024 are the system's, set \(option) in pipit.conf" : ""
      return ("\(port) is not permitted: no \(absent)", "\(port) is not permitted to pipit\(why); \(rest)")
    default:
      let why = code == 0 ? "the system refused" : String(cString: strerror(code))
      return ("\(port): \(why)", "cannot listen on \(port): \(why); \(rest)")
    }
  }
}

/// Calls `body` with a pointer to an address for the system's functions, and a pointer to its length.
public func withSocketAddress<Value>(
  _ address: inout sockaddr_in,
  _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
) -> Value {
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
  }
}
