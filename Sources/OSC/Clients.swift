import Synth

/// The clients that are kept up to date, each in a seat.
///
/// A tablet sends from any port and listens on the reply port, so it is known by its host. A program that sent
/// `/subscribe` is known by the port that it sends from.
struct Clients {
  private(set) var seats: [Client?] = Array(repeating: nil, count: Limits.oscClients)
  /// Where tablets listen.
  let replyPort: String

  /// After so long without a word, what a client holds is let go, and a subscription ends, nanoseconds.
  static let silence: Int64 = 600_000_000_000
  /// After so long without a word, a client may have been away, and is shown everything anew.
  static let absence: Int64 = 5_000_000_000

  init(replyPort: Int) { self.replyPort = "\(replyPort)" }

  var all: [Client] { seats.compactMap { $0 } }

  /// Whose message this is, if it is known already.
  func known(_ source: Source) -> Client? {
    let there = all.filter { $0.host == source.host }
    return there.first { $0.subscriber == source.port } ?? there.first { $0.subscriber == nil }
  }

  /// Gives a seat to whoever is new; the least recently heard makes room, and is returned with it.
  mutating func seat(_ source: Source, port: String? = nil, now: Int64) -> (new: Client, gone: Client?) {
    let free = seats.firstIndex { $0 == nil }
    let oldest = seats.indices.min { seats[$0]?.heardAt ?? 0 < seats[$1]?.heardAt ?? 0 } ?? 0
    let seat = free ?? oldest
    let gone = seats[seat]
    let client = Client(seat: seat, host: source.host, port: port ?? replyPort, heardAt: now)
    client.onlyPort = source.port
    seats[seat] = client
    return (client, gone)
  }

  /// The client that feedback at this place would go to.
  func listener(host: String, port: String) -> Client? { all.first { $0.host == host && $0.port == port } }

  mutating func remove(_ client: Client) { seats[client.seat] = nil }
}

/// Where a message came from.
struct Source: Equatable {
  let host: String
  let port: String
}
