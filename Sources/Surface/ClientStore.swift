import Control
import Scenes
import Storage
import System

/// Stores the clients across restarts, so that tablets show current values again without a touch.
///
/// Times are stored by the wall clock, which many boxes lose without power: a time in the future counts as now, and
/// after the clock is set all records are stored again.
public final class ClientStore {
  private let surface: ControlSurface
  private let transport: any Transport
  private let log: (String) -> Void
  // The records as last stored.
  private var stored: [ClientRecord] = []
  private var isRead = false
  private var saveAt = Int64.max
  // Nothing is saved earlier, so that many new clients do not wear out a memory card.
  private var notBefore = Int64.min

  /// How long a client is remembered after its last message, seconds.
  static let lifetime: Int64 = 12 * 3600
  /// How far the stored time of a client's last message may lag behind, seconds.
  static let tolerance: Int64 = 300
  /// Delays of a save, nanoseconds: after a message, between two saves, and without messages.
  private static let saveDelay: Int64 = 1_000_000_000
  private static let saveInterval: Int64 = 5_000_000_000
  private static let idleInterval: Int64 = 60_000_000_000

  /// A store of the clients that `transport` reaches; `log` receives a line about records that cannot be read.
  public init(_ surface: ControlSurface, _ transport: any Transport, log: @escaping (String) -> Void) {
    (self.surface, self.transport, self.log) = (surface, transport, log)
  }

  /// Schedules a save after a message, which may have changed the clients.
  public func noteActivity(_ now: Int64) { saveAt = min(saveAt, max(now + ClientStore.saveDelay, notBefore)) }

  /// Restores the clients as soon as the database has been read, and saves them when a save is due.
  /// - Returns: The time of the next call; nil while the database is unread.
  public func update(_ now: Int64, wall: @autoclosure () -> Int64 = wallTime()) -> Int64? {
    if !isRead {
      guard let text = surface.instrument.library.documents.text(.clients) else { return nil }
      isRead = true
      restoreAll(text, now, wall())
      saveAt = min(saveAt, now + ClientStore.idleInterval)
      // The surface runs before its transports, so it sends them everything in the next round.
      if !surface.clients.all.isEmpty { return now }
    }
    if saveAt <= now {
      save(now, wall())
      saveAt = now + ClientStore.idleInterval
    }
    return saveAt
  }

  /// Saves the clients. The last call before the program ends.
  public func finish(_ now: Int64) { if isRead { save(now, wallTime()) } }

  private func restoreAll(_ text: String, _ now: Int64, _ wall: Int64) {
    let (all, wrong) = ClientRecord.read(text)
    stored = all
    if wrong > 0 { log("skipped \(wrong) unreadable lines of the stored clients") }
    for record in all.sorted(by: { $0.received > $1.received }) {
      let age = max(0, wall - record.received)
      guard age <= ClientStore.lifetime, surface.allow.admits(record.host) else { continue }
      let receivedAt = now - max(0, age - ClientStore.tolerance) * 1_000_000_000
      transport.confirm(Peer(record.host, port: 0), now: now)
      surface.restore(record, over: transport, receivedAt: receivedAt, now: now)
    }
  }

  private func save(_ now: Int64, _ wall: Int64) {
    let clients = surface.clients.all.filter { $0.transport === transport && transport.isConfirmed($0.peer) }
    let known = clients.map { client -> ClientRecord in
      var record = ClientRecord(client, received: wall - (now - client.receivedAt) / 1_000_000_000)
      // A nearly equal time is not a reason to write to a memory card.
      let same = stored.first { before in
        guard abs(before.received - record.received) <= ClientStore.tolerance else { return false }
        var moved = before
        moved.received = record.received
        return moved == record
      }
      if let same { record.received = same.received }
      return record
    }
    if known == stored { return }
    (stored, notBefore) = (known, now + ClientStore.saveInterval)
    surface.instrument.library.documents.save(text: ClientRecord.text(known), .clients)
  }
}

/// A client as stored across restarts: a line such as `192.168.1.20 heard 1763724000 sends 50000 part 3`.
struct ClientRecord: Equatable {
  let host: HostAddress
  /// When its last message arrived, seconds since 1970 by the wall clock; up to `ClientStore.tolerance` too early.
  var received: Int64
  /// The port that its messages came from; nil if they came from several.
  var onlyPort: Int?
  /// The port that it listens on, and the port that it subscribed from; nil for a tablet, which uses the reply port.
  var listenPort: Int?
  var subscribedPort: Int?
  /// Parts whose sound it receives, from 0.
  var parts: [Int] = []
  /// Parts whose details it receives, from 0.
  var detailedParts: [Int] = []

  /// The record of a client. `received` is the arrival of its last message, seconds since 1970 by the wall clock.
  init(_ client: Client, received: Int64) {
    host = client.peer.host
    self.received = received
    onlyPort = client.onlySender?.port
    subscribedPort = client.sender?.port
    listenPort = client.sender == nil ? nil : client.peer.port
    (parts, detailedParts) = (client.soundParts, client.detailedParts)
  }

  // MARK: - As text

  private static let head = "pipit clients "

  /// Records as text, with a version line on top.
  static func text(_ all: [ClientRecord]) -> String {
    head + "1\n" + all.map { $0.line + "\n" }.joined()
  }

  private var line: String {
    var words = ["\(host) heard \(received)"]
    if let onlyPort { words.append("sends \(onlyPort)") }
    if let listenPort { words.append("listens \(listenPort)") }
    if let subscribedPort { words.append("subscribed \(subscribedPort)") }
    words += parts.map { "part \($0 + 1)" } + detailedParts.map { "details \($0 + 1)" }
    return words.joined(separator: " ")
  }

  /// The records of a text, no more than there are slots, and the number of lines that cannot be read.
  static func read(_ text: String) -> (all: [ClientRecord], wrong: Int) {
    if text.isEmpty { return ([], 0) }
    guard text.utf8.count <= Limits.textBytes, text.hasPrefix(head) else { return ([], 1) }
    let lines = text.split(separator: "\n").dropFirst()
    let all = lines.compactMap { ClientRecord(line: $0) }
    return (Array(all.prefix(Limits.surfaceClients)), lines.count - all.count)
  }

  /// A record from its line. An unknown word was written by a newer pipit, and is skipped.
  private init?(line: Substring) {
    let words = line.split(separator: " ")
    guard let first = words.first, let host = HostAddress(first), words.count % 2 == 1 else { return nil }
    (self.host, received) = (host, -1)
    for index in stride(from: 1, to: words.count, by: 2) {
      guard let number = Int(words[index + 1]), number >= 0 else { return nil }
      switch words[index] {
      case "heard": received = Int64(number)
      case "sends": onlyPort = number
      case "listens": listenPort = number
      case "subscribed": subscribedPort = number
      case "part", "details":
        guard (1...Limits.parts).contains(number) else { return nil }
        if words[index] == "part" { parts.append(number - 1) } else { detailedParts.append(number - 1) }
      default: break
      }
    }
    let ports = [onlyPort, listenPort, subscribedPort].compactMap { $0 }
    guard received >= 0, ports.allSatisfy({ (1...65_535).contains($0) }),
      (listenPort == nil) == (subscribedPort == nil)
    else { return nil }
  }
}
