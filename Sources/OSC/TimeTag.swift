import CLiblo

/// When the messages of a bundle are meant: seconds since 1900 and a fraction of 2^32.
struct TimeTag: Equatable {
  let seconds: UInt32
  let fraction: UInt32

  /// As soon as possible.
  static let immediately = TimeTag(seconds: 0, fraction: 1)

  /// How far ahead a time is believed, nanoseconds. A time further off is another clock's: to wait for it
  /// would silence a tablet for hours.
  static let horizon: Int64 = 1_000_000_000

  /// The moment of CLOCK_MONOTONIC that it means, when it lies less than a second ahead; nil for at once.
  /// - Parameter now: this moment on both clocks; the wall clock is read when none is given.
  func moment(_ now: Int64, wall: @autoclosure () -> TimeTag = .now) -> Int64? {
    if self == .immediately { return nil }
    let wall = wall()
    // The difference of two points on a circle of 136 years.
    let ahead = Int64(bitPattern: bits &- wall.bits)
    guard ahead > 0, ahead < 1 << 32 else { return nil }
    return now + (ahead * 1_000_000_000) >> 32
  }

  /// Now, by the machine's wall clock.
  static var now: TimeTag {
    var now = lo_timetag()
    lo_timetag_now(&now)
    return TimeTag(seconds: now.sec, fraction: now.frac)
  }

  /// Whether it is later than another that is less than 68 years away.
  func isLater(than other: TimeTag) -> Bool { Int64(bitPattern: bits &- other.bits) > 0 }

  private var bits: UInt64 { UInt64(seconds) << 32 | UInt64(fraction) }
}
