import CRealtime

/// The drive of a part: bends what goes through it by one of four curves, at four times its rate, between a tilt and a
/// low-pass, and keeps its loudness.
///
/// It mixes by itself, since its dry sound has to be as late as what is bent.
struct EffectDrive {
  private let left: DriveResampling
  private let right: DriveResampling
  private let rate: Float
  private var tone: DriveTone
  // Frames since the tick.
  private var place = 0
  // Factors of the sound and of what the tilt's low-pass leaves of it, in front of the curve; of the dry sound and the bent
  // one; the bias, how much of the second curve there is, the share of the tilt's low-pass, and what keeps the loudness.
  private var ramp = TickRamp()
  // The low-passes of the tilt.
  private var low = SIMD2<Float>.zero
  // A `DriveShape`, and the one that it fades to.
  private var curve = 0
  private var nextCurve = 0
  private var fade: Float = 0
  private var level: DriveLevel
  // The bias, which moves slowly, so that the high-pass takes off what it adds of a steady part.
  private var bias: Float = 0
  private var biasGoal: Float = 0
  // Of the last tick: gain, tilt and mix, and the level of what comes in.
  private var last = SIMD4<Float>(repeating: -1)

  /// Frames by which it is late, whatever its mix.
  static var latency: Int { @_noLocks get { DriveResampling.latency } }
  /// How much of the neighbours of a frame is mixed into it in front of a curve that folds: -2 dB at 10 kHz, -6 at 20.
  private static var foldDamping: Float { @_noLocks get { 0.14 } }
  /// Seconds in which one curve fades into another.
  private static var fadeTime: Float { @_noLocks get { 0.02 } }
  /// Seconds in which the bias gets nearer by a factor of e: up, and down, where a quiet sound must not get lost in the bend.
  private static var biasRise: Float { @_noLocks get { 0.03 } }
  private static var biasFall: Float { @_noLocks get { 0.008 } }
  /// Hertz around which the tilt turns.
  private static var tiltCentre: Float { @_noLocks get { 700 } }
  /// What comes in is bounded by this, so that nothing overflows on its way.
  private static var loudest: Float { @_noLocks get { 10_000 } }

