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
