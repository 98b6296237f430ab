import CRealtime

/// The envelopes of eight voices: delay, attack, hold, decay, sustain and release, exponential as those of an analog
/// synthesizer unless their curve is set otherwise.
///
/// In every stage a control tick takes a level to `level · left + add`; in between the user draws a straight line.
struct EnvelopeLanes {
  /// The stages, each a curve of its own.
  static var attack: Int { @_noLocks get { 0 } }
  static var decay: Int { @_noLocks get { 1 } }
  static var release: Int { @_noLocks get { 2 } }
  /// Fading in 4 ms because the voice was stolen.
  static var fade: Int { @_noLocks get { 3 } }
  /// Waiting before the attack, and at its top.
  static var delay: Int { @_noLocks get { 4 } }
  static var hold: Int { @_noLocks get { 5 } }
  /// Where a decay has an end: what it comes to.
  static var sustain: Int { @_noLocks get { 6 } }
  /// Fading in 20 ms, where nobody waits for the lane.
  static var slowFade: Int { @_noLocks get { 7 } }

  /// The level at the last tick and at the next.
  var from = Lanes.zero
  var to = Lanes.zero
  /// The stage of each lane, and what it means: what a whole tick leaves and adds, and the halvings in it.
  var stage = LaneWords(repeating: 2)
  var left = Lanes.zero
  var add = Lanes.zero
  var rate = Lanes.zero
  /// Ticks that a delay, a hold or a fade still takes.
  var wait = Lanes.zero

  /// Halvings after which nothing is left.
  static var longest: Float { @_noLocks get { 126 } }
  /// A fall that has come so far is over, 180 dB down: before its steps are too small for a Float.
  private static var nothing: Float { @_noLocks get { 1e-9 } }
  /// An attack of a whole number of ticks is at its top after these, whatever is rounded off on the way.
  private static var top: Float { @_noLocks get { 0.99999 } }
  /// What a tick must take for its curve to differ from a straight line.
  private static var bent: Float { @_noLocks get { 0.001 } }

  /// Moves on: `elapsed` is how much of the last way was gone (1 unless an event came between), `share` how much of a
  /// tick the way ahead is.
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

