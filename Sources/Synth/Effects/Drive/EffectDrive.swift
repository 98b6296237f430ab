import CRealtime
import Scenes

/// The drive of a part: applies one of five curves at four times the sample rate, between a tilt filter and a low-pass,
/// and keeps the loudness.
///
/// It mixes the dry sound itself, with the same delay as the driven sound.
struct EffectDrive {
  let left: DriveResampling
  let right: DriveResampling
  private let rate: Float
  var tone: DriveTone
  /// Index of each number in `ramp`; `findGoal` returns them in this order.
  enum Number {
    /// Gains before the curve, of the sound and of the output of the tilt's low-pass.
    static var level: Int { @_noLocks @inline(__always) get { 0 } }
    static var lows: Int { @_noLocks @inline(__always) get { 1 } }
    /// Gains of the dry sound and of the driven one.
    static var dry: Int { @_noLocks @inline(__always) get { 2 } }
    static var wet: Int { @_noLocks @inline(__always) get { 3 } }
    static var bias: Int { @_noLocks @inline(__always) get { 4 } }
    /// Share of the second curve.
    static var fade: Int { @_noLocks @inline(__always) get { 5 } }
    /// Coefficient of the tilt's low-pass.
    static var tilt: Int { @_noLocks @inline(__always) get { 6 } }
    /// Make-up gain.
    static var kept: Int { @_noLocks @inline(__always) get { 7 } }
  }

  // Frames since the tick.
  var tickFrame = 0
  // Ramps of the numbers from tick to tick, indexed by `Number`.
  var ramp = TickRamp()
  // States of the tilt's low-passes.
  var low = SIMD2<Float>.zero
  // Index of the current curve in `DriveShape`, and of the curve that fades in.
  var curve = 0
  var nextCurve = 0
  // Exponent of the power at the tick, and its increment per frame.
  private(set) var exponent: Float = 1
  private(set) var exponentStep: Float = 0
  private var fade: Float = 0
  private var level: DriveLevel
  // The bias, which moves slowly enough for the high-pass to remove the DC that it adds.
  private var bias: Float = 0
  private var biasGoal: Float = 0
  // Gain, tilt, mix and input level at the last tick.
  private var last = SIMD4<Float>(repeating: -1)
  // Values derived from gain and tilt: the gains of both, and the coefficient of the tilt's low-pass.
  private var front = SIMD4<Float>(1, 1, 0, 0)

  /// Latency in frames, whatever the mix.
  static var latency: Int { @_noLocks get { DriveResampling.latency } }
  /// Duration in seconds of the fade from one curve to another.
  private static var fadeTime: Float { @_noLocks get { 0.02 } }
  /// Time constants of the bias in seconds: upwards, and downwards, where a quiet sound must not disappear in the
  /// knee of the curve.
  private static var biasRise: Float { @_noLocks get { 0.03 } }
  private static var biasFall: Float { @_noLocks get { 0.008 } }
  /// Centre frequency of the tilt in hertz.
  private static var tiltCentre: Float { @_noLocks get { 700 } }

