import CRealtime
import Scenes

/// The envelopes of eight voices: delay, attack, hold, decay, sustain and release. They are exponential, as those of an
/// analog synthesizer, unless their curve is set otherwise.
///
/// In every stage, a control tick changes a level to `level · left + add`. Between ticks the caller moves in a straight
/// line.
struct EnvelopeLanes {
  /// The level at the last tick and at the next.
  var from = Lanes.zero
  var to = Lanes.zero
  /// Stage of each lane, and the curve of the stage: the factor and the summand of a whole tick, and the halvings in a
  /// tick.
  var stage = LaneWords(repeating: 2)
  var left = Lanes.zero
  var add = Lanes.zero
  var rate = Lanes.zero
  /// Ticks left of a delay, a hold or a fade.
  var wait = Lanes.zero

  /// The largest number of halvings that is computed: after these, the level is practically 0.
  static var longest: Float { @_noLocks get { 126 } }
  /// A fall ends below this level, 180 dB down: before its steps are too small for a Float.
  private static var nothing: Float { @_noLocks get { 1e-9 } }
  /// An attack ends at this level, so that one of a whole number of ticks does not last a further tick due to rounding.
  private static var top: Float { @_noLocks get { 0.99999 } }
  /// The least share of its distance that a tick must cover for a curve to differ from a straight line.
  private static var leastCurved: Float { @_noLocks get { 0.001 } }

  /// Advances the levels. `elapsed` is the part of the last ramp that has been used, 1 unless an event interrupted
  /// it. `share` is the length of the coming ramp in ticks.
  @_noLocks @inline(__always)
  mutating func advance(elapsed: Float, share: Float) {
    if elapsed == 1 { from = to } else { from += (to - from) * elapsed }
    to = multiplyAdd(from, left, add)
    if share == 1 { return }
    if share == 2 {
      to = multiplyAdd(to, left, add)
    } else {
      take(Lanes(repeating: share))
    }
  }

