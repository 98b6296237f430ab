import Synth

/// Limits the times of a song: shortens long pauses, and ends a song that lasts longer than a day.
struct SongClock {
  /// The time of the last event, seconds from the start.
  private(set) var now = 0.0
  // The sum of shortened pauses, seconds.
  private var skipped = 0.0

  /// The played time of an event at `seconds` of the file; nil after the end of the song. Times must not decrease from
  /// call to call.
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

  /// A time of more than a minute, as `3 hours`.
  private static func words(_ seconds: Double) -> String {
    let minutes = Int(seconds / 60)
    if minutes < 2 { return "\(Int(seconds)) seconds" }
    if minutes < 120 { return "\(minutes) minutes" }
    return minutes < 48 * 60 ? "\(minutes / 60) hours" : "\(minutes / 1440) days"
  }
}