  /// A silent drive for a sample rate. Control thread only.
  init(rate: Double) {
    let floats = DriveResampling.rows * DriveResampling.row
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: 2 * floats)
    memory.initialize(repeating: 0, count: 2 * floats)
    (left, right) = (DriveResampling(memory: memory), DriveResampling(memory: memory + floats))
    self.rate = Float(rate)
    tone = DriveTone(rate: rate)
    level = DriveLevel(rate: rate)
  }

  /// Frees the memory. Control thread only.
  func deallocate() { left.memory.deallocate() }

  // MARK: - Knobs

  /// Jumps to the knobs before the drive becomes audible. `within`: whether the sound is already audible.
  @_noLocks
  mutating func snap(
    _ knobs: UnsafePointer<DriveKnobs>, _ chosen: UnsafePointer<DriveKnobs>, within: Bool = false
  ) {
    if within { level.reset() }
    curve = Self.curve(chosen)
    (nextCurve, fade) = (curve, 0)
    last = watched(knobs)
    findFront()
    biasGoal = DriveLoudness.bias(last.x, level: last.w)
    bias = biasGoal
    (exponent, exponentStep) = (DriveLoudness.exponent(last.x), 0)
    let goal = findGoal()
    ramp.rest(at: goal)
    tone.snap(chosen)
    tickFrame = 0
  }

  /// Aims at the knobs over the next `frames`.
  @_noLocks
  mutating func aim(
    _ knobs: UnsafePointer<DriveKnobs>, _ chosen: UnsafePointer<DriveKnobs>, frames: Int
  ) {
    tickFrame = 0
    (exponent, exponentStep) = (DriveLoudness.exponent(last.x), 0)
    let wanted = Self.curve(chosen)
    if fade >= 1 { (curve, fade) = (nextCurve, 0) }
    if curve == nextCurve { nextCurve = wanted }
    level.measure(left.dry - Limits.controlFrames, right.dry - Limits.controlFrames)
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
    if isFrontOther {
      findFront()
      exponentStep = (DriveLoudness.exponent(last.x) - exponent) / Float(frames)
    }
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
    let distance = biasGoal - bias
    if distance.magnitude < 1e-4 {
      bias = biasGoal
    } else {
      bias += distance * min(1, Float(frames) / ((distance > 0 ? Self.biasRise : Self.biasFall) * rate))
    }
  }

  @_noLocks
  private static func curve(_ chosen: UnsafePointer<DriveKnobs>) -> Int {
    DriveShape.at(chosen.pointee.shape).index
  }

  /// The targets of the ramps. Mutating, because the compiler otherwise copies the whole struct for the call.
  @_noLocks
  private mutating func findGoal() -> SIMD8<Float> {
    let (factor, tilt, share) = (front.x, front.y, min(1, fade))
    var kept = DriveLoudness.kept(curve, last.x, level: last.w)
    if curve != nextCurve {
      kept = (1 - share) * kept + share * DriveLoudness.kept(nextCurve, last.x, level: last.w)
    }
    return SIMD8(factor * tilt, factor * (1 / tilt - tilt), 1 - last.z, last.z, bias, share, front.z, kept)
  }

  /// Coefficient of the tilt's low-pass. Its corner moves with the tilt, so that the tilt's centre frequency is
  /// constant.
  @_noLocks
  private func corner(_ tilt: Float) -> Float {
    // Without tilt the low-pass is inaudible.
    if tilt == 1 { return 0 }
    let corner = Float(rt_tan64(Double(min(0.45, Self.tiltCentre * tilt / rate)) * Double.pi))
    return corner / (1 + corner)
  }

  /// Clears the memory; true, since this takes one call.
  @_noLocks
  mutating func clearPiece() -> Bool {
    left.clear()
    right.clear()
    low = .zero
    tone.reset()
    level.reset()
    return true
  }
}

/// Levels of the drive, and the gains that keep its loudness.
enum DriveLoudness {
  /// The gain of a level in decibels.
  @_noLocks
  static func factor(_ decibels: Float) -> Float { rt_exp2(decibels * 0.16609640) }

  /// The bias of the asymmetric curve for a gain and an input level in decibels. It grows with the level, so that a
  /// loud sound stays asymmetric, but not so far that a quiet one disappears in the knee of the curve.
  @_noLocks
  static func bias(_ gain: Float, level: Float) -> Float {
    min(1.2, 0.3 * rt_sqrt(factor(gain + level - DriveLevel.usual)))
  }

  /// The make-up gain after a curve for a drive gain and an RMS input level in decibels. It keeps the loudness of a
  /// chord of five saws (ITU-R BS.1770).
  @_noLocks
  static func kept(_ curve: Int, _ gain: Float, level: Float) -> Float {
    let decibels = table(curve)
    // A louder sound is saturated like a sound at more gain, and was louder before the curve. This does not apply to
    // the power, whose shape does not depend on the level.
    let more = curve == DriveShape.power.index ? 0 : level - DriveLevel.usual
    let position = (gain + more) / 6
    if position < 0 { return factor(decibels[0] - gain) }
    let index = min(6, Int(position))
    let share = min(1, position - Float(index))
    return factor(more + decibels[index] + share * (decibels[index + 1] - decibels[index]))
  }

  /// The exponent of the power for a drive gain in decibels.
  @_noLocks
  static func exponent(_ gain: Float) -> Float { 1 - gain / 40 }

  /// Make-up gains in decibels at steps of six decibels of drive gain, measured at -18 dB.
  @_noLocks
  private static func table(_ curve: Int) -> SIMD8<Float> {
    switch curve {
    case 0: SIMD8(0.06, -5.77, -11.08, -14.77, -16.64, -17.57, -18.08, -18.08)
    case 1: SIMD8(0.42, -5.04, -9.66, -13.32, -15.83, -17.38, -18.04, -18.04)
    case 2: SIMD8(0, -6.00, -11.72, -15.25, -16.89, -17.70, -18.15, -18.15)
    case 4: SIMD8(-0.01, -7.39, -13.08, -17.10, -19.51, -20.35, -19.71, -19.71)
    default: SIMD8(0.27, -5.45, -10.86, -15.61, -18.77, -19.88, -20.76, -22.0)
    }
  }
}
