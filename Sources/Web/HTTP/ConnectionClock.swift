/// The time that a connection of HTTP may take for what it is doing. A connection that sends a byte now and then is
/// idle for the library, but not by this clock.
final class ConnectionClock {
  /// The state of a connection.
  enum Phase {
    /// It has no complete head yet.
    case head
    /// It sends a body.
    case body
    /// It is answered, or is a WebSocket: others watch it.
    case answered
  }

  /// The socket of the connection.
  let descriptor: Int32
  private(set) var phase = Phase.head
  private var since: Int64
  /// It is being ended.
  var isEnding = false

  /// The longest time without a complete head, nanoseconds; also of a connection that is kept for another request.
  static let headTime: Int64 = 15_000_000_000
  /// The longest time for a body, nanoseconds.
  static let bodyTime: Int64 = 60_000_000_000

  init(_ descriptor: Int32, now: Int64) { (self.descriptor, since) = (descriptor, now) }

  /// Begins another phase.
  func begin(_ phase: Phase, now: Int64) { (self.phase, since) = (phase, now) }

  /// When the connection has taken too long; nil while it may take any time.
  var end: Int64? {
    switch phase {
    case .head: since + ConnectionClock.headTime
    case .body: since + ConnectionClock.bodyTime
    case .answered: nil
    }
  }
}
