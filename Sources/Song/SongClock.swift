import Synth

/// Limits the times of a song: shortens long pauses, and ends a song that lasts longer than a day.
struct SongClock {
  /// The time of the last event, seconds from the start.
  private(set) var now = 0.0
  /// The beat of the last event, without those of shortened pauses.
  private(set) var beat = 0.0
  // The sums of shortened pauses, seconds and whole beats.
  private var (skipped, skippedBeats) = (0.0, 0.0)

  /// The played time of an event at `seconds` and `beat` of the file; nil after the end of the song. Times must not
  /// decrease from call to call.
  mutating func time(_ seconds: Double, beat: Double, _ findings: inout Findings) throws(SongError) -> Double?
  {
    let pause = seconds - skipped - now
    if !findings.isStrict && pause > Limits.songPause {
      let error = SongError("after \(Int(clamping: now)) seconds nothing happens for \(Self.words(pause))")
      try findings.note(.pause, error)
      skipped += pause - Limits.shortPause
      let share = 1 - Limits.shortPause / pause
      skippedBeats += max(0, (share * (beat - skippedBeats - self.beat)).rounded(.down))
    }
    let time = seconds - skipped
    if time > Double(Limits.songSeconds) {
      try findings.note(.length, SongError("the song lasts longer than \(Limits.songSeconds / 3600) hours"))
      return nil
    }
    now = max(now, time)
    self.beat = max(self.beat, beat - skippedBeats)
    return now
  }

  /// A time of more than a minute, as `3 hours`.
  private static func words(_ seconds: Double) -> String {
    let minutes = Int(clamping: seconds / 60)
    if minutes < 2 { return "\(Int(clamping: seconds)) seconds" }
    if minutes < 120 { return "\(minutes) minutes" }
    return minutes < 48 * 60 ? "\(minutes / 60) hours" : "\(minutes / 1440) days"
  }
}
