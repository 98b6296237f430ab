import CRealtime

/// The effects of a part since its last recall, made ready for audio. Control thread only.
///
/// Audio may go on with them when no image has them any more: a recalled part's old sound rings on.
final class PreparedEffects {
  let rate: Double
  private(set) var effects = PartEffects()
  private var made = [Effect?](repeating: nil, count: EffectKnobs.count)
  // All that an image may have, the newest last.
  private var rows: [UnsafeMutablePointer<UInt>] = []
  private let users: UnsafeMutablePointer<UInt64>

  /// None yet, for a sample rate.
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

  /// Makes those that are on and not there yet.
  func prepare(_ knobs: EffectKnobs) {
    let missing = (0..<EffectKnobs.count).filter { made[$0] == nil && knobs.on >> UInt32($0) & 1 != 0 }
    if missing.isEmpty { return }
    for place in missing { made[place] = Effect(place, rate: rate) }
    publish()
  }

  /// Writes where they lie into a row of its own.
  private func publish() {
    let row = UnsafeMutablePointer<UInt>.allocate(capacity: EffectKnobs.count)
    for (place, effect) in made.enumerated() { (row + place).initialize(to: effect?.address ?? 0) }
    rows.append(row)
    effects.row = UInt(bitPattern: row)
  }
}
