import CLiblo

/// The time when the messages of a bundle take effect: seconds since 1900 and a fraction in units of 2^-32.
public struct TimeTag: Equatable, Sendable {
  /// Seconds since 1900, and the fraction of one in units of 2^-32.
  let seconds, fraction: UInt32

  /// The tag for "as soon as possible".
  public static let immediately = TimeTag(seconds: 0, fraction: 1)

  /// The maximum time that a time tag may lie ahead, nanoseconds. A later tag was set by a clock that differs from
  /// this machine's, and waiting for it could silence a tablet for hours.
  public static let horizon: Int64 = 1_000_000_000

  /// The time of the tag, CLOCK_MONOTONIC in nanoseconds, if it is less than a second ahead; nil if its messages take
  /// effect at once.
  /// - Parameters:
  ///   - now: The current time, CLOCK_MONOTONIC.
  ///   - wall: The current wall-clock time, read if none is given.
  public func moment(_ now: Int64, wall: @autoclosure () -> TimeTag = .now) -> Int64? {
    if self == .immediately { return nil }
    let wall = wall()
    // The difference wraps around after 136 years.
    let ahead = Int64(bitPattern: bits &- wall.bits)
    guard ahead > 0, ahead < 1 << 32 else { return nil }
    return now + (ahead * 1_000_000_000) >> 32
  }

  /// The current time of the machine's wall clock.
  public static var now: TimeTag {
    var now = lo_timetag()
    lo_timetag_now(&now)
    return TimeTag(seconds: now.sec, fraction: now.frac)
  }

  /// The time as one number in units of 2^-32 seconds, which wraps around after 136 years.
  public var bits: UInt64 { UInt64(seconds) << 32 | UInt64(fraction) }
}
