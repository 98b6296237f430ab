import Control
import Glibc
import Synth
import System

/// Keeps who is known over a restart, so that tablets show the truth again without being touched.
///
/// Times are kept by the wall clock. Many a box has none that survives its power: a time that lies ahead counts as
/// now, and a clock that is set makes all be kept anew.
final class Memory {
  private let dispatch: Dispatch
  private let access: Access
  private let log: (String) -> Void
  // As they were kept last.
  private var kept: [Remembered] = []
  private var isRead = false
  private var lookAt = Int64.max
  // Earlier than this is not looked, so that a storm of newcomers does not wear a memory card out.
  private var notBefore = Int64.min

  /// Between two looks at what is to be kept, nanoseconds: after something was heard, after something was kept, and
  /// while nothing happens.
  private static let soon: Int64 = 1_000_000_000
  private static let rest: Int64 = 5_000_000_000
  private static let late: Int64 = 60_000_000_000

  init(_ dispatch: Dispatch, _ access: Access, log: @escaping (String) -> Void) {
    (self.dispatch, self.access, self.log) = (dispatch, access, log)
  }

  /// Something was heard, which may have changed who is known.
  func stir(_ now: Int64) { lookAt = min(lookAt, max(now + Memory.soon, notBefore)) }

  /// Greets who was known before, as soon as the database has been read, and keeps who is known; returns when to
  /// look again.
  func turn(_ now: Int64, wall: @autoclosure () -> Int64 = wallTime()) -> Int64? {
    if !isRead {
      guard let text = dispatch.control.library.clients else { return nil }
      isRead = true
      recall(text, now, wall())
      lookAt = min(lookAt, now + Memory.late)
    }
    if lookAt <= now {
      keep(now, wall())
      lookAt = now + Memory.late
    }
    return lookAt
  }

  /// Keeps who is known now, as the last thing.
  func finish(_ now: Int64) { if isRead { keep(now, wallTime()) } }

  private func recall(_ text: String, _ now: Int64, _ wall: Int64) {
    let (all, wrong) = Remembered.read(text)
    kept = all
    if wrong > 0 { log("left out \(wrong) lines about clients from before that cannot be read") }
    for one in all.sorted(by: { $0.heard > $1.heard }) {
      let age = max(0, wall - one.heard)
      guard age <= Limits.rememberedHours * 3600, access.admits(Source(address: one.address, port: 0)) else {
        continue
      }
      let heardAt = now - max(0, age - Int64(Limits.rememberedSeconds)) * 1_000_000_000
      dispatch.welcome(one, heardAt: heardAt, now: now)
    }
  }

  private func keep(_ now: Int64, _ wall: Int64) {
    let known = dispatch.clients.all.map { client -> Remembered in
      var one = Remembered(client, heard: wall - (now - client.heardAt) / 1_000_000_000)
      // A time that is about the same is no reason to write to a memory card.
      let same = kept.first { before in
        guard abs(before.heard - one.heard) <= Limits.rememberedSeconds else { return false }
        var moved = before
        moved.heard = one.heard
        return moved == one
      }
      if let same { one.heard = same.heard }
      return one
    }
    if known == kept { return }
    (kept, notBefore) = (known, now + Memory.rest)
    dispatch.control.library.keep(clients: Remembered.text(known))
  }
}
