import CRealtime
import Scenes

extension EnvelopeKnobs {
  /// Whether any knob that changes a curve differs: all except the speed.
  @_noLocks
  func differs(_ other: EnvelopeKnobs) -> Bool {
    let stages = attack != other.attack || decay != other.decay || sustain != other.sustain
    let waits = release != other.release || delay != other.delay || hold != other.hold
    return stages || waits || curve != other.curve || loop != other.loop || retrigger != other.retrigger
  }
}

/// The curves of an envelope's stages, equal in all lanes of a sound.
///
/// All curves belong to one family: after a part x of the time, (1 - 2^(-h·x)) / (1 - 2^(-h)) of the distance from 0 to
/// 1 is covered, with h halvings. With h = 0 that is a straight line; with h below 0 the curve begins slowly.
///
/// The time of a decay or a release is the time in which it falls by 60 dB, towards the sustain level or 0, at any curve.
/// At curve 0 a fall is exponential, and below 0 it ends there. Above 0 it is two exponentials in turn: the first 30 dB
/// fall 1 + 2·curve times as fast as at curve 0, and the rest takes the rest of the time. A decay that loops is
/// exponential then.
struct EnvelopeCurves {
  /// The curve of each stage. A tick changes a level to `level · left + add`; in some stages, `addOfLevel` times their
  /// first level is part of `add`. `rate` is the number of halvings in a tick.
  private(set) var left = SIMD8<Float>(repeating: 1)
  private(set) var add = SIMD8<Float>.zero
  private(set) var addOfLevel = SIMD8<Float>.zero
  private(set) var rate = SIMD8<Float>.zero
  /// Durations in ticks.
  private(set) var delay: Float = 0
  private(set) var hold: Float = 0
  private var fade: Float = 0
  private var slowFade: Float = 0
  /// Whether a tied note restarts the envelope.
  private(set) var retriggers = true
  /// Whether the decay leads back to the attack; whether it has an end, and at which level.
  private(set) var loops = false
  private(set) var decayEnds = false
  private(set) var bottom: Float = 0
  private(set) var sustain: Float = 0
  /// True when falls are two exponentials in turn; a release then continues with the second one below the part `knee`
  /// of its first level.
  private(set) var isBowed = false
  private(set) var knee: Float = 0
  private(set) var tail = (left: Float(1), rate: Float(0), addOfLevel: Float(0))
  /// True when a held note decays to 0 and stays there.
  var fallsToNothing: Bool { @_noLocks get { sustain == 0 && !loops } }
  /// True for a percussive envelope: it falls to 0, and the release would last no shorter than the decay.
  private(set) var isPercussive = false
  /// The shortest part of an attack that plays before a release, in ticks: a quarter of a slow fade, 5 ms.
  var briefest: Float { @_noLocks get { slowFade / 4 } }

  // At curve 0, an attack aims above the top, so that it reaches it: log2(1.3 / 0.3) halvings lead to 1.
  private static var attackHalvings: Float { @_noLocks get { 2.11547722 } }
  // Falls end 60 dB down: log2(1000).
  private static var fallen: Float { @_noLocks get { 0.001 } }
  private static var fallHalvings: Float { @_noLocks get { 9.96578428 } }
  // The first part of a fall above curve 0 ends 30 dB down.
  private static var bowed: Float { @_noLocks get { 0.0316227766 } }
  // A release aims below 0 by this part of its first level, so that it ends: log2(1.0001 / 0.0011).
  private static var undershoot: Float { @_noLocks get { -0.0001 } }
  private static var releaseHalvings: Float { @_noLocks get { 9.82842519 } }
  /// Length of a stolen voice's fade, and of any other voice's, in seconds.
  private static var fade: Float { @_noLocks get { 0.004 } }
  private static var slowFade: Float { @_noLocks get { 0.02 } }
  /// The shortest time that a knob can set, in seconds.
  private static var shortest: Float { @_noLocks get { 0.0005 } }
  /// The most halvings of a curve that begins slowly.
  private static var slowest: Float { @_noLocks get { 4 } }
  /// A curve with fewer halvings than this is a straight line.
  private static var straight: Float { @_noLocks get { 0.05 } }

  /// Curves that do not move.
  @_noLocks init() {}

