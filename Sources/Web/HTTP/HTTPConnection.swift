import CMicrohttpd
import Surface

/// A TCP connection of the HTTP server, from its acceptance until its socket is closed. Control thread.
///
/// The phases have time limits of their own: a connection that sends a byte now and then never times out in the
/// library.
final class HTTPConnection {
  /// The state of a connection.
  enum Phase {
    /// It has not sent a complete head yet.
    case head
    /// It sends a body.
    case body
    /// It is being answered.
    case answered
    /// It is a WebSocket, which has time limits of its own.
    case upgraded
  }

  /// The socket.
  let descriptor: Int32
  /// The machine at the other end.
  let host: HostAddress
  private(set) var phase = Phase.head
  /// The time at which the peer last did something, nanoseconds: began a phase, sent a piece of a body or a message.
  private(set) var activeAt: Int64
  private var since: Int64
  /// The length of the body that is being received or used, bytes.
  var bodyBytes = 0
  /// Whether it is being ended.
  var isEnding = false
  /// The events of `poll` for which the loop watches the socket.
  var events: Int16 = 0
  /// The connection in the library; nil before the library has taken it, and after its end.
  var handle: OpaquePointer?
  /// Whether the library leaves it alone until `resume`.
  private(set) var isSuspended = false

  /// The longest time without a complete head, nanoseconds; also of a connection that is kept for another request.
  static let headTime: Int64 = 15_000_000_000
  /// The longest time for a body, nanoseconds.
  static let bodyTime: Int64 = 60_000_000_000
  /// A body of which nothing has come for so long is idle, nanoseconds.
  static let pause: Int64 = 5_000_000_000

  init(_ descriptor: Int32, _ host: HostAddress, now: Int64) {
    (self.descriptor, self.host, since, activeAt) = (descriptor, host, now, now)
  }

  /// Begins another phase.
  func begin(_ phase: Phase, now: Int64) { (self.phase, since, activeAt) = (phase, now, now) }

  /// Notes that the peer has sent something.
  func isActive(now: Int64) { activeAt = now }

  /// The time at which the connection is ended, nanoseconds; nil while there is no limit.
  var deadline: Int64? {
    switch phase {
    case .head: since + HTTPConnection.headTime
    case .body: since + HTTPConnection.bodyTime
    case .answered, .upgraded: nil
    }
  }

  /// Whether it waits for a peer that sends nothing.
  func isIdle(now: Int64) -> Bool {
    switch phase {
    case .head: true
    case .body: now - activeAt >= HTTPConnection.pause
    case .answered, .upgraded: false
    }
  }

  /// Has the library leave the connection alone. Only in a call of the library's about this connection.
  func suspend() {
    guard let handle, !isSuspended else { return }
    isSuspended = true
    http_suspend(handle)
  }

  /// Lets the library go on with it in its next run. Nothing happens to one that has ended.
  func resume() {
    guard let handle, isSuspended else { return }
    isSuspended = false
    http_resume(handle)
  }
}

/// The places for connections, and who gets one when all are taken.
///
/// A newcomer then gets the place of another connection: of its own machine if that has all its places, and otherwise
/// of the machine with the most connections that can give one up. An idle connection always can; one where something is
/// going on, such as a WebSocket, only if its machine has at least as many places afterwards as the newcomer's. So no
/// machines, however many connections they open, keep another one out, and two equal ones do not push each other out
/// for ever.
enum Slots {
  /// The most connections, and the most of one machine.
  static let total = 64
  static let perHost = 24

  /// A place for one more connection.
  enum Place {
    case free
    /// That of a connection, which is to be ended.
    case instead(of: HTTPConnection)
    case none
  }

  /// The place of a new connection from `host` beside `connections`.
  static func place(
    for host: HostAddress, among connections: some Sequence<HTTPConnection>, now: Int64
  ) -> Place {
    let staying = connections.filter { !$0.isEnding }
    var counts: [HostAddress: Int] = [:]
    for connection in staying { counts[connection.host, default: 0] += 1 }
    let own = counts[host, default: 0]
    let isCrowded = own >= perHost
    if !isCrowded && staying.count < total { return .free }
    // The library does not notice the end of a suspended connection.
    let yielding = staying.filter { connection in
      if connection.isSuspended || isCrowded && connection.host != host { return false }
      return connection.isIdle(now: now) || counts[connection.host, default: 0] > own + 1
    }
    let first = yielding.min { one, other in
      let (ones, others) = (counts[one.host, default: 0], counts[other.host, default: 0])
      if ones != others { return ones > others }
      let (isIdle, otherIsIdle) = (one.isIdle(now: now), other.isIdle(now: now))
      return isIdle == otherIsIdle ? one.activeAt < other.activeAt : isIdle
    }
    return first.map { .instead(of: $0) } ?? .none
  }
}
