/// The sample rate of a group's drive: the plain one, twice or four times that, and the fades between them.
struct DriveRate {
  /// Whether the drive is so deep that it has to be oversampled, and at four times the sample rate.
  var wantsHigh = false
  var wantsFourfold = false
  /// Whether the drive is oversampled at all.
  private(set) var high = RateFade()
  /// Whether the curve of the oversampled drive runs at four times the sample rate, not at twice.
  private(set) var fourfold = RateFade()

  /// Drives above the first are oversampled, and those below the second no longer, in decibels.
  static var highBounds: (above: Float, below: Float) { @_noLocks get { (4.4, 3.4) } }
  /// Drives above the first run at four times the sample rate, and those below the second no longer.
  static var fourfoldBounds: (above: Float, below: Float) { @_noLocks get { (15, 14) } }
  /// The part of each fade in an update. That of the oversampling takes 43 ms, because one drive is later than the other;
  /// that between the two rates 5 ms.
  private static var pace: Float { @_noLocks get { 1 / 128 } }
  private static var fourfoldPace: Float { @_noLocks get { 1 / 16 } }

  @_noLocks init() {}

  /// Returns to the plain sample rate, before voices begin.
  @_noLocks
  mutating func end() { (high, fourfold) = (RateFade(), RateFade()) }

  /// Begins for voices that begin.
  @_noLocks
  mutating func begin() {
    if wantsHigh { high.begin() }
    if wantsFourfold { fourfold.begin() }
  }

  /// True when both are at the same point of the same fades.
  @_noLocks
  func matches(_ other: DriveRate) -> Bool { high.matches(other.high) && fourfold.matches(other.fourfold) }

  /// Goes on to the next update; the last one was passed to `elapsed` of it, `frames`. True when the oversampling has just
  /// begun or ended.
  @_noLocks
  mutating func advance(elapsed: Float, frames: Int32) -> Bool {
    let turns = high.advance(wants: wantsHigh, elapsed: elapsed, frames: frames, pace: Self.pace)
    if turns {
      fourfold = RateFade()
      if wantsFourfold, high.isOn { fourfold.begin() }
    }
    return turns
  }

  /// Goes on to the next update of the rate. True when four times the sample rate has just begun or ended.
  @_noLocks
  mutating func advanceFourfold(elapsed: Float, frames: Int32) -> Bool {
    fourfold.advance(wants: wantsFourfold, elapsed: elapsed, frames: frames, pace: Self.fourfoldPace)
  }
}
