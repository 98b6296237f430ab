/// A level as meters show it: it rises at once and falls by 20 dB a second, like a peak programme meter. Its maximum
/// is held for two seconds, for numeric displays. In tenths of a decibel, so that a steady tone shows a steady value.
struct LevelMeter: Sendable {
  /// The level of silence, in decibels.
  let rest: Double
  /// The current level, in decibels.
  private(set) var level: Double
  /// The maximum of the last two seconds, in decibels.
  private(set) var held: Double
  private var heldAt: Int64 = 0
  private var at: Int64?

  private static let fallPerSecond = 20.0
  private static let holdTime: Int64 = 2_000_000_000

  init(rest: Double) { (self.rest, level, held) = (rest, rest, rest) }

  /// Updates the meter with the highest level since the last call, in decibels. True if the displayed value has
  /// changed.
  mutating func take(_ decibels: Double, _ now: Int64) -> Bool {
    let before = (level, held)
    let seconds = Double(now - (at ?? now)) * 1e-9
    at = now
    let highest = max(rest, Self.tenths(decibels))
    level = max(highest, Self.tenths(level - Self.fallPerSecond * seconds))
    if highest >= held || now - heldAt >= Self.holdTime { (held, heldAt) = (level, now) }
    return (level, held) != before
  }

  private static func tenths(_ decibels: Double) -> Double { (decibels * 10).rounded() / 10 }
}
