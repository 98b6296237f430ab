import Synth

/// Keeps the time of a song within bounds: no pause of years, no song of more than a day.
struct SongClock {
  /// When the last thing happened, seconds from the start.
  private(set) var now = 0.0
  // How much shorter the song has become.
  private var skipped = 0.0

  /// When something happens that stands `seconds` from the start; nil when the song has ended before. Times must not
  /// fall from call to call.
  mutating func time(_ seconds: Double, _ findings: inout Findings) throws(SongError) -> Double? {
    let pause = seconds - skipped - now
    if !findings.isStrict && pause > Limits.songPause {
      let error = SongError("after \(Int(now)) seconds nothing happens for \(Self.words(pause))")
      try findings.note(.pause, error)
      skipped += pause - Limits.shortPause
    }
    let time = seconds - skipped
    if time > Double(Limits.songSeconds) {
      try findings.note(.length, SongError("the song lasts longer than \(Limits.songSeconds / 3600) hours"))
      return nil
    }
    now = max(now, time)
    return now
  }

  /// A time of more than a minute in words.
  private static func words(_ seconds: Double) -> String {
    let minutes = Int(seconds / 60)
    if minutes < 2 { return "\(Int(seconds)) seconds" }
    if minutes < 120 { return "\(minutes) minutes" }
    return minutes < 48 * 60 ? "\(minutes / 60) hours" : "\(minutes / 1440) days"
  }
}
