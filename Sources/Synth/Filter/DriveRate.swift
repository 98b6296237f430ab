/// Whether a group's drive runs at four times the sample rate, and the fade to and from that.
struct DriveRate {
  /// True while the oversampled drive is computed: also while its filters fill, and while it fades in and out.
  private(set) var isHigh = false
  /// Place in the fade at the beginning and at the end of the update: 0 before it, 1 where only the oversampled drive is
  /// heard.
  private(set) var from: Float = 0
  private(set) var to: Float = 0
  // Frames since the beginning.
  private var passed: Int32 = 0

  /// Drives above this are oversampled, and those below the other no longer, in decibels.
  static var high: Float { @_noLocks get { 6 } }
  static var low: Float { @_noLocks get { 5 } }
  /// The part of the fade in an update: it takes 43 ms, because one drive is later than the other.
  private static var pace: Float { @_noLocks get { 1 / 128 } }

  @_noLocks init() {}

  /// True while both drives are heard.
  var fades: Bool { @_noLocks get { from < 1 || to < 1 } }

  /// Begins for voices that begin.
  @_noLocks
  mutating func begin() { (isHigh, from, to, passed) = (true, 1, 1, DriveOversampling.memory) }

  /// Goes on to the next update, for a drive that wants oversampling or not; the last one was passed to `elapsed` of it,
  /// `frames`. True when it has just begun or ended.
  @_noLocks
  mutating func advance(wants: Bool, elapsed: Float, frames: Int32) -> Bool {
    if !isHigh {
      if !wants { return false }
      (isHigh, from, to, passed) = (true, 0, 0, 0)
      return true
    }
    from += (to - from) * elapsed
    passed = min(passed &+ frames, DriveOversampling.memory)
    // Its filters must be full before it is heard.
    let isFull = passed == DriveOversampling.memory
    to = wants ? min(from + (isFull ? Self.pace : 0), 1) : max(from - Self.pace, 0)
    if wants || from > 0 { return false }
    isHigh = false
    return true
  }
}
