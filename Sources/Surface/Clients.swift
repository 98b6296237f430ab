import Synth

/// The clients that are kept up to date, each in a seat.
///
/// A tablet sends from any port and listens on the reply port, so it is known by its host. A program that sent
/// `/subscribe`, and whoever has a connection, is known by the port that it speaks from.
struct Clients {
  private(set) var all: [Client] = []

  /// After so long without a word, what a client holds is let go, and a subscription ends, nanoseconds.
  static let silence: Int64 = 600_000_000_000
  /// After so long without a word, a client may have been away, and is shown everything anew.
  static let absence: Int64 = 5_000_000_000

  /// Whose message this is, if it is known already.
  func find(_ peer: Peer, over transport: any Transport) -> Client? {
    var tablet: Client?
    for client in all where client.peer.host == peer.host && client.transport === transport {
      if client.sender == peer { return client }
      if client.sender == nil { tablet = client }
    }
    return tablet
  }

  /// The client that feedback at this place would go to.
  func find(at place: Peer, over transport: any Transport) -> Client? {
    all.first { $0.peer == place && $0.transport === transport }
  }

  /// Gives a seat to whoever is new, told at `place`; one makes room, and is returned with it. Nil when none does: whoever
  /// is not confirmed takes the seat of nobody who is.
  mutating func seat(
    _ peer: Peer, at place: Peer, over transport: any Transport, now: Int64, _ map: FeedbackMap
  ) -> (new: Client, gone: Client?)? {
    var gone: Client?
    if all.count >= Limits.surfaceClients {
      guard let least = leastMissed(for: peer, over: transport) else { return nil }
      remove(least)
      gone = least
    }
    let taken = Set(all.map(\.seat))
    let seat = (0..<Limits.surfaceClients).first { !taken.contains($0) } ?? 0
    let client = Client(seat: seat, transport: transport, peer: place, heardAt: now, map)
    client.onlySender = peer
    all.append(client)
    return (client, gone)
  }

  /// The client that makes room: the least recently heard of those who are not confirmed, or else of all. Where a host
  /// has several seats, it is a program of the host that has most: one that is started again and again must not push
  /// the tablets out.
  private func leastMissed(for newcomer: Peer, over transport: any Transport) -> Client? {
    let unconfirmed = all.filter { !$0.transport.isConfirmed($0.peer) }
    if !unconfirmed.isEmpty { return unconfirmed.min { $0.heardAt < $1.heardAt } }
    if !transport.isConfirmed(newcomer) { return nil }
    var seats: [HostAddress: Int] = [newcomer.host: 1]
    for client in all { seats[client.peer.host, default: 0] += 1 }
    let most = seats.values.max() ?? 1
    let crowd = all.filter { $0.sender != nil && most > 1 && seats[$0.peer.host] == most }
    return (crowd.isEmpty ? all : crowd).min { $0.heardAt < $1.heardAt }
  }

  mutating func remove(_ client: Client) { all.removeAll { $0 === client } }
}
