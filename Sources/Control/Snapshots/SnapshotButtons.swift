import Parameters
import Presets
import Scenes
import Storage

/// The letters A to H of a part: a short press recalls a snapshot, a long one stores the sound in it, and so does a
/// press after STORE. A press acts on its release, because only then its length is known; a press without a release
/// message, as of a foot switch, acts at once. Control thread.
public final class SnapshotButtons: Feature {
  private let writer: SceneWriter
  private let presets: PartPresets
  private let snapshots: SnapshotRecall
  private let notices: NoticeBoard
  private var pressed: [Button: Press] = [:]
  // The part whose sound the next letter stores, and when that ends; nil while STORE is not armed.
  private var armed: (part: Int, end: Int64)?

  /// A letter under the finger of a client.
  private struct Button: Hashable {
    let (client, part, snapshot): (Int, Int, Int)
  }

  private struct Press {
    let start: Int64
    /// Whether the player has been told that it is long enough to store.
    var isTold = false
  }

  /// A press of this length stores, nanoseconds.
  static let holdTime: Int64 = 500_000_000
  /// How long an armed STORE waits for a letter, nanoseconds.
  static let armedTime: Int64 = 10_000_000_000
  /// A press without its release is forgotten after this time, nanoseconds.
  static let forgetTime: Int64 = 60_000_000_000

  init(
    _ writer: SceneWriter, _ presets: PartPresets, _ snapshots: SnapshotRecall, _ notices: NoticeBoard
  ) {
    (self.writer, self.presets, self.snapshots, self.notices) = (writer, presets, snapshots, notices)
  }

  // MARK: - Letters

  /// Acts on a press without a release message: recalls a snapshot, 0…7, or stores it if STORE is armed. An empty
  /// snapshot posts a notice.
  func press(_ snapshot: Int, part: Int, now: Int64) {
    do throws(DocumentError) { try act(snapshot, part, now) } catch {
      notices.post(error.description, about: .preset, log: "")
    }
  }

  /// Acts on a press without a release message, as `press`. Throws if the snapshot is empty.
  public func touch(_ snapshot: Int, part: Int, now: Int64) throws(DocumentError) {
    if writer.isDuplicate("snapshot \(snapshot) \(part)", now) { return }
    try act(snapshot, part, now)
  }

  /// Acts on a press or a release by a client. A press of a letter after STORE acts at once.
  public func touch(_ snapshot: Int, isPressed: Bool, client: Int, part: Int, now: Int64)
    throws(DocumentError)
  {
    let button = Button(client: client, part: part, snapshot: snapshot)
    pressed = pressed.filter { now - $0.value.start < SnapshotButtons.forgetTime }
    if isPressed {
      if armed?.part == part { return try act(snapshot, part, now) }
      // A duplicate of the packet does not shorten the press; a press whose release was lost is forgotten.
      if let press = pressed[button], now - press.start < SceneWriter.duplicateInterval { return }
      pressed[button] = Press(start: now)
      return
    }
    // The focus may have changed since: the release belongs to the part of the press.
    guard
      let (button, press) = pressed.first(where: { $0.key.client == client && $0.key.snapshot == snapshot })
    else { return }
    pressed[button] = nil
    if now - press.start < SnapshotButtons.holdTime { return try act(snapshot, button.part, now) }
    store(snapshot, button.part)
  }

  private func store(_ snapshot: Int, _ part: Int) {
    // A recall in progress would move the part on from the stored sound.
    snapshots.stop(part: part)
    presets.store(snapshot, part: part)
    snapshots.choose(snapshot, part: part)
  }

  private func act(_ snapshot: Int, _ part: Int, _ now: Int64) throws(DocumentError) {
    if armed?.part != part { return try snapshots.recall(snapshot, part: part, now: now) }
    disarm()
    store(snapshot, part)
  }

  // MARK: - Store

  /// Whether the next letter stores the sound of a part.
  public func isArmed(part: Int) -> Bool { armed?.part == part }

  /// Arms or disarms storing in the letter pressed next; it is also disarmed after ten seconds.
  /// - Parameter now: CLOCK_MONOTONIC, to recognize a packet that the network has duplicated.
  public func arm(part: Int, now: Int64) {
    if writer.isDuplicate("snapshot \(part)", now) { return }
    if isArmed(part: part) { return disarm() }
    disarm()
    armed = (part, now + SnapshotButtons.armedTime)
    notices.post("Store the sound in which letter, A to H?", about: .preset, .state, log: "")
    writer.changed(.snapshots(part: part))
  }

  private func disarm() {
    guard let part = armed?.part else { return }
    armed = nil
    notices.clear(about: .preset)
    writer.changed(.snapshots(part: part))
  }

  /// A locked surface stores nothing, whatever was pressed before.
  func follow(_ change: Change) {
    if change != .lock { return }
    disarm()
    pressed = [:]
  }

  func update(_ now: Int64) -> Int64? {
    if let end = armed?.end, now >= end { disarm() }
    return [armed?.end, tellHeld(now)].compactMap { $0 }.min()
  }

  /// Posts a notice for each letter that has been held long enough to store. Returns the time of the next call.
  private func tellHeld(_ now: Int64) -> Int64? {
    var next: Int64?
    for (button, press) in pressed where !press.isTold {
      let due = press.start + SnapshotButtons.holdTime
      if now < due {
        next = min(next ?? .max, due)
        continue
      }
      pressed[button]?.isTold = true
      let letter = Table.snapshots[button.snapshot].uppercased()
      notices.post("Let go to store snapshot \(letter)", about: .preset, .moment(seconds: 3), log: "")
    }
    return next
  }
}
