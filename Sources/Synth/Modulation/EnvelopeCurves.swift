import CRealtime

extension EnvelopeKnobs {
  /// Whether any knob stands elsewhere.
  @_noLocks
  func differs(_ other: EnvelopeKnobs) -> Bool {
    let stages = attack != other.attack || decay != other.decay || sustain != other.sustain
    let waits = release != other.release || delay != other.delay || hold != other.hold
    return stages || waits || curve != other.curve || loop != other.loop || retrigger != other.retrigger
  }
}

/// What the knobs of an envelope mean to all lanes of a sound: a curve for each stage.
///
/// All curves are of one family: of a way from 0 to 1, (1 - 2^(-h·x)) / (1 - 2^(-h)) is gone after a part x of the time,
/// with h halvings. Without halvings that is a straight line, with fewer than none it begins slowly.
struct EnvelopeCurves {
  /// For each stage, what a tick takes a level to: `level · left + add`, and of some a part of the level that they began
  /// at; and the halvings in a tick.
  private(set) var left = SIMD8<Float>(repeating: 1)
  private(set) var add = SIMD8<Float>.zero
  private(set) var addOfLevel = SIMD8<Float>.zero
  private(set) var rate = SIMD8<Float>.zero
  /// Ticks.
  private(set) var delay: Float = 0
  private(set) var hold: Float = 0
  private var fade: Float = 0
  private var slowFade: Float = 0
  /// Whether a note that is tied to another begins anew.
  private(set) var retriggers = true
  /// Whether the decay begins anew with the attack, and whether it has an end, and where.
  private(set) var loops = false
  private(set) var decayEnds = false
  private(set) var bottom: Float = 0
  private(set) var sustain: Float = 0
  /// True when what is held decays to nothing and stays there.
  var fallsToNothing: Bool { @_noLocks get { sustain == 0 && !loops } }

  // At the curve 0, an attack aims above the top, so that it arrives: log2(1.3 / 0.3) halvings lead to 1.
  private static var attackHalvings: Float { @_noLocks get { 2.11547722 } }
  // Falls end 60 dB down: log2(1000).
  private static var fallen: Float { @_noLocks get { 0.001 } }
  private static var fallHalvings: Float { @_noLocks get { 9.96578428 } }
  // A release aims so far below nothing, as a part of the level that it begins at, so that it ends: log2(1.0001 / 0.0011).
  private static var undershoot: Float { @_noLocks get { -0.0001 } }
  private static var releaseHalvings: Float { @_noLocks get { 9.82842519 } }
  /// Seconds in which a voice that was stolen is gone, and another that fades.
  private static var fade: Float { @_noLocks get { 0.004 } }
  private static var slowFade: Float { @_noLocks get { 0.02 } }
  /// Seconds: the shortest time that a knob can mean.
  private static var shortest: Float { @_noLocks get { 0.0005 } }
  /// The most by which a curve can begin slowly.
  private static var slowest: Float { @_noLocks get { 4 } }
  /// Fewer halvings than this are a straight line.
  private static var straight: Float { @_noLocks get { 0.05 } }

  /// No curve yet.
  @_noLocks init() {}

  /// The curves of an envelope's knobs; a tick takes so many `seconds`.
  @_noLocks
  init(_ knobs: EnvelopeKnobs, seconds: Float) {
    let attack = Line(
      Self.bent(Self.attackHalvings, knobs.curve), time: max(knobs.attack, Self.shortest), tick: seconds)
    set(EnvelopeLanes.attack, attack, add: attack.gone / attack.whole)

    let (decay, high) = (max(knobs.decay, Self.shortest), 1 - knobs.sustain)
    let fall = Line(Self.bent(Self.fallHalvings, knobs.curve), time: decay, tick: seconds)
    // An exponential fall goes on beyond its 60 dB, towards the sustain.
    let isEndless = knobs.curve >= 0
    let rest = fall.isStraight ? 0 : knobs.sustain * fall.gone
    set(EnvelopeLanes.decay, fall, add: isEndless ? rest : rest + high * fall.fall(to: Self.fallen))
    let stay = Line(Self.fallHalvings, time: decay, tick: seconds)
    set(EnvelopeLanes.sustain, stay, add: knobs.sustain * stay.gone)
    (loops, retriggers) = (knobs.loop >= 0.5, knobs.retrigger >= 0.5)
    decayEnds = loops || !isEndless
    // A loop turns where the fall is over; an end is where it would go on below the sustain.
    sustain = knobs.sustain
    bottom = sustain + (loops ? high * Self.fallen : 0)

    let release = Line(
      Self.bent(Self.releaseHalvings, knobs.curve), time: max(knobs.release, Self.shortest), tick: seconds)
    let aim = isEndless ? Self.undershoot * release.gone : release.fall(to: Self.fallen)
    set(EnvelopeLanes.release, release, add: 0, ofLevel: aim)
    (delay, hold) = (knobs.delay / seconds, knobs.hold / seconds)
    (fade, slowFade) = (Self.fade / seconds, Self.slowFade / seconds)
  }

  /// The halvings of a curve that has so many at 0. Below a straight line there are few, since what is rounded off grows
  /// with them.
  @_noLocks
  private static func bent(_ halvings: Float, _ curve: Float) -> Float {
    (curve < -0.5 ? min(halvings, slowest) : halvings) * (1 + 2 * curve)
  }

  @_noLocks
  private mutating func set(_ stage: Int, _ line: Line, add: Float, ofLevel: Float = 0) {
    (left[stage], rate[stage]) = (line.left, line.rate)
    (self.add[stage], addOfLevel[stage]) = (add, ofLevel)
  }

  /// Ticks that a stage takes which waits or fades.
  @_noLocks
  func wait(_ stage: Int) -> Float {
    switch stage {
    case EnvelopeLanes.delay: delay
    case EnvelopeLanes.hold: hold
    case EnvelopeLanes.fade: fade
    case EnvelopeLanes.slowFade: slowFade
    default: 0
    }
  }

  /// One way of the family.
  private struct Line {
    /// Halvings in a tick, and what one leaves.
    let rate: Float
    let left: Float
    /// How much a tick takes of a way, in the unit of `whole`, which the whole time does.
    let gone: Float
    let whole: Float
    var isStraight: Bool { @_noLocks get { left == 1 } }

    @_noLocks
    init(_ halvings: Float, time: Float, tick: Float) {
      let ticks = time / tick
      let rate = max(-100, min(halvings / ticks, 100))
      let left = rt_exp2(-rate)
      if halvings.magnitude < EnvelopeCurves.straight || left == 1 {
        (self.rate, self.left, gone, whole) = (0, 1, 1 / ticks, 1)
        return
      }
      (self.rate, self.left) = (rate, left)
      gone = 1 - left
      // What a tick leaves is rounded: the halvings are those that lead there, so that the time is kept.
      let kept = left < 0.5 ? halvings : -rt_log2(left) * ticks
      whole = 1 - rt_exp2(-kept)
    }

    /// What a tick adds on a way from 1 down to `end` in the whole time.
    @_noLocks
    func fall(to end: Float) -> Float { gone * (1 - (1 - end) / whole) - (isStraight ? gone : 0) }
  }
}