  /// The curves for an envelope's knobs; a tick lasts `seconds`.
  @_noLocks
  init(_ knobs: EnvelopeKnobs, seconds: Float) {
    let attack = Line(
      Self.curved(Self.attackHalvings, knobs.curve), time: max(knobs.attack, Self.shortest), tick: seconds)
    set(EnvelopeStage.attack, attack, add: attack.distance / attack.whole)

    let (decay, high) = (max(knobs.decay, Self.shortest), 1 - knobs.sustain)
    (loops, retriggers) = (knobs.loop >= 0.5, knobs.retrigger >= 0.5)
    isBowed = knobs.curve > 0
    let curve = loops ? min(knobs.curve, 0) : knobs.curve
    let fall = Line(Self.curved(Self.fallHalvings, curve), time: decay, tick: seconds)
    // An exponential fall continues beyond 60 dB, towards the sustain.
    let isEndless = knobs.curve >= 0
    let held = fall.isStraight ? 0 : knobs.sustain * fall.distance
    set(EnvelopeStage.decay, fall, add: isEndless ? held : held + high * fall.fall(to: Self.fallen))
    let rest = Line(Self.fallHalvings * Self.slowing(curve), time: decay, tick: seconds)
    set(EnvelopeStage.sustain, rest, add: knobs.sustain * rest.distance)
    decayEnds = loops || !isEndless || isBowed
    // A loop returns to the attack when the fall is over; a decay with an end stops where it would fall below the
    // sustain; and a bowed one continues more slowly from its knee.
    sustain = knobs.sustain
    bottom = sustain + (loops ? high * Self.fallen : isBowed ? high * Self.bowed : 0)

    let time = max(knobs.release, Self.shortest)
    let release = Line(Self.curved(Self.releaseHalvings, knobs.curve), time: time, tick: seconds)
    let aim = isEndless ? Self.undershoot * release.distance : release.fall(to: Self.fallen)
    set(EnvelopeStage.release, release, add: 0, ofLevel: aim)
    if isBowed {
      knee = Self.bowed
      let slow = Line(Self.releaseHalvings * Self.slowing(knobs.curve), time: time, tick: seconds)
      tail = (slow.left, slow.rate, Self.undershoot * slow.distance)
    }
    isPercussive = fallsToNothing && knobs.release >= knobs.decay
    (delay, hold) = (knobs.delay / seconds, knobs.hold / seconds)
    (fade, slowFade) = (Self.fade / seconds, Self.slowFade / seconds)
  }

  /// The halvings of a curve that has `halvings` at curve 0. A curve that begins slowly has few, because rounding
  /// errors grow with them.
  @_noLocks
  private static func curved(_ halvings: Float, _ curve: Float) -> Float {
    (curve < -0.5 ? min(halvings, slowest) : halvings) * (1 + 2 * curve)
  }

  /// Speed of the second half of a fall (half in decibels), so that both halves together take the time of curve 0.
  @_noLocks
  private static func slowing(_ curve: Float) -> Float {
    let curve = max(curve, 0)
    return (1 + 2 * curve) / (1 + 4 * curve)
  }

  @_noLocks
  private mutating func set(_ stage: Int, _ line: Line, add: Float, ofLevel: Float = 0) {
    (left[stage], rate[stage]) = (line.left, line.rate)
    (self.add[stage], addOfLevel[stage]) = (add, ofLevel)
  }

  /// Length in ticks of a stage that waits or fades.
  @_noLocks
  func wait(_ stage: Int) -> Float {
    switch stage {
    case EnvelopeStage.delay: delay
    case EnvelopeStage.hold: hold
    case EnvelopeStage.fade: fade
    case EnvelopeStage.slowFade: slowFade
    default: 0
    }
  }

  /// One curve of the family.
  private struct Line {
    /// Halvings in a tick, and the factor that a tick leaves.
    let rate: Float
    let left: Float
    /// Distance that a tick covers, and distance that the whole time covers, in the same unit.
    let distance: Float
    let whole: Float
    var isStraight: Bool { @_noLocks get { left == 1 } }

    @_noLocks
    init(_ halvings: Float, time: Float, tick: Float) {
      let ticks = time / tick
      let rate = max(-100, min(halvings / ticks, 100))
      let left = rt_exp2(-rate)
      if halvings.magnitude < EnvelopeCurves.straight || left == 1 {
        (self.rate, self.left, distance, whole) = (0, 1, 1 / ticks, 1)
        return
      }
      (self.rate, self.left) = (rate, left)
      distance = 1 - left
      // The factor of a tick is rounded. These are the halvings that lead to the rounded factor, so that the time is
      // kept.
      let kept = left < 0.5 ? halvings : -rt_log2(left) * ticks
      whole = 1 - rt_exp2(-kept)
    }

    /// The summand of a tick for a fall from 1 to `end` in the whole time.
    @_noLocks
    func fall(to end: Float) -> Float { distance * (1 - (1 - end) / whole) - (isStraight ? distance : 0) }
  }
}

/// The stages of an envelope, each of which has a curve in `EnvelopeCurves`.
enum EnvelopeStage {
  static var attack: Int { @_noLocks get { 0 } }
  static var decay: Int { @_noLocks get { 1 } }
  static var release: Int { @_noLocks get { 2 } }
  /// A fade of 4 ms, of a voice that was stolen.
  static var fade: Int { @_noLocks get { 3 } }
  /// The wait before the attack, and the wait at its top.
  static var delay: Int { @_noLocks get { 4 } }
  static var hold: Int { @_noLocks get { 5 } }
  /// The stage after a decay that has an end.
  static var sustain: Int { @_noLocks get { 6 } }
  /// A fade of 20 ms, when no note waits for the lane.
  static var slowFade: Int { @_noLocks get { 7 } }
}