  /// Control thread only.
  init(rate: Double) {
    let floats = DriveResampling.rows * DriveResampling.row
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * floats)
    memory.initialize(repeating: 0, count: 2 * floats)
    (left, right) = (DriveResampling(memory: memory), DriveResampling(memory: memory + floats))
    self.rate = Float(rate)
    tone = DriveTone(rate: rate)
    level = DriveLevel(rate: rate)
  }

  /// Control thread only.
  func deallocate() { left.memory.deallocate() }

  // MARK: - Knobs

  /// Puts everything where the knobs are, before it is heard; `within` a sound that is heard already or not.
  @_noLocks
  mutating func arrive(
    _ knobs: UnsafePointer<DriveKnobs>, _ chosen: UnsafePointer<DriveKnobs>, within: Bool = false
  ) {
    if within { level.begin() }
    curve = Self.curve(chosen)
    (nextCurve, fade) = (curve, 0)
    last = watched(knobs)
    biasGoal = DriveLoudness.bias(last.x, level: last.w)
    bias = biasGoal
    let next = goal(knobs)
    ramp.rest(at: next)
    tone.arrive(chosen)
    place = 0
  }

  /// Goes to the knobs over the next `frames`.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DriveKnobs>, _ chosen: UnsafePointer<DriveKnobs>, frames: Int
  ) {
    place = 0
    let wanted = Self.curve(chosen)
    if fade >= 1 { (curve, fade) = (nextCurve, 0) }
    if curve == nextCurve { nextCurve = wanted }
    level.hear(left.dry - Limits.controlFrames, right.dry - Limits.controlFrames)
    let watched = watched(knobs)
    if watched.x != last.x || watched.w != last.w {
      biasGoal = DriveLoudness.bias(watched.x, level: watched.w)
    }
    let isAsymmetric = curve == 1 || nextCurve == 1
    let steadyMoves = curve != nextCurve || watched.x != last.x || watched.y != last.y || bias != biasGoal
    tone.aim(chosen, steadyMoves: isAsymmetric && steadyMoves, frames: frames)
    if curve != nextCurve {
      if fade == 0 { ramp.clear(5) }
      fade += Float(frames) / (Self.fadeTime * rate)
    } else if all(watched .== last), bias == biasGoal {
      ramp.stay()
      return
    }
    last = watched
    moveBias(frames: frames)
    let next = goal(knobs)
    ramp.aim(at: next, frames: frames)
  }

  @_noLocks @inline(__always)
  private func watched(_ knobs: UnsafePointer<DriveKnobs>) -> SIMD4<Float> {
    SIMD4(max(0, min(knobs.pointee.gain, 36)), knobs.pointee.tilt, knobs.pointee.mix, level.decibels)
  }

  @_noLocks
  private mutating func moveBias(frames: Int) {
    let way = biasGoal - bias
    if way.magnitude < 1e-4 {
      bias = biasGoal
    } else {
      bias += way * min(1, Float(frames) / ((way > 0 ? Self.biasRise : Self.biasFall) * rate))
    }
  }

  @_noLocks
  private static func curve(_ chosen: UnsafePointer<DriveKnobs>) -> Int {
    switch DriveShape.at(chosen.pointee.shape) {
    case .soft: 0
    case .asymmetric: 1
    case .hard: 2
    case .fold: 3
    }
  }

  /// Where the ramps go.
  @_noLocks
  private func goal(_ knobs: UnsafePointer<DriveKnobs>) -> SIMD8<Float> {
    let gain = max(0, min(knobs.pointee.gain, 36))
    let factor = DriveLoudness.factor(gain)
    let tilt = DriveLoudness.factor(max(-6, min(knobs.pointee.tilt, 6)))
    let share = min(1, fade)
    let kept =
      (1 - share) * DriveLoudness.kept(curve, gain, level: level.decibels)
      + share * DriveLoudness.kept(nextCurve, gain, level: level.decibels)
    let mix = max(0, min(knobs.pointee.mix, 1))
    return SIMD8(
      factor * tilt, factor * (1 / tilt - tilt), 1 - mix, mix, bias, share,
      corner(tilt), kept)
  }

  /// The share of the tilt's low-pass: its corner moves with the tilt, so that it turns around one frequency.
  @_noLocks
  private func corner(_ tilt: Float) -> Float {
    // Of no tilt it is not heard.
    if tilt == 1 { return 0 }
    let corner = Float(rt_tan64(Double(min(0.45, Self.tiltCentre * tilt / rate)) * Double.pi))
    return corner / (1 + corner)
  }

  // MARK: - Sound

  /// Some frames in place, 16 at most and never across a tick.
  @_noLocks
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    Self.take(l, left.dry, frames)
    Self.take(r, right.dry, frames)
    tilt(frames)
    bend(left, frames)
    bend(right, frames)
    keepLoudness(frames)
    tone.process(left.wet, right.wet, frames: frames)
    mix(l, r, frames)
    left.pass(frames: frames)
    right.pass(frames: frames)
    place &+= frames
  }

  /// Takes what comes in, within bounds.
  @_noLocks
  private static func take(
    _ x: UnsafeMutablePointer<Float>, _ dry: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    let bound = Quad(repeating: loudest)
    var i = 0
    while i &+ 4 <= frames {
      (dry + i).four = larger(-bound, smaller(bound, (x + i).four))
      i &+= 4
    }
    while i < frames {
      dry[i] = max(-loudest, min(loudest, x[i]))
      i &+= 1
    }
  }

  /// What goes into the tilt, a frame late: in front of a curve that folds without some of the treble, of which it would make
  /// the most images. Mutating, or the compiler copies all of it for the call.
  @_noLocks
  private mutating func input(_ channel: DriveResampling, _ frames: Int) -> UnsafeMutablePointer<Float> {
    let x = channel.dry - 1
    if curve != 3, nextCurve != 3 { return x }
    let y = channel.wet
    let weight = Quad(repeating: Self.foldDamping)
    var i = 0
    while i < frames {
      var share = Quad(repeating: 1)
      if curve != nextCurve {
        share = ramp.quad(5, place &+ i)
        if curve == 3 { share = 1 - share }
      }
      let now: Quad = (x + i).four
      let before: Quad = (x + (i &- 1)).four - now
      let after: Quad = (x + (i &+ 1)).four - now
      (y + i).four = multiplyAdd(weight * share, before + after, now)
      i &+= 4
    }
    return y
  }

  /// Level and tilt: with the low-pass of the tilt where there is one.
  @_noLocks
  private mutating func tilt(_ frames: Int) {
    let x = input(left, frames)
    let y = input(right, frames)
    let (p, q) = (left.tilted, right.tilted)
    let (from, step) = (ramp.from, ramp.step)
    var way: Quad = Quad(0, 1, 2, 3) + Float(place)
    var i = 0
    if from[1] == 0, step[1] == 0 {
      low = .zero
      while i < frames {
        let level: Quad = way * step[0] + from[0]
        (p + i).four = level * (x + i).four
        (q + i).four = level * (y + i).four
        way += 4
        i &+= 4
      }
      return
    }
    let share = ramp.goal[6]
    var s = low
    while i < frames {
      let v = (SIMD2(x[i], y[i]) - s) * share
      let below = v + s
      s = below + v
      (p[i], q[i]) = (below.x, below.y)
      i &+= 1
    }
    low = s
    i = 0
    while i < frames {
      let level: Quad = way * step[0] + from[0]
      let lows: Quad = way * step[1] + from[1]
      (p + i).four = multiplyAdd(level, (x + i).four, lows * (p + i).four)
      (q + i).four = multiplyAdd(level, (y + i).four, lows * (q + i).four)
      way += 4
      i &+= 4
    }
  }

  /// From what is tilted to what is bent.
  @_noLocks
  private mutating func bend(_ channel: DriveResampling, _ frames: Int) {
    channel.up(frames: frames)
    channel.betweenPoints(frames: frames)
    bend(channel, curve, channel.means, frames)
    if curve != nextCurve {
      bend(channel, nextCurve, channel.others, frames)
      blend(channel, frames)
    }
    channel.toTwo(frames: frames)
    channel.toOne(frames: frames)
  }

  /// The four ways of each frame.
  @_noLocks
  private mutating func bend(
    _ channel: DriveResampling, _ curve: Int, _ y: UnsafeMutablePointer<Float>, _ frames: Int
  ) {
    switch curve {
    case 0: DriveCurve.bounded(channel, y, frames: frames, bound: 1.5, cubic: 1 / 27)
    case 1:
      DriveCurve.biased(channel, y, frames: frames, place: place, bias: ramp.from[4], step: ramp.step[4])
    case 2: DriveCurve.bounded(channel, y, frames: frames, bound: 1, cubic: 0)
    default: fold(channel, y, frames)
    }
  }

  /// The four ways of each frame where the curve folds.
  @_noLocks
  private mutating func fold(_ channel: DriveResampling, _ y: UnsafeMutablePointer<Float>, _ frames: Int) {
    let row = DriveResampling.row
    let (v, w) = (channel.values, channel.integrals)
    let (a, b, c, d) = (channel.points, channel.quarters, channel.halves, channel.threeQuarters)
    // One more point than frames: where the last way ends.
    DriveCurve.fold(a, v, w, frames: frames &+ 1)
    DriveCurve.fold(b, v + row, w + row, frames: frames)
    DriveCurve.fold(c, v + 2 &* row, w + 2 &* row, frames: frames)
    DriveCurve.fold(d, v + 3 &* row, w + 3 &* row, frames: frames)
    DriveCurve.folded(a, b, curve: v, v + row, integral: w, w + row, y, frames: frames)
    DriveCurve.folded(
      b, c, curve: v + row, v + 2 &* row, integral: w + row, w + 2 &* row, y + row, frames: frames)
    DriveCurve.folded(
      c, d, curve: v + 2 &* row, v + 3 &* row, integral: w + 2 &* row, w + 3 &* row, y + 2 &* row,
      frames: frames)
    DriveCurve.folded(
      d, a + 1, curve: v + 3 &* row, v + 1, integral: w + 3 &* row, w + 1, y + 3 &* row, frames: frames)
  }

  /// Fades from one curve to the other.
  @_noLocks
  private mutating func blend(_ channel: DriveResampling, _ frames: Int) {
    let (x, y) = (channel.others, channel.means)
    var i = 0
    while i < frames {
      let share = ramp.quad(5, place &+ i)
      var j = i
      while j < 4 &* DriveResampling.row {
        let from = (y + j).four
        (y + j).four = multiplyAdd(share, (x + j).four - from, from)
        j &+= DriveResampling.row
      }
      i &+= 4
    }
  }

  /// In front of the high-pass, so that what a curve has of steady parts does not grow when its gain falls.
  @_noLocks
  private mutating func keepLoudness(_ frames: Int) {
    let (p, q) = (left.wet, right.wet)
    var i = 0
    if ramp.hasRested(7) {
      let kept = ramp.from[7]
      while i < frames {
        (p + i).four = kept * (p + i).four
        (q + i).four = kept * (q + i).four
        i &+= 4
      }
      return
    }
    while i < frames {
      let kept = ramp.quad(7, place &+ i, late: Self.latency)
      (p + i).four = kept * (p + i).four
      (q + i).four = kept * (q + i).four
      i &+= 4
    }
  }

  /// The dry sound and what was bent.
  @_noLocks
  private mutating func mix(_ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ frames: Int)
  {
    let (x, y) = (left.dry - DriveResampling.latency, right.dry - DriveResampling.latency)
    let (p, q) = (left.wet, right.wet)
    var i = 0
    while i < frames, !ramp.rests(2, at: 0) {
      let (dry, wet) = (ramp.quad(2, place &+ i), ramp.quad(3, place &+ i))
      (p + i).four = multiplyAdd(wet, (p + i).four, dry * (x + i).four)
      (q + i).four = multiplyAdd(wet, (q + i).four, dry * (y + i).four)
      i &+= 4
    }
    i = 0
    while i &+ 4 <= frames {
      (l + i).four = (p + i).four
      (r + i).four = (q + i).four
      i &+= 4
    }
    while i < frames {
      (l[i], r[i]) = (p[i], q[i])
      i &+= 1
    }
  }

  /// Empties its memory of sound; true, since that is done at once.
  @_noLocks
  mutating func forget() -> Bool {
    left.forget()
    right.forget()
    low = .zero
    tone.forget()
    level.forget()
    return true
  }
}
