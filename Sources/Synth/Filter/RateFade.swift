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
