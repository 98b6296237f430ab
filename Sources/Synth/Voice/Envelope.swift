/// The ADSR envelopes of eight voices, exponential as those of an analog synthesizer.
///
/// Each stage is one curve towards a goal beyond its end: `to = goal + (from - goal) · 2^(-rate · time)`.
/// Advanced from control tick to control tick; in between the user draws a straight line.
struct EnvelopeLanes {
  /// The stages, each a curve of its own.
  static var attack: Int { @_noLocks get { 0 } }
  /// Decay and sustain.
  static var decay: Int { @_noLocks get { 1 } }
  static var release: Int { @_noLocks get { 2 } }
  /// Fading because the voice was stolen, or everything ends at once.
  static var fade: Int { @_noLocks get { 3 } }

  /// The level at the last tick and at the next.
  var from = Lanes.zero
  var to = Lanes.zero
  /// The stage of each lane, and what it means: where the curve leads, halvings a second, and the share that is left
  /// after a whole tick.
  var stage = LaneWords(repeating: 2)
  var goal = Lanes.zero
  var rate = Lanes(repeating: 1000)
  var left = Lanes.zero

  /// Moves on: `elapsed` is how much of the last way was gone (1 unless an event came between), `seconds` the way
  /// ahead, which is a whole tick or less.
  @_noLocks @inline(__always)
  mutating func advance(elapsed: Float, seconds: Float, isWhole: Bool) {
    if elapsed == 1 { from = to } else { from += (to - from) * elapsed }
    let left = isWhole ? left : exp2(larger(rate * -seconds, Lanes(repeating: -Self.longest)))
    to = multiplyAdd(from - goal, left, goal)
  }

  /// Halvings after which nothing is left.
  static var longest: Float { @_noLocks get { 126 } }

  /// Ends what has gone below nothing: a release aims there, so that it arrives.
  @_noLocks @inline(__always)
  mutating func endReleases() { to = larger(to, Lanes.zero) }

  /// Puts one lane into a stage.
  @_noLocks
  mutating func enter(_ lane: Int, _ stage: Int, _ curves: EnvelopeCurves) {
    self.stage[lane] = UInt32(stage)
    goal[lane] = curves.goal[stage]
    rate[lane] = curves.rate[stage]
    left[lane] = curves.left[stage]
  }

  /// Starts one lane from nothing.
  @_noLocks
  mutating func start(_ lane: Int, _ curves: EnvelopeCurves) {
    (from[lane], to[lane]) = (0, 0)
    enter(lane, Self.attack, curves)
  }

  /// Lets the lanes whose attack has arrived at the top decay from there. True while any is on its way.
  @_noLocks
  mutating func endAttacks(_ curves: EnvelopeCurves) -> Bool {
    var attacks = false
    var lane = 0
    while lane < Limits.lanesPerGroup {
      if stage[lane] == 0 {
        if to[lane] >= 1 {
          to[lane] = 1
          enter(lane, Self.decay, curves)
        } else {
          attacks = true
        }
      }
      lane &+= 1
    }
    return attacks
  }

  /// Gives all lanes the curves of other knobs.
  @_noLocks
  mutating func follow(_ curves: EnvelopeCurves) {
    var lane = 0
    while lane < Limits.lanesPerGroup {
      enter(lane, Int(stage[lane]), curves)
      lane &+= 1
    }
  }
}

/// What the knobs of an envelope mean to all lanes of a sound: a curve for each stage.
struct EnvelopeCurves {
  var goal = SIMD4<Float>.zero
  var rate = SIMD4<Float>.zero
  var left = SIMD4<Float>.zero

  // The attack aims above the top, so that it arrives; log2(1.3 / 0.3) halvings lead to 1.
  private static var overshoot: Float { @_noLocks get { 1.3 } }
  private static var attackHalvings: Float { @_noLocks get { 2.11547722 } }
  // Falls end 60 dB down: log2(1000).
  private static var fallHalvings: Float { @_noLocks get { 9.96578428 } }
  // A release aims a little below nothing, so that it ends.
  private static var undershoot: Float { @_noLocks get { -0.001 } }
  // A stolen voice is gone after 4 ms: log2(1.05 / 0.05) / 0.004.
  private static var fadeRate: Float { @_noLocks get { 1098 } }
  private static var fadeGoal: Float { @_noLocks get { -0.05 } }
  /// Seconds: the shortest time that a knob can mean.
  private static var shortest: Float { @_noLocks get { 0.0005 } }

  /// No curve yet.
  @_noLocks init() {}

  /// The curves of an envelope's knobs; a tick takes so many `seconds`.
  @_noLocks
  init(_ knobs: EnvelopeKnobs, seconds: Float) {
    goal = SIMD4(Self.overshoot, knobs.sustain, Self.undershoot, Self.fadeGoal)
    rate = SIMD4(
      Self.attackHalvings / max(knobs.attack, Self.shortest),
      Self.fallHalvings / max(knobs.decay, Self.shortest),
      Self.fallHalvings / max(knobs.release, Self.shortest), Self.fadeRate)
    let halvings = larger(
      Lanes(lowHalf: rate, highHalf: .zero) * -seconds, Lanes(repeating: -EnvelopeLanes.longest))
    left = exp2(halvings).lowHalf
  }
}