  /// The same with a speed for each lane.
  @_noLocks
  mutating func advance(elapsed: Float, share: Float, speed: Lanes) {
    if elapsed == 1 { from = to } else { from += (to - from) * elapsed }
    to = multiplyAdd(from, left, add)
    let fades =
      (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.fade)))
      .| (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.slowFade)))
    take(select(Lanes(repeating: share), share * speed, where: fades))
  }

  /// Takes a share of the tick that leads from `from` to `to`, or more than one: (1 - left^share) / (1 - left) of the way.
  @_noLocks
  private mutating func take(_ share: Lanes) {
    // Beyond that a curve that begins slowly would take more of the way than a Float can hold, and no way that much is NaN.
    let (one, bound) = (Lanes(repeating: 1), Lanes(repeating: 60))
    let whole = one - left
    let isBent = magnitude(whole) .> Lanes(repeating: Self.bent)
    let part = (one - exp2(smaller(larger(-rate * share, -bound), bound))) / select(whole, one, where: isBent)
    to = multiplyAdd(to - from, select(part, share, where: isBent), from)
  }

  /// Takes a way that has just been advanced, a share of a tick, to another sustain: the knob's and so much more. A decay
  /// that has an end, which is where the knob says, comes to it only then.
  @_noLocks
  mutating func sustain(_ curves: UnsafePointer<EnvelopeCurves>, _ more: Lanes, _ share: Lanes) {
    let knob = Lanes(repeating: curves.pointee.sustain)
    let by = smaller(larger(knob + more, Lanes.zero), Lanes(repeating: 1)) - knob
    let held = stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.sustain))
    let falling = stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.decay))
    let way = by * (1 - exp2(larger(-rate * share, Lanes(repeating: -Self.longest))))
    to += select(way, Lanes.zero, where: curves.pointee.decayEnds ? held : held .| falling)
  }

  /// Ends the falls that have come to nothing or below it: a release aims there, so that it arrives.
  @_noLocks @inline(__always)
  mutating func endFalls() {
    to = select(Lanes.zero, to, where: (to .< Lanes(repeating: Self.nothing)) .& (to .<= from))
  }

  /// The lanes that have been at nothing for a whole step, one bit each.
  @_noLocks @inline(__always)
  func silent() -> UInt8 { lanes(where: from .<= Lanes.zero) }

  /// Those of them that stay there while they are held, where the curves fall to nothing.
  @_noLocks @inline(__always)
  func over() -> UInt8 {
    let falls =
      (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.decay)))
      .| (stage .== LaneWords(repeating: UInt32(truncatingIfNeeded: Self.sustain)))
    return lanes(where: falls .& (larger(from, to) .<= Lanes.zero))
  }

  // MARK: - Stages

  /// Puts one lane into a stage, from where it is.
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
  private func isFade(_ stage: Int) -> Bool { stage == Self.fade || stage == Self.slowFade }

  /// Aims a lane that fades at where it is after a `share` of a tick more. The way down is 3x² - 2x³, which begins and ends
  /// without a corner: one would tick.
  @_noLocks
  private mutating func fade(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>, share: Float) {
    let whole = curves.pointee.wait(Int(stage[lane]))
    let (now, next) = (wait[lane] / whole, max(wait[lane] - share, 0) / whole)
    let (level, goal) = (now * now * (3 - 2 * now), next * next * (3 - 2 * next))
    add[lane] = goal > 0 ? to[lane] * (goal / level - 1) / share : -to[lane] / share
  }

  /// Puts one lane where nothing moves any more: what rises or falls the faster the longer would go on in a lane without
  /// a voice until it is no number.
  @_noLocks
  mutating func silence(_ lane: Int) {
    stage[lane] = UInt32(Self.release)
    (from[lane], to[lane], left[lane], add[lane], rate[lane], wait[lane]) = (0, 0, 0, 0, 0, 0)
  }

  /// Starts one lane from nothing.
  @_noLocks
  mutating func start(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>) {
    (from[lane], to[lane]) = (0, 0)
    strike(lane, curves)
  }

  /// Starts one lane from where it is.
  @_noLocks
  mutating func strike(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>) {
    enter(lane, curves.pointee.delay > 0 ? Self.delay : Self.attack, curves)
  }

  /// Starts one lane anew; not where it is tied to the note before and goes on then.
  @_noLocks
  mutating func restrike(_ lane: Int, _ curves: UnsafePointer<EnvelopeCurves>, isTied: Bool) {
    if !isTied || curves.pointee.retriggers { strike(lane, curves) }
  }

  /// True when a lane has its top before it.
  @_noLocks
  func rises(_ lane: Int) -> Bool {
    stage[lane] == UInt32(Self.attack) || stage[lane] == UInt32(Self.delay)
  }

  /// Lets the lanes go on whose stage ends with the way ahead, a `share` of a tick; `passed` is what has passed of the last
  /// tick. True while any is in a stage that ends.
  @_noLocks
  mutating func endStages(_ curves: UnsafePointer<EnvelopeCurves>, passed: Float, share: Float) -> Bool {
    wait -= Lanes(repeating: passed)
    var ends = false
    var lane = 0
    while lane < Limits.lanesPerGroup {
      let stage = Int(stage[lane])
      switch stage {
      case Self.attack:
        ends = true
        if to[lane] >= Self.top {
          to[lane] = 1
          enter(lane, curves.pointee.hold > 0 ? Self.hold : Self.decay, curves)
          wait[lane] += share
        }
      case Self.delay, Self.hold:
        ends = true
        if wait[lane] - share <= 0.5 { enter(lane, stage == Self.hold ? Self.decay : Self.attack, curves) }
      case Self.decay:
        if !curves.pointee.decayEnds { break }
        ends = true
        if to[lane] <= curves.pointee.bottom {
          to[lane] = max(to[lane], curves.pointee.sustain)
          enter(lane, curves.pointee.loops ? Self.attack : Self.sustain, curves)
        }
      case Self.fade, Self.slowFade:
        ends = true
        // From the end of the way ahead on.
        wait[lane] -= share
        fade(lane, curves, share: share)
        wait[lane] += share
      default: break
      }
      lane &+= 1
    }
    return ends
  }

  /// Gives all lanes the curves of other knobs.
  @_noLocks
  mutating func follow(_ curves: UnsafePointer<EnvelopeCurves>) {
    var lane = 0
    while lane < Limits.lanesPerGroup {
      let rest = wait[lane]
      enter(lane, Int(stage[lane]), curves)
      wait[lane] = min(rest, wait[lane])
      if isFade(Int(stage[lane])) { fade(lane, curves, share: 1) }
      lane &+= 1
    }
  }
}
