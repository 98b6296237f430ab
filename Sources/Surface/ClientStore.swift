import Control
import Storage
import System

/// Keeps who is known over a restart, so that tablets show the truth again without being touched.
///
/// Times are kept by the wall clock. Many a box has none that survives its power: a time that lies ahead counts as
/// now, and a clock that is set makes all be kept anew.
public final class ClientStore {
  private let surface: ControlSurface
  private let transport: any Transport
  private let log: (String) -> Void
  // As they were kept last.
  private var kept: [ClientRecord] = []
  private var isRead = false
  private var saveAt = Int64.max
  // Nothing is saved earlier, so that a storm of newcomers does not wear a memory card out.
  private var notBefore = Int64.min

  /// For so long a client is known, in seconds since it was last heard.
  static let lifetime: Int64 = 12 * 3600
  /// How old the time at which a client was last heard may be where it is kept, in seconds.
  static let tolerance: Int64 = 300
  /// Until what has changed is saved, nanoseconds: after something was heard, after something was saved, and while
  /// nothing happens.
  private static let soon: Int64 = 1_000_000_000
  private static let rest: Int64 = 5_000_000_000
  private static let late: Int64 = 60_000_000_000

  /// A store of the clients that `transport` reaches; `log` takes a line about what cannot be read.
  public init(_ surface: ControlSurface, _ transport: any Transport, log: @escaping (String) -> Void) {
    (self.surface, self.transport, self.log) = (surface, transport, log)
  }

  /// Something was heard, which may have changed who is known.
  public func heardSomething(_ now: Int64) { saveAt = min(saveAt, max(now + ClientStore.soon, notBefore)) }

  /// Greets who was known before, as soon as the database has been read, and saves who is known when it is time;
  /// returns when it wants to be called again.
  public func update(_ now: Int64, wall: @autoclosure () -> Int64 = wallTime()) -> Int64? {
    if !isRead {
      guard let text = surface.instrument.library.documents.text(.clients) else { return nil }
      isRead = true
      greet(text, now, wall())
      saveAt = min(saveAt, now + ClientStore.late)
      // The surface, which has its turn before its transports, shows them everything in the next round.
      if !surface.clients.all.isEmpty { return now }
    }
    if saveAt <= now {
      save(now, wall())
      saveAt = now + ClientStore.late
    }
    return saveAt
  }

  /// Saves who is known now, as the last thing.
  public func finish(_ now: Int64) { if isRead { save(now, wallTime()) } }

  private func greet(_ text: String, _ now: Int64, _ wall: Int64) {
    let (all, wrong) = ClientRecord.read(text)
    kept = all
    if wrong > 0 { log("left out \(wrong) lines about clients from before that cannot be read") }
    for one in all.sorted(by: { $0.heard > $1.heard }) {
      let age = max(0, wall - one.heard)
      guard age <= ClientStore.lifetime, surface.allow.admits(one.host) else { continue }
      let heardAt = now - max(0, age - ClientStore.tolerance) * 1_000_000_000
      transport.confirm(Peer(one.host, port: 0), now: now)
      surface.welcome(one, over: transport, heardAt: heardAt, now: now)
    }
  }

  private func save(_ now: Int64, _ wall: Int64) {
    let clients = surface.clients.all.filter { $0.transport === transport && transport.isConfirmed($0.peer) }
    let known = clients.map { client -> ClientRecord in
      var one = ClientRecord(client, heard: wall - (now - client.heardAt) / 1_000_000_000)
      // A time that is about the same is no reason to write to a memory card.
      let same = kept.first { before in
        guard abs(before.heard - one.heard) <= ClientStore.tolerance else { return false }
        var moved = before
        moved.heard = one.heard
        return moved == one
      }
      if let same { one.heard = same.heard }
      return one
    }
    if known == kept { return }
    (kept, notBefore) = (known, now + ClientStore.rest)
    surface.instrument.library.documents.save(text: ClientRecord.text(known), .clients)
  }
}
