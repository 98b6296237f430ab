import Control
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
