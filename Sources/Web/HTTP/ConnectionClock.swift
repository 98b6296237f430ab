/// The time limit of an HTTP connection in its present phase. A connection that sends a byte now and then never times
/// out in the library, but does by this clock.
final class ConnectionClock {
  /// The state of a connection.
  enum Phase {
    /// It has not sent a complete head yet.
    case head
    /// It sends a body.
    case body
    /// It is being answered, or is a WebSocket, which has time limits of its own.
    case answered
  }

  /// The socket of the connection.
  let descriptor: Int32
  private(set) var phase = Phase.head
  private var since: Int64
  /// Whether it is being ended.
  var isEnding = false

  /// The longest time without a complete head, nanoseconds; also of a connection that is kept for another request.
  static let headTime: Int64 = 15_000_000_000
  /// The longest time for a body, nanoseconds.
  static let bodyTime: Int64 = 60_000_000_000

  init(_ descriptor: Int32, now: Int64) { (self.descriptor, since) = (descriptor, now) }

  /// Begins another phase.
  func begin(_ phase: Phase, now: Int64) { (self.phase, since) = (phase, now) }

  /// The time at which the connection is ended, nanoseconds; nil while there is no limit.
  var deadline: Int64? {
    switch phase {
    case .head: since + ConnectionClock.headTime
    case .body: since + ConnectionClock.bodyTime
    case .answered: nil
    }
  }
}
