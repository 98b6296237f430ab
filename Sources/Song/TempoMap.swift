import Scenes

/// Converts ticks to seconds. Sums are whole numbers, so that no rounding error accumulates.
struct TempoMap {
  /// The length of a tick.
  enum Division {
    /// A fraction of a quarter note, which depends on the tempo.
    case quarter(ticks: Int)
    /// A fraction of a film frame, with 1000 × `frames` frames in `seconds` seconds.
    case film(frames: Int, seconds: Int, ticks: Int)

    /// Whether ticks are independent of the tempo.
    var isFilm: Bool {
      if case .film = self { return true }
      return false
    }
  }

  /// The initial tempo, microseconds per quarter note: 120 per minute.
  static let initial = 500_000

  private let division: Division
  private let tempos: [(tick: Int, microseconds: Int)]
  private var next = 0
  private var tick = 0
  // With quarters: microseconds times ticks of a quarter. With film: ticks.
  private var units = 0
  private var microseconds = TempoMap.initial

  /// A map of tempo changes, sorted by tick. Of several at one tick, the last counts.
  init(_ division: Division, tempos: [(tick: Int, microseconds: Int)]) {
    self.division = division
    self.tempos = tempos
  }

  /// Reads the division of a header. An invalid one is replaced by a common one.
  static func division(
    _ word: Int, at offset: Int, _ findings: inout Findings
  ) throws(SongError) -> Division {
    if word & 0x8000 == 0 {
      if word > 0 { return .quarter(ticks: word) }
      try findings.note(.division, SongError("a quarter note of 0 ticks", at: offset))
      // Files mostly have 96 to 480, so it is at most 2.5 times too slow.
      return .quarter(ticks: 192)
    }
    var ticks = word & 0xFF
    if ticks == 0 {
      try findings.note(.division, SongError("a film frame of 0 ticks", at: offset))
      // With 25 frames a second this is a tick of a millisecond, the usual choice.
      ticks = 40
    }
    switch 256 - word >> 8 {
    // 29 means the 30,000/1,001 frames a second of NTSC.
    case 29: return .film(frames: 30, seconds: 1001, ticks: ticks)
    case let frames:
      if ![24, 25, 30].contains(frames) {
        let error = SongError(
          "\(frames) film frames a second; 24, 25, 29 and 30 are known", at: offset)
        try findings.note(.division, error)
      }
      return .film(frames: frames, seconds: 1000, ticks: ticks)
    }
  }

  /// The time of a tick in seconds. Ticks must not decrease from call to call. The time saturates, years from the
  /// start.
  mutating func seconds(at target: Int) -> Double {
    switch division {
    case .film(let frames, let seconds, let ticks):
      return Double(target) * Double(seconds) / Double(frames * ticks * 1000)
    case .quarter(let ticks):
      while next < tempos.count, tempos[next].tick <= target {
        pass(to: tempos[next].tick)
        microseconds = tempos[next].microseconds
        next += 1
      }
      pass(to: target)
      return Double(units) / Double(ticks * 1_000_000)
    }
  }

  /// The beat of a tick, in quarter notes. Film frames have no beats: a beat is taken to be half a second.
  func beat(at tick: Int) -> Double {
    switch division {
    case .film(let frames, let seconds, let ticks):
      return 2 * Double(tick) * Double(seconds) / Double(frames * ticks * 1000)
    case .quarter(let ticks): return Double(tick) / Double(ticks)
    }
  }

  private mutating func pass(to target: Int) {
    let (distance, isTooFar) = (target - tick).multipliedReportingOverflow(by: microseconds)
    let (sum, isTooLong) = units.addingReportingOverflow(distance)
    units = isTooFar || isTooLong ? .max : sum
    tick = target
  }
}

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
