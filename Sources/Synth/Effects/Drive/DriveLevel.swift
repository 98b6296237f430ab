import CRealtime
import Scenes

/// Measures the input level of the drive, once per control tick. The change of loudness that a curve causes depends on
/// it.
///
/// The measurement adopts the level of the first sound at once, also while that sound swells. From then on it uses the
/// loudest level of the last few seconds, so decaying notes do not count, and follows it so slowly that no note audibly
/// swells or sinks with it.
struct DriveLevel {
  /// RMS level in decibels relative to a full scale of 1. Before any input it is at its minimum, so that nothing gets
  /// too loud.
  private(set) var decibels = DriveLevel.usual - DriveLevel.most
  // The mean square, and the number of ticks that it averages.
  private var power: Float = 0
  private var measured: Float = 0
  // True when the first sound has been followed; the mean square at the last check, and ticks with sound since then.
  private var isSettled = false
  private var seen: Float = 0
  private var since: Float = 0
  // The largest mean square of the current period, that of the period before, and the ticks of the current one.
  private var loudest: Float = 0
  private var loudestBefore: Float = 0
  private var held: Float = 0
  private var wanted = DriveLevel.usual
  private var moves = false
  // Ticks per second.
  private let rate: Float

  /// Level in decibels that the tables of `DriveLoudness` were measured at, and the largest deviation from it.
  static var usual: Float { @_noLocks get { -18 } }
  private static var most: Float { @_noLocks get { 12 } }
  /// Power of -60 dB; lower levels count as a pause and change nothing.
  private static var least: Float { @_noLocks get { 1e-6 } }
  /// In seconds: averaging time of the mean square, interval of the checks, and length of a period of the loudest
  /// level.
  private static var memory: Float { @_noLocks get { 0.3 } }
  private static var interval: Float { @_noLocks get { 0.1 } }
  private static var hold: Float { @_noLocks get { 4 } }
  /// The first sound has been followed when its mean square grows by less than this factor between checks.
  private static var growth: Float { @_noLocks get { 1.05 } }
  /// Decibels per second.
  private static var slow: Float { @_noLocks get { 1 } }
  /// Deviation in decibels at which the level starts to move, and deviation at which it has settled.
  private static var dead: Float { @_noLocks get { 0.75 } }
  private static var there: Float { @_noLocks get { 0.02 } }

  init(rate: Double) { self.rate = Float(rate) / Float(Limits.controlFrames) }

  /// Measures a tick of both channels.
  @_noLocks
  mutating func measure(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
    var sum = Quad.zero
    var i = 0
    while i < Limits.controlFrames {
      let (x, y) = ((left + i).four, (right + i).four)
      sum = multiplyAdd(x, x, sum)
      sum = multiplyAdd(y, y, sum)
      i &+= 4
    }
    let now = (sum[0] + sum[1] + sum[2] + sum[3]) * (0.5 / Float(Limits.controlFrames))
    if now > Self.least {
      measured = min(measured + 1, Self.memory * rate)
      power += (now - power) / measured
      if !isSettled { followFirst() }
      since += 1
      if since >= Self.interval * rate { check() }
    }
    if moves { move() }
  }

  /// Jumps at first, then follows as slowly as the mean has become steady, so that its ripple is not audible in the
  /// gain.
  @_noLocks @inline(never)
  private mutating func followFirst() {
    decibels += (Self.level(power) - decibels) * min(1, 4 / measured)
  }

  @_noLocks @inline(never)
  private mutating func check() {
    if power < Self.growth * seen { isSettled = true }
    (seen, held, since) = (power, held + since, 0)
    if held >= Self.hold * rate { (loudestBefore, loudest, held) = (loudest, 0, 0) }
    loudest = max(loudest, power)
    wanted = Self.level(max(loudest, loudestBefore))
    moves = isSettled && (wanted - decibels).magnitude > (moves ? Self.there : Self.dead)
  }

  @_noLocks
  private mutating func move() {
    let most = Self.slow / rate
    decibels += max(-most, min(wanted - decibels, most))
  }

  /// Decibels of a mean square, within the limits.
  @_noLocks
  private static func level(_ power: Float) -> Float {
    max(usual - most, min(3.0103 * rt_log2(max(power, least)), usual + most))
  }

  /// Returns to the initial state.
  @_noLocks
  mutating func reset() {
    (decibels, power, measured, isSettled) = (Self.usual - Self.most, 0, 0, false)
    (seen, since, loudest, loudestBefore, held, moves) = (0, 0, 0, 0, 0, false)
  }
}
