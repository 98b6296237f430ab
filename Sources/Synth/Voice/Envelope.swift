/// The ADSR envelopes of eight voices, exponential as those of an analog synthesizer.
///
/// Each stage is one curve towards a level beyond its end: `to = goal + (from - goal) * 2^(-rate * time)`.
/// Advanced from control tick to control tick; in between the user draws a straight line.
struct EnvelopeLanes {
  /// The level at the last tick and at the next.
  var from = Lanes.zero
  var to = Lanes.zero
  /// 0 attack, 1 decay and sustain, 2 release, 3 fading because it was stolen.
  var stage = Lanes(repeating: 2)
  /// Rates in halvings a second.
  var attack = Lanes(repeating: 1000)
  var decay = Lanes(repeating: 1000)
  var release = Lanes(repeating: 1000)
  /// 0…1.
  var sustain = Lanes.zero

  // The attack aims above the top, so that it arrives; log2(1.3 / 0.3) halvings lead to 1.
  static let overshoot: Float = 1.3
  static let attackHalvings: Float = 2.1155
  // Falls end 60 dB down: log2(1000).
  static let fallHalvings: Float = 9.9658
  // A release aims a little below nothing, so that it ends.
  static let undershoot: Float = -0.001
  // A stolen voice is gone after 4 ms: log2(1.05 / 0.05) / 0.004.
  static let fadeRate: Float = 1098
  static let fadeGoal: Float = -0.05

  /// Moves on: `elapsed` is how much of the last way was gone (1 unless an event came between), `seconds`
  /// the way ahead.
  @_noLocks @inline(__always)
  mutating func advance(elapsed: Float, seconds: Float) {
    from = from + (to - from) * elapsed
    var goal = Lanes(repeating: Self.overshoot)
    var rate = attack
    let falls = stage .>= Lanes(repeating: 1)
    goal = goal.replacing(with: sustain, where: falls)
    rate = rate.replacing(with: decay, where: falls)
    let released = stage .>= Lanes(repeating: 2)
    goal = goal.replacing(with: Lanes(repeating: Self.undershoot), where: released)
    rate = rate.replacing(with: release, where: released)
    let fades = stage .>= Lanes(repeating: 3)
    goal = goal.replacing(with: Lanes(repeating: Self.fadeGoal), where: fades)
    rate = rate.replacing(with: Lanes(repeating: Self.fadeRate), where: fades)
    to = goal + (from - goal) * exp2(rate * -seconds)
    let arrived = (stage .< Lanes(repeating: 1)) .& (to .>= Lanes(repeating: 1))
    stage = stage.replacing(with: Lanes(repeating: 1), where: arrived)
    to = larger(smaller(to, Lanes(repeating: 1)), Lanes.zero)
  }

  /// Starts one lane from nothing.
  @_noLocks
  mutating func start(_ lane: Int) {
    from[lane] = 0
    to[lane] = 0
    stage[lane] = 0
  }

  /// Gives one lane its knobs.
  @_noLocks
  mutating func set(_ lane: Int, _ knobs: EnvelopeKnobs) {
    attack[lane] = Self.attackHalvings / max(knobs.attack, 0.0005)
    decay[lane] = Self.fallHalvings / max(knobs.decay, 0.0005)
    release[lane] = Self.fallHalvings / max(knobs.release, 0.0005)
    sustain[lane] = knobs.sustain
  }
}
