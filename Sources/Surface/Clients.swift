import Synth

/// The clients that receive feedback, each in a slot.
///
/// A tablet sends from any port and listens on the reply port, so it is identified by its host. A program that sent
/// `/subscribe`, or that has a connection, is identified by the port that it sends from.
struct Clients {
  private(set) var all: [Client] = []

  /// After this time without a message, a client's notes are released and its subscription ends, nanoseconds.
  static let silence: Int64 = 600_000_000_000
  /// After this time without a message, a client may have missed packets, and receives everything again, nanoseconds.
  static let absence: Int64 = 5_000_000_000

  /// The client that a message comes from; nil for an unknown peer.
  func find(_ peer: Peer, over transport: any Transport) -> Client? {
    var tablet: Client?
    for client in all where client.peer.host == peer.host && client.transport === transport {
      if client.sender == peer { return client }
      if client.sender == nil { tablet = client }
    }
    return tablet
  }

  /// The client that receives its feedback at `listener`; nil if there is none.
  func find(at listener: Peer, over transport: any Transport) -> Client? {
    all.first { $0.peer == listener && $0.transport === transport }
  }

  /// Adds a client for a new peer, whose feedback goes to `listener`. If all slots are in use, another client is
  /// evicted and returned as well. Nil if none may be: an unconfirmed peer evicts no confirmed client.
  mutating func add(
    _ peer: Peer, at listener: Peer, over transport: any Transport, now: Int64, _ map: FeedbackMap
  ) -> (new: Client, evicted: Client?)? {
    var evicted: Client?
    if all.count >= Limits.surfaceClients {
      guard let candidate = evictionCandidate(for: peer, over: transport) else { return nil }
      remove(candidate)
      evicted = candidate
    }
    let used = Set(all.map(\.slot))
    let slot = (0..<Limits.surfaceClients).first { !used.contains($0) } ?? 0
    let client = Client(slot: slot, transport: transport, peer: listener, receivedAt: now, map)
    client.onlySender = peer
    all.append(client)
    return (client, evicted)
  }

  /// The client to evict: an unconfirmed one, or else one that holds no notes, or else any; of these, the one with the
  /// oldest last message. If a host has several slots, it is a program of the host that has most, so that a program that
  /// restarts again and again does not evict the tablets.
  private func evictionCandidate(for newcomer: Peer, over transport: any Transport) -> Client? {
    let unconfirmed = all.filter { !$0.transport.isConfirmed($0.peer) }
    if !unconfirmed.isEmpty { return unconfirmed.min { $0.receivedAt < $1.receivedAt } }
    if !transport.isConfirmed(newcomer) { return nil }
    var slots: [HostAddress: Int] = [newcomer.host: 1]
    for client in all { slots[client.peer.host, default: 0] += 1 }
    let silent = all.filter { !$0.plays }
    let evictable = silent.isEmpty ? all : silent
    let most = evictable.filter { $0.sender != nil }.compactMap { slots[$0.peer.host] }.max() ?? 1
    let candidates = evictable.filter { $0.sender != nil && most > 1 && slots[$0.peer.host] == most }
    return (candidates.isEmpty ? evictable : candidates).min { $0.receivedAt < $1.receivedAt }
  }

  mutating func remove(_ client: Client) { all.removeAll { $0 === client } }
}
