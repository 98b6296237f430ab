import Surface

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
