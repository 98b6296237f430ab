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
  // What follows from gain and tilt: the factors of both, and the share of the tilt's low-pass.
  private var front = SIMD4<Float>(1, 1, 0, 0)

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
    if within { level.forget() }
    curve = Self.curve(chosen)
    (nextCurve, fade) = (curve, 0)
    last = watched(knobs)
    findFront()
    biasGoal = DriveLoudness.bias(last.x, level: last.w)
    bias = biasGoal
    let goal = findGoal()
    ramp.rest(at: goal)
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
    let isFrontOther = watched.x != last.x || watched.y != last.y
    last = watched
    if isFrontOther { findFront() }
    moveBias(frames: frames)
    let goal = findGoal()
    ramp.aim(at: goal, frames: frames)
  }

  @_noLocks @inline(__always)
  private func watched(_ knobs: UnsafePointer<DriveKnobs>) -> SIMD4<Float> {
    let (gain, tilt) = (max(0, min(knobs.pointee.gain, 36)), max(-6, min(knobs.pointee.tilt, 6)))
    return SIMD4(gain, tilt, max(0, min(knobs.pointee.mix, 1)), level.decibels)
  }

  @_noLocks @inline(never)
  private mutating func findFront() {
    let tilt = DriveLoudness.factor(last.y)
    front = SIMD4(DriveLoudness.factor(last.x), tilt, corner(tilt), 0)
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

  /// Where the ramps go. Mutating, or the compiler copies all of it for the call.
  @_noLocks
  private mutating func findGoal() -> SIMD8<Float> {
    let (factor, tilt, share) = (front.x, front.y, min(1, fade))
    var kept = DriveLoudness.kept(curve, last.x, level: last.w)
    if curve != nextCurve {
      kept = (1 - share) * kept + share * DriveLoudness.kept(nextCurve, last.x, level: last.w)
    }
    return SIMD8(factor * tilt, factor * (1 / tilt - tilt), 1 - last.z, last.z, bias, share, front.z, kept)
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

  /// Some frames in place, 16 at most and never across a tick; there has to be room for a whole one. What does not recurse is
  /// done for a whole tick, however few the frames are: of what is behind them nothing stays.
  @_noLocks
  mutating func process(
    _ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, frames: Int
  ) {
    Self.take(l, left.dry)
    Self.take(r, right.dry)
    tilt(frames)
    bend(left)
    bend(right)
    keepLoudness()
    tone.process(left.wet, right.wet, to: l, r, frames: frames)
    if !ramp.rests(2, at: 0) { mix(l, r, frames) }
    left.pass(frames: frames)
    right.pass(frames: frames)
    place &+= frames
  }

  /// Takes what comes in, within bounds.
  @_noLocks @inline(__always)
  private static func take(_ x: UnsafePointer<Float>, _ dry: UnsafeMutablePointer<Float>) {
    let bound = Quad(repeating: loudest)
    var i = 0
    while i < Limits.controlFrames {
      (dry + i).four = larger(smaller((x + i).four, bound), -bound)
      i &+= 4
    }
  }

  /// What goes into the tilt, a frame late: in front of a curve that folds without some of the treble, of which it would make
  /// the most images. Mutating, or the compiler copies all of it for the call.
  @_noLocks
  private mutating func input(_ channel: DriveResampling) -> UnsafeMutablePointer<Float> {
    let x = channel.dry - 1
    if curve != 3, nextCurve != 3 { return x }
    let y = channel.wet
    let weight = Quad(repeating: Self.foldDamping)
    var i = 0
    while i < Limits.controlFrames {
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
    let x = input(left)
    let y = input(right)
    let (p, q) = (left.tilted, right.tilted)
    let (from, step) = (ramp.from, ramp.step)
    var way: Quad = Quad(0, 1, 2, 3) + Float(place)
    var i = 0
    if from[1] == 0, step[1] == 0 {
      low = .zero
      while i < Limits.controlFrames {
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
    while i < Limits.controlFrames {
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
  private mutating func bend(_ channel: DriveResampling) {
    channel.up()
    channel.betweenPoints()
    bend(channel, curve, channel.means)
    if curve != nextCurve {
      bend(channel, nextCurve, channel.others)
      blend(channel)
    }
    channel.toTwo()
    channel.toOne()
  }

  /// The four ways of each frame.
  @_noLocks
  private mutating func bend(
    _ channel: DriveResampling, _ curve: Int, _ y: UnsafeMutablePointer<Float>
  ) {
    switch curve {
    case 0: DriveCurve.bounded(channel, y, bound: 1.5, cubic: 1 / 27)
    case 1:
      DriveCurve.biased(channel, y, place: place, bias: ramp.from[4], step: ramp.step[4])
    case 2: DriveCurve.bounded(channel, y, bound: 1, cubic: 0)
    default: fold(channel, y)
    }
  }

  /// The four ways of each frame where the curve folds.
  @_noLocks
  private mutating func fold(_ channel: DriveResampling, _ y: UnsafeMutablePointer<Float>) {
    let (row, frames) = (DriveResampling.row, Limits.controlFrames)
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
  private mutating func blend(_ channel: DriveResampling) {
    let (x, y) = (channel.others, channel.means)
    var i = 0
    while i < Limits.controlFrames {
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
  private mutating func keepLoudness() {
    let (p, q) = (left.wet, right.wet)
    var i = 0
    if ramp.hasRested(7) {
      let kept = ramp.from[7]
      while i < Limits.controlFrames {
        (p + i).four = kept * (p + i).four
        (q + i).four = kept * (q + i).four
        i &+= 4
      }
      return
    }
    while i < Limits.controlFrames {
      let kept = ramp.quad(7, place &+ i, late: Self.latency)
      (p + i).four = kept * (p + i).four
      (q + i).four = kept * (q + i).four
      i &+= 4
    }
  }

  /// Mixes the dry sound into what was bent.
  @_noLocks
  private mutating func mix(_ l: UnsafeMutablePointer<Float>, _ r: UnsafeMutablePointer<Float>, _ frames: Int)
  {
    let (x, y) = (left.dry - DriveResampling.latency, right.dry - DriveResampling.latency)
    var i = 0
    while i &+ 4 <= frames {
      let (dry, wet) = (ramp.quad(2, place &+ i), ramp.quad(3, place &+ i))
      (l + i).four = multiplyAdd(wet, (l + i).four, dry * (x + i).four)
      (r + i).four = multiplyAdd(wet, (r + i).four, dry * (y + i).four)
      i &+= 4
    }
    while i < frames {
      let (dry, wet) = (ramp.quad(2, place &+ i)[0], ramp.quad(3, place &+ i)[0])
      (l[i], r[i]) = (dry * x[i] + wet * l[i], dry * y[i] + wet * r[i])
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
