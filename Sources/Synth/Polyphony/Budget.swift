/// How much the machine can render in time, as the last blocks have shown.
///
/// A block takes a share of its deadline: something for itself, and something for each group of voices that it
/// renders. What a group costs is learned from every block: quickly when it rises, at once when the deadline is
/// in danger, slowly when it falls. One block that suddenly takes many times as long is no sign of a slow machine:
/// something held it up, and fewer voices would not have helped; a second one is. What is beyond the budget fades
/// before the deadline is missed.
struct Budget {
  /// A block that took more than this share of its deadline was in danger.
  static var danger: Float { @_noLocks get { 0.8 } }
  /// The share that is aimed at: what is left is for stolen voices that fade, and for the machine.
  static var aim: Float { @_noLocks get { 0.7 } }
  /// Never fewer voices than this: two hands' worth.
  static var least: Int { @_noLocks get { 8 } }
  /// Blocks over which a rise is learned, and seconds over which a fall is.
  static var rise: Float { @_noLocks get { 8 } }
  static var fall: Float { @_noLocks get { 2 } }

  /// Voices that may sound.
  private(set) var voices = Limits.voices
  /// Groups that may be rendered, however many voices they hold.
  private(set) var groups = Limits.groups
  // Shares of the deadline: of a block without voices, and of each group in it.
  private var base: Float = 0
  private var group: Float = 0
  private var wasInDanger = false

  /// A budget for all voices.
  @_noLocks init() {}

  /// True while the machine is fast enough for everything.
  var isWhole: Bool { @_noLocks get { groups == Limits.groups && voices == Limits.voices } }

  /// Learns that a block of `seconds` with so many groups (a mean over its frames) took this share of its
  /// deadline.
  @_noLocks
  mutating func learn(share: Float, groups count: Float, seconds: Float) {
    guard share >= 0, share < 1000, count >= 0 else { return }
    if count < 0.5 {
      // Nothing to hear, so nothing to save.
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
    let room = max(0, Self.aim - base)
    let most = Float(Limits.groups)
    let allowed = group * most > room ? room / group : most
    groups = min(Limits.groups, Int(allowed) + 1)
    let lanes = allowed * Float(Limits.lanesPerGroup)
    voices = max(Self.least, Int(min(lanes, Float(Limits.voices))))
  }
}
