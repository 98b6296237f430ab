import CRealtime

/// How loud what comes into the drive is, from control tick to control tick: what a curve makes of a sound's loudness depends
/// on it.
///
/// It takes the level of the first sound as its own at once, while that swells too. From then on it goes by the loudest
/// that was heard in the last few seconds, not by what dies away, and follows that so slowly that no note is heard to
/// swell or to sink with it.
struct DriveLevel {
  /// Decibels, RMS: of a full scale of 1. Before anything is heard as little as may be, so that nothing gets louder than it
  /// is to be.
  private(set) var decibels = DriveLevel.usual - DriveLevel.most
  // The mean of the squares, and ticks that it was taken over.
  private var power: Float = 0
  private var heard: Float = 0
  // True when the first sound has been followed; the mean at the last look, and ticks with a sound since then.
  private var isSettled = false
  private var seen: Float = 0
  private var since: Float = 0
  // The largest mean of the seconds under way, and of as many before; ticks of the former.
  private var loudest: Float = 0
  private var loudestBefore: Float = 0
  private var held: Float = 0
  private var wanted = DriveLevel.usual
  private var moves = false
  // Ticks a second.
  private let rate: Float

  /// Decibels that the tables of `DriveLoudness` are for, and how far from them it goes.
  static var usual: Float { @_noLocks get { -18 } }
  private static var most: Float { @_noLocks get { 12 } }
  /// What is softer is a pause, and changes nothing: -60 dB.
  private static var least: Float { @_noLocks get { 1e-6 } }
  /// Seconds that the mean is taken over, those from look to look, and those in which the loudest counts at least.
  private static var memory: Float { @_noLocks get { 0.3 } }
  private static var looks: Float { @_noLocks get { 0.1 } }
  private static var hold: Float { @_noLocks get { 4 } }
  /// The first sound has been followed when its mean grows by less than this from look to look.
  private static var growth: Float { @_noLocks get { 1.05 } }
  /// Decibels a second.
  private static var slow: Float { @_noLocks get { 1 } }
  /// Decibels by which the sound has to be off before it moves, and those at which it is there.
  private static var dead: Float { @_noLocks get { 0.75 } }
  private static var there: Float { @_noLocks get { 0.02 } }

  init(rate: Double) { self.rate = Float(rate) / Float(Limits.controlFrames) }

  /// Hears a tick of both channels.
  @_noLocks
  mutating func hear(_ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>) {
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
      heard = min(heard + 1, Self.memory * rate)
      power += (now - power) / heard
      if !isSettled { followFirst() }
      since += 1
      if since >= Self.looks * rate { look() }
    }
    if moves { move() }
  }

  /// At once at first, and then as slowly as the mean has got steady: what it still swings by is not to be heard in the
  /// gain.
  @_noLocks @inline(never)
  private mutating func followFirst() {
    decibels += (Self.level(power) - decibels) * min(1, 4 / heard)
  }

  @_noLocks @inline(never)
  private mutating func look() {
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

  /// Decibels of a mean of squares, as far as it goes.
  @_noLocks
  private static func level(_ power: Float) -> Float {
    max(usual - most, min(3.0103 * rt_log2(max(power, least)), usual + most))
  }

  /// As new.
  @_noLocks
  mutating func forget() {
    (decibels, power, heard, isSettled) = (Self.usual - Self.most, 0, 0, false)
    (seen, since, loudest, loudestBefore, held, moves) = (0, 0, 0, 0, 0, false)
  }
}
