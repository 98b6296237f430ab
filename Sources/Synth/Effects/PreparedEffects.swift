import CRealtime
import Scenes

/// The effects of a part that have been allocated since its last recall. Control thread only.
///
/// The audio thread may still use them after the last image that refers to them, because the old sound of a recalled
/// part rings on.
final class PreparedEffects {
  let rate: Double
  private(set) var effects = PartEffects()
  private var made = [Effect?](repeating: nil, count: EffectKnobs.count)
  // All address tables that an image may refer to, the newest last.
  private var rows: [UnsafeMutablePointer<UInt>] = []
  private let users: UnsafeMutablePointer<UInt64>

  /// No effects yet, for a sample rate.
  init(rate: Double) {
    self.rate = rate
    let users = UnsafeMutablePointer<UInt64>.allocate(capacity: 8)
    users.initialize(repeating: 0, count: 8)
    self.users = users
    effects.users = UInt(bitPattern: users)
    publish()
  }

  deinit {
    for effect in made { effect?.deallocate() }
    for row in rows { row.deallocate() }
    users.deallocate()
  }

  /// True while a sound uses them.
  var isUsed: Bool { UInt32(truncatingIfNeeded: rt_load_ordered(users)) != 0 }

  /// Makes the effects that are on and do not exist yet.
  func prepare(_ knobs: EffectKnobs) {
    let missing = (0..<EffectKnobs.count).filter { made[$0] == nil && knobs.on >> UInt32($0) & 1 != 0 }
    if missing.isEmpty { return }
    for index in missing { made[index] = Effect(index, rate: rate) }
    publish()
  }

  /// Writes the addresses of the effects into a new table.
  private func publish() {
    let row = UnsafeMutablePointer<UInt>.allocate(capacity: EffectKnobs.count)
    for (index, effect) in made.enumerated() { (row + index).initialize(to: effect?.address ?? 0) }
    rows.append(row)
    effects.row = UInt(bitPattern: row)
  }
}
