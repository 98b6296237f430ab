import Synth

/// The clients that are kept up to date, each in a seat.
///
/// A tablet sends from any port and listens on the reply port, so it is known by its host. A program that sent
/// `/subscribe` is known by the port that it sends from.
struct Clients {
  private(set) var all: [Client] = []
  /// Where tablets listen.
  let replyPort: Int

  /// After so long without a word, what a client holds is let go, and a subscription ends, nanoseconds.
  static let silence: Int64 = 600_000_000_000
  /// After so long without a word, a client may have been away, and is shown everything anew.
  static let absence: Int64 = 5_000_000_000

  init(replyPort: Int) { self.replyPort = replyPort }

  /// Whose message this is, if it is known already.
  func known(_ source: Source) -> Client? {
    var tablet: Client?
    for client in all where client.listens.address == source.address {
      if client.subscriber == source.port { return client }
      if client.subscriber == nil { tablet = client }
    }
    return tablet
  }

  /// Gives a seat to whoever is new; one makes room, and is returned with it.
  mutating func seat(_ source: Source, port: Int? = nil, now: Int64) -> (new: Client, gone: Client?) {
    var gone: Client?
    if all.count >= Limits.oscClients, let least = leastMissed(for: source.address) {
      remove(least)
      gone = least
    }
    let taken = Set(all.map(\.seat))
    let seat = (0..<Limits.oscClients).first { !taken.contains($0) } ?? 0
    let listens = Source(address: source.address, port: port ?? replyPort)
    let client = Client(seat: seat, listens: listens, heardAt: now)
    client.onlyPort = source.port
    all.append(client)
    return (client, gone)
  }

  /// The least recently heard; but where a host has several seats, the least recently heard program of the host that
  /// has most: one that is started again and again must not push the tablets out.
  private func leastMissed(for newcomer: UInt32) -> Client? {
    var seats: [UInt32: Int] = [newcomer: 1]
    for client in all { seats[client.listens.address, default: 0] += 1 }
    let most = seats.values.max() ?? 1
    let crowd = all.filter { $0.subscriber != nil && most > 1 && seats[$0.listens.address] == most }
    return (crowd.isEmpty ? all : crowd).min { $0.heardAt < $1.heardAt }
  }

  /// The client that feedback at this place would go to.
  func listener(_ place: Source) -> Client? { all.first { $0.listens == place } }

  mutating func remove(_ client: Client) { all.removeAll { $0 === client } }
}
