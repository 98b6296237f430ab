/// Keeps the time of a song within bounds: no pause of years, no song of more than a day.
struct SongClock {
  /// The longest song, in hours.
  private static let maxHours = 24
  /// The longest pause, in seconds. In a longer one something is wrong, and it is made short.
  private static let (longestPause, shortPause) = (3_600.0, 10.0)

  /// When the last thing happened, seconds from the start.
  private(set) var now = 0.0
  // How much shorter the song has become.
  private var skipped = 0.0

  /// When something would happen that stands `seconds` from the start, as far as pauses were shortened before.
  func place(_ seconds: Double) -> Double { max(now, seconds - skipped) }

  /// When something happens that stands `seconds` from the start; nil when the song has ended before. Times must not
  /// fall from call to call.
  mutating func time(_ seconds: Double, _ findings: inout Findings) throws(SongError) -> Double? {
    let pause = seconds - skipped - now
    if !findings.isStrict && pause > Self.longestPause {
      let hours = Int(pause / 3600)
      let long = hours < 48 ? "\(hours) hours" : "\(hours / 24) days"
      let error = SongError("after \(Int(now)) seconds nothing happens for \(long)")
      try findings.note(.pause, error)
      skipped += pause - Self.shortPause
    }
    let time = seconds - skipped
    if time > Double(Self.maxHours * 3600) {
      try findings.note(.length, SongError("the song lasts longer than \(Self.maxHours) hours"))
      return nil
    }
    now = max(now, time)
    return now
  }
}
