/// Turns ticks into time. The sum is kept in whole numbers, so that no error grows along a song.
struct TempoMap {
  /// What a tick is.
  enum Division {
    /// Ticks of a quarter note; how long that lasts is up to the tempo.
    case quarter(ticks: Int)
    /// Ticks of a film frame, of which so many thousand pass in so many seconds.
    case film(frames: Int, seconds: Int, ticks: Int)

    /// Whether the tempo says nothing.
    var isFilm: Bool {
      if case .film = self { return true }
      return false
    }
  }

  /// Microseconds for a quarter note where a file says nothing: 120 a minute.
  static let initial = 500_000

  private let division: Division
  private let tempos: [(tick: Int, microseconds: Int)]
  private var next = 0
  private var tick = 0
  // With quarters: microseconds times ticks of a quarter. With film: ticks.
  private var units = 0
  private var microseconds = TempoMap.initial

  /// A map of tempo changes, sorted by tick; of several at one tick the last counts.
  init(_ division: Division, tempos: [(tick: Int, microseconds: Int)]) {
    self.division = division
    self.tempos = tempos
  }

  /// Reads the division of a header. What cannot be right is taken for what files mostly have.
  static func division(
    _ word: Int, at offset: Int, _ findings: inout Findings
  ) throws(SongError) -> Division {
    if word & 0x8000 == 0 {
      if word > 0 { return .quarter(ticks: word) }
      try findings.note(.division, SongError("a quarter note of 0 ticks", at: offset))
      // Most have 96 to 480: at worst it is 2.5 times too slow.
      return .quarter(ticks: 192)
    }
    var ticks = word & 0xFF
    if ticks == 0 {
      try findings.note(.division, SongError("a film frame of 0 ticks", at: offset))
      // With 25 frames a second, a tick of a millisecond, for which this is mostly used.
      ticks = 40
    }
    switch 256 - word >> 8 {
    // Written 29, meant is the 30,000/1,001 of colour television.
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

  /// The time of a tick in seconds; ticks must not fall from call to call. Where the sum would overflow it stands, years
  /// from the start.
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

  private mutating func pass(to target: Int) {
    let (way, tooFar) = (target - tick).multipliedReportingOverflow(by: microseconds)
    let (sum, tooLong) = units.addingReportingOverflow(way)
    units = tooFar || tooLong ? .max : sum
    tick = target
  }
}
