import Scenes

/// Estimates from the last blocks how many voices the machine can render in time.
///
/// The render time of a block, as a share of its deadline, consists of a base and a cost per voice group. Every block
/// updates the cost per group: quickly when it rises, at once when the deadline is in danger, slowly when it falls. A
/// single block that suddenly takes many times as long does not count, because something else held it up and fewer
/// voices would not have helped; a second one in a row does. Voices beyond the budget fade before a deadline is missed.
struct Budget {
  /// A block that took more than this share of its deadline was in danger.
  static var danger: Float { @_noLocks get { 0.8 } }
  /// The target share; the rest is a reserve for stolen voices that fade, and for the machine.
  static var aim: Float { @_noLocks get { 0.7 } }
  /// The fewest voices that are always allowed: enough for two hands.
  static var least: Int { @_noLocks get { 8 } }
  /// Blocks over which a rise is averaged, and time constant of a fall in seconds.
  static var rise: Float { @_noLocks get { 8 } }
  static var fall: Float { @_noLocks get { 2 } }

  /// Allowed number of voices.
  private(set) var voices = Limits.voices
  /// Allowed number of groups, however many voices they hold.
  private(set) var groups = Limits.groups
  // Shares of the deadline: base of a block, and cost of each group.
  private var base: Float = 0
  private var group: Float = 0
  private var wasInDanger = false
  /// Groups that the machine can render in time, effects counted as groups of equal cost.
  private(set) var allowed = Float(Limits.groups)

  /// A budget for all voices.
  @_noLocks init() {}

  /// True while the machine is fast enough for everything.
  var isWhole: Bool { @_noLocks get { groups == Limits.groups && voices == Limits.voices } }

  /// Updates the estimate from a block of `seconds` that rendered `count` groups, a mean over its frames, and took
  /// `share` of its deadline.
  @_noLocks
  mutating func learn(share: Float, groups count: Float, seconds: Float) {
    guard share >= 0, share < 1000, count >= 0 else { return }
    if count < 0.5 {
      // No groups were rendered, so the block only measures the base.
      base += (min(share, Self.aim) - base) * min(1, seconds / Self.fall)
    } else {
      let cost = max(0, share - base) / count
      let isInDanger = share > Self.danger
      let isStall = isInDanger && !wasInDanger && cost > 2 * group
      wasInDanger = isInDanger
      if isStall { return }
      if cost < group {
        group += (cost - group) * min(1, seconds / Self.fall)
      } else {
        group += (cost - group) * (isInDanger ? 1 : 1 / Self.rise)
      }
    }
    let left = max(0, Self.aim - base)
    // Including the groups of the song parts.
    let most = 2 * Float(Limits.groups)
    allow(group * most > left ? left / group : most)
  }

  /// Allows a number of groups.
  @_noLocks
  mutating func allow(_ allowed: Float) {
    self.allowed = allowed
    groups = min(Limits.groups, Int(allowed) + 1)
    let lanes = allowed * Float(Limits.lanesPerGroup)
    voices = max(Self.least, Int(min(lanes, Float(Limits.voices))))
  }
}
