import CRealtime

/// How loud what comes into the drive is, from control tick to control tick: what a curve makes of a sound's loudness depends
/// on it.
///
/// It follows so slowly that no note is heard to swell or to sink with it, and rests while the sound keeps its level. Only where
/// the drive is switched on within a sound it follows at once what it hears first.
struct DriveLevel {
  /// Decibels, RMS: of a full scale of 1.
  private(set) var decibels = DriveLevel.usual
  // The mean of the squares; ticks that it was taken over, and ticks until it is looked at again.
  private var power: Float = 0
  private var heard: Float = 0
  private var pause: Int32 = 0
  private var wanted = DriveLevel.usual
  private var moves = false
  // Ticks a second.
  private let rate: Float

  /// Decibels that the tables of `DriveLoudness` are for, and how far from them it goes.
  static var usual: Float { @_noLocks get { -18 } }
  private static var most: Float { @_noLocks get { 12 } }
  /// What is softer is a pause, and changes nothing: -60 dB.
  private static var least: Float { @_noLocks get { 1e-6 } }
  /// Seconds that the mean is taken over, and those in which the first sound is followed at once.
  private static var memory: Float { @_noLocks get { 0.3 } }
  private static var first: Float { @_noLocks get { 0.2 } }
  /// Decibels a second: at first, and then.
  private static var quick: Float { @_noLocks get { 300 } }
  private static var slow: Float { @_noLocks get { 2 } }
  /// Decibels by which the sound has to be off before it moves, and those at which it is there.
  private static var dead: Float { @_noLocks get { 0.75 } }
  private static var there: Float { @_noLocks get { 0.02 } }
  /// Ticks from one look to the next.
  private static var looks: Int32 { @_noLocks get { 16 } }

  init(rate: Double) {
    self.rate = Float(rate) / Float(Limits.controlFrames)
    forget()
  }

  /// Begins within a sound: from below, so that nothing gets louder than it is to be.
  @_noLocks
  mutating func begin() {
    forget()
    (decibels, power, heard) = (Self.usual - Self.most, 0, 0)
  }

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
    }
    pause &-= 1
    if pause < 0 { look() }
    if moves { move() }
  }

  @_noLocks @inline(never)
  private mutating func look() {
    pause = heard < Self.first * rate ? Self.looks / 4 : Self.looks
    if power <= Self.least { return }
    wanted = max(Self.usual - Self.most, min(3.0103 * rt_log2(power), Self.usual + Self.most))
    moves = (wanted - decibels).magnitude > (moves ? Self.there : Self.dead)
  }

  @_noLocks
  private mutating func move() {
    let most = (heard < Self.first * rate ? Self.quick : Self.slow) / rate
    decibels += max(-most, min(wanted - decibels, most))
  }

  /// As new.
  @_noLocks
  mutating func forget() {
    (decibels, wanted, pause, moves) = (Self.usual, Self.usual, 0, false)
    // As if it had heard a sound of the usual level.
    (power, heard) = (0.0158489, Self.memory * rate)
  }
}
