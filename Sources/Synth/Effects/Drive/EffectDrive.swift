import CRealtime

/// The drive of a part: bends what goes through it by one of four curves, at four times its rate, between a tilt and a
/// low-pass, and keeps its loudness.
///
/// It mixes by itself, since its dry sound has to be as late as what is bent.
struct EffectDrive {
  let left: DriveResampling
  let right: DriveResampling
  private let rate: Float
  var tone: DriveTone
  /// Where each number stands in `ramp`; `findGoal` writes them in this order.
  enum Number {
    /// Factors of the sound, and of what the tilt's low-pass leaves of it, in front of the curve.
    static var level: Int { @_noLocks @inline(__always) get { 0 } }
    static var lows: Int { @_noLocks @inline(__always) get { 1 } }
    /// Factors of the dry sound and of the bent one.
    static var dry: Int { @_noLocks @inline(__always) get { 2 } }
    static var wet: Int { @_noLocks @inline(__always) get { 3 } }
    static var bias: Int { @_noLocks @inline(__always) get { 4 } }
    /// How much of the second curve there is.
    static var fade: Int { @_noLocks @inline(__always) get { 5 } }
    /// The share of the tilt's low-pass.
    static var tilt: Int { @_noLocks @inline(__always) get { 6 } }
    /// What keeps the loudness.
    static var kept: Int { @_noLocks @inline(__always) get { 7 } }
  }

  // Frames since the tick.
  var place = 0
  // What moves from tick to tick, by `Number`.
  var ramp = TickRamp()
  // The low-passes of the tilt.
  var low = SIMD2<Float>.zero
  // A `DriveShape`, and the one that it fades to.
  var curve = 0
  var nextCurve = 0
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
  /// Seconds in which one curve fades into another.
  private static var fadeTime: Float { @_noLocks get { 0.02 } }
  /// Seconds in which the bias gets nearer by a factor of e: up, and down, where a quiet sound must not get lost in the bend.
  private static var biasRise: Float { @_noLocks get { 0.03 } }
  private static var biasFall: Float { @_noLocks get { 0.008 } }
  /// Hertz around which the tilt turns.
  private static var tiltCentre: Float { @_noLocks get { 700 } }

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
      if fade == 0 { ramp.clear(Number.fade) }
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
