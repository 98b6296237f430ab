/// The sample rate of a group's drive: the plain one, twice or four times that, and the fades between them.
struct DriveRate {
  /// Whether the drive is so deep that it has to be oversampled, and at four times the sample rate.
  var wantsHigh = false
  var wantsFourfold = false
  /// Whether the drive is oversampled at all.
  private(set) var high = RateFade()
  /// Whether the curve of the oversampled drive runs at four times the sample rate, not at twice.
  private(set) var fourfold = RateFade()

  /// Hysteresis in decibels: drives above the first bound are oversampled, and drives below the second no longer.
  static var highBounds: (above: Float, below: Float) { @_noLocks get { (4.4, 3.4) } }
  /// Hysteresis in decibels: drives above the first bound run at four times the sample rate, and drives below the
  /// second no longer.
  static var fourfoldBounds: (above: Float, below: Float) { @_noLocks get { (15, 14) } }
  /// The share of each fade that an update covers. The fade of the oversampling takes 43 ms, because the oversampled
  /// drive has a delay; that between the two higher rates takes 5 ms.
  private static var pace: Float { @_noLocks get { 1 / 128 } }
  private static var fourfoldPace: Float { @_noLocks get { 1 / 16 } }

  @_noLocks init() {}

  /// Returns to the plain sample rate, before voices begin.
  @_noLocks
  mutating func end() { (high, fourfold) = (RateFade(), RateFade()) }

  /// Begins at the wanted rates, without a fade, for voices that start.
  @_noLocks
  mutating func begin() {
    if wantsHigh { high.begin() }
    if wantsFourfold { fourfold.begin() }
  }

  /// True when both are at the same point of the same fades.
  @_noLocks
  func matches(_ other: DriveRate) -> Bool { high.matches(other.high) && fourfold.matches(other.fourfold) }

  /// Advances to the next update; of the last one, the share `elapsed`, `frames` frames, has passed. True when the
  /// oversampling has just begun or ended.
  @_noLocks
  mutating func advance(elapsed: Float, frames: Int32) -> Bool {
    let turns = high.advance(wants: wantsHigh, elapsed: elapsed, frames: frames, pace: Self.pace)
    if turns {
      fourfold = RateFade()
      if wantsFourfold, high.isOn { fourfold.begin() }
    }
    return turns
  }

  /// Advances the fade to four times the sample rate to the next update. True when that rate has just begun or ended.
  @_noLocks
  mutating func advanceFourfold(elapsed: Float, frames: Int32) -> Bool {
    fourfold.advance(wants: wantsFourfold, elapsed: elapsed, frames: frames, pace: Self.fourfoldPace)
  }
}

/// The fade between two sample rates of a drive.
struct RateFade {
  /// True while the drive is computed at the higher rate: also while its filters fill, and while it fades in and out.
  private(set) var isOn = false
  /// Share of the higher rate at the beginning and at the end of the update.
  private(set) var from: Float = 0
  private(set) var to: Float = 0
  // Frames since the beginning.
  private var passed: Int32 = 0

  @_noLocks init() {}

  /// True while both rates are audible.
  var fades: Bool { @_noLocks get { from < 1 || to < 1 } }

  /// Samples after which the filters of the higher rate are full.
  static var filling: Int32 { @_noLocks get { 32 } }

  /// Switches to the higher rate at once, without a fade.
  @_noLocks
  mutating func begin() { (isOn, from, to, passed) = (true, 1, 1, Self.filling) }

  /// True when both are at the same point of the same fade.
  @_noLocks
  func matches(_ other: RateFade) -> Bool {
    isOn == other.isOn && from == other.from && to == other.to && passed == other.passed
  }

  /// Advances to the next update. True when the higher rate has just begun or ended.
  @_noLocks
  mutating func advance(wants: Bool, elapsed: Float, frames: Int32, pace: Float) -> Bool {
    if !isOn {
      if !wants { return false }
      (isOn, from, to, passed) = (true, 0, 0, 0)
      return true
    }
    from += (to - from) * elapsed
    passed = min(passed &+ frames, Self.filling)
    // Its filters must be full before it fades in.
    let isFull = passed == Self.filling
    to = wants ? min(from + (isFull ? pace : 0), 1) : max(from - pace, 0)
    if wants || from > 0 { return false }
    isOn = false
    return true
  }

  /// The share at a frame of an update, without corners.
  @_noLocks @inline(__always)
  func share(at frame: Int32, of planned: Int32) -> Float {
    let position = from + (to - from) / Float(planned) * Float(frame)
    return position * position * (3 - 2 * position)
  }
}