  /// Advances the levels with a speed for each lane, which does not apply to fades.
  @_noLocks
  mutating func advance(elapsed: Float, share: Float, speed: Lanes) {
    if elapsed == 1 { from = to } else { from += (to - from) * elapsed }
    to = multiplyAdd(from, left, add)
    let fades =
      (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.fade)))
      .| (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.slowFade)))
    take(select(Lanes(repeating: share), share * speed, where: fades))
  }

  /// Moves `to` from the level after a whole tick to the level after `share` ticks, less than one or more:
  /// (1 - left^share) / (1 - left) of the distance.
  @_noLocks
  private mutating func take(_ share: Lanes) {
    // Beyond this bound, a curve that begins slowly would exceed the range of a Float, and a distance of 0 times that
    // is NaN.
    let (one, bound) = (Lanes(repeating: 1), Lanes(repeating: 60))
    let whole = one - left
    let isCurved = magnitude(whole) .> Lanes(repeating: Self.leastCurved)
    let part =
      (one - exp2(smaller(larger(-rate * share, -bound), bound))) / select(whole, one, where: isCurved)
    to = multiplyAdd(to - from, select(part, share, where: isCurved), from)
  }

  /// Changes the goals of a ramp that was just advanced by a share of a tick, for a modulated sustain level: that of
  /// the knob plus `more`. A decay with an end, which is at the knob's sustain, moves to the other sustain only after
  /// it.
  @_noLocks
  mutating func sustain(_ curves: UnsafePointer<EnvelopeCurves>, _ more: Lanes, _ share: Lanes) {
    let knob = Lanes(repeating: curves.pointee.sustain)
    let by = smaller(larger(knob + more, Lanes.zero), Lanes(repeating: 1)) - knob
    let held = stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.sustain))
    let falling = stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.decay))
    let change = by * (1 - exp2(larger(-rate * share, Lanes(repeating: -Self.longest))))
    to += select(change, Lanes.zero, where: curves.pointee.decayEnds ? held : held .| falling)
  }

  /// Ends falls below `nothing`, at 0: a release aims below 0, so that it reaches 0.
  @_noLocks @inline(__always)
  mutating func endFalls() {
    to = select(Lanes.zero, to, where: (to .< Lanes(repeating: Self.nothing)) .& (to .<= from))
  }

  /// The lanes that have been at 0 for a whole step, one bit each.
  @_noLocks @inline(__always)
  func silent() -> UInt8 { lanes(where: from .<= Lanes.zero) }

  /// The lanes that stay at 0 while their keys are held, one bit each; for curves that fall to 0.
  @_noLocks @inline(__always)
  func over() -> UInt8 {
    let falls =
      (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.decay)))
      .| (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: EnvelopeStage.sustain)))
    return lanes(where: falls .& (larger(from, to) .<= Lanes.zero))
  }

  // MARK: - Stages

  /// Puts one lane into a stage, from its current level.
  @_noLocks
  mutating func enter(_ lane: Int, _ stage: Int, _ curves: UnsafePointer<EnvelopeCurves>) {
    self.stage[lane] = UInt32(truncatingIfNeeded: stage)
    left[lane] = curves.pointee.left[stage]
    rate[lane] = curves.pointee.rate[stage]
    add[lane] = curves.pointee.add[stage] + curves.pointee.addOfLevel[stage] * to[lane]
    wait[lane] = curves.pointee.wait(stage)
    if isFade(stage) { fade(lane, curves, share: 1) }
  }

  @_noLocks @inline(__always)
  private func isFade(_ stage: Int) -> Bool { stage == EnvelopeStage.fade || stage == EnvelopeStage.slowFade }

  /// Sets the step of a lane that fades, to its level after a further `share` of a tick. The fade is 3x² - 2x³, which
  /// begins and ends without a corner: a corner would click.
  @_noLocks
  private mutating func fade(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>, share: Float) {
    let whole = curves.pointee.wait(Int(stage[lane]))
    let (now, next) = (wait[lane] / whole, max(wait[lane] - share, 0) / whole)
    let (level, goal) = (now * now * (3 - 2 * now), next * next * (3 - 2 * next))
    add[lane] = goal > 0 ? to[lane] * (goal / level - 1) / share : -to[lane] / share
  }

  /// Silences one lane with a curve that does not move: a curve that gets ever steeper would continue in a lane without
  /// a voice until it overflows to NaN.
  @_noLocks
  mutating func silence(_ lane: Int) {
    stage[lane] = UInt32(EnvelopeStage.release)
    (from[lane], to[lane], left[lane], add[lane], rate[lane], wait[lane]) = (0, 0, 0, 0, 0, 0)
  }

  /// Starts one lane from 0.
  @_noLocks
  mutating func start(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>) {
    (from[lane], to[lane]) = (0, 0)
    strike(lane, curves)
  }

  /// Starts one lane from its current level.
  @_noLocks
  mutating func strike(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>) {
    enter(lane, curves.pointee.delay > 0 ? EnvelopeStage.delay : EnvelopeStage.attack, curves)
  }

  /// Restarts one lane, unless its note is tied to the one before and the envelope does not retrigger.
  @_noLocks
  mutating func restrike(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>, isTied: Bool) {
    if !isTied || curves.pointee.retriggers { strike(lane, curves) }
  }

  /// True when a lane has not yet reached its top.
  @_noLocks
  func rises(_ lane: Int) -> Bool {
    stage[lane] == UInt32(EnvelopeStage.attack) || stage[lane] == UInt32(EnvelopeStage.delay)
  }

  /// True when a lane has begun to rise or to wait less than `ticks` ago. `endStages` counts them.
  @_noLocks
  func isYoung(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>, ticks: Float) -> Bool {
    rises(lane) && curves.pointee.wait(Int(stage[lane])) - wait[lane] < ticks
  }

  /// Moves lanes to the next stage if theirs ends within the coming ramp, a `share` of a tick; `passed` is the part of
  /// the last tick that has passed. True while any lane is in a stage that ends.
  @_noLocks
  mutating func endStages(_ curves: UnsafePointer<EnvelopeCurves>, passed: Float, share: Float) -> Bool {
    wait -= Lanes(repeating: passed)
    var ends = false
    var lane = 0
    while lane < Limits.lanesPerGroup {
      let stage = Int(stage[lane])
      switch stage {
      case EnvelopeStage.attack:
        ends = true
        if to[lane] >= Self.top {
          to[lane] = 1
          enter(lane, curves.pointee.hold > 0 ? EnvelopeStage.hold : EnvelopeStage.decay, curves)
          wait[lane] += share
        }
      case EnvelopeStage.delay, EnvelopeStage.hold:
        ends = true
        if wait[lane] - share <= 0.5 {
          enter(lane, stage == EnvelopeStage.hold ? EnvelopeStage.decay : EnvelopeStage.attack, curves)
        }
      case EnvelopeStage.decay:
        if !curves.pointee.decayEnds { break }
        ends = true
        if to[lane] <= curves.pointee.bottom {
          if curves.pointee.isBowed && !curves.pointee.loops {
            slow(
              lane, curves.pointee.sustain, curves.pointee.bottom,
              to: curves.pointee.rate[EnvelopeStage.sustain])
          }
          to[lane] = max(to[lane], curves.pointee.sustain)
          enter(lane, curves.pointee.loops ? EnvelopeStage.attack : EnvelopeStage.sustain, curves)
        }
      case EnvelopeStage.release:
        if !curves.pointee.isBowed || rate[lane] != curves.pointee.rate[stage] { break }
        ends = true
        let first = add[lane] / curves.pointee.addOfLevel[stage]
        if to[lane] <= curves.pointee.knee * first {
          slow(lane, 0, curves.pointee.knee * first, to: curves.pointee.tail.rate)
          (left[lane], rate[lane]) = (curves.pointee.tail.left, curves.pointee.tail.rate)
          add[lane] = curves.pointee.tail.addOfLevel * first
        }
      case EnvelopeStage.fade, EnvelopeStage.slowFade:
        ends = true
        // From the end of the coming ramp on.
        wait[lane] -= share
        fade(lane, curves, share: share)
        wait[lane] += share
      default: break
      }
      lane &+= 1
    }
    return ends
  }

  /// Corrects a level that has fallen below `knee` on its way to `end`: to the level that it would have if it had
  /// continued from the knee at the rate `slower`.
  @_noLocks
  private mutating func slow(_ lane: Int, _ end: Float, _ knee: Float, to slower: Float) {
    let (distance, whole) = (max(to[lane] - end, 1e-30), max(knee - end, 1e-30))
    let late = max(rt_log2(whole / distance), 0) / rate[lane]
    to[lane] = end + whole * rt_exp2(-slower * late)
  }

  /// Applies the curves of changed knobs to all lanes.
  @_noLocks
  mutating func follow(_ curves: UnsafePointer<EnvelopeCurves>) {
    for lane in 0..<Limits.lanesPerGroup {
      let rest = wait[lane]
      enter(lane, Int(stage[lane]), curves)
      wait[lane] = min(rest, wait[lane])
      if isFade(Int(stage[lane])) { fade(lane, curves, share: 1) }
    }
  }
}
