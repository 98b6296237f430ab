/// Turns ticks into time. The sum is kept in whole numbers, so that no error grows along a song.
struct TempoMap {
  /// What a tick is.
  enum Division {
    /// Ticks of a quarter note; how long that lasts is up to the tempo.
    case quarter(ticks: Int)
    /// Ticks of a film frame, of which so many thousand pass in so many seconds.
    case film(frames: Int, seconds: Int, ticks: Int)
  }

  /// The longest song.
  private static let maxHours = 24

  private let division: Division
  private let tempos: [(tick: Int, microseconds: Int)]
  private var next = 0
  private var tick = 0
  // With quarters: microseconds times ticks of a quarter. With film: ticks.
  private var units = 0
  // A file that says nothing plays 120 quarters a minute.
  private var microseconds = 500_000

  /// A map of tempo changes, sorted by tick; of several at one tick the last counts.
  init(_ division: Division, tempos: [(tick: Int, microseconds: Int)]) {
    self.division = division
    self.tempos = tempos
  }

  /// Reads the division of a header.
  static func division(_ word: Int, at offset: Int) throws(SongError) -> Division {
    if word & 0x8000 == 0 {
      if word == 0 { throw SongError("a quarter note of 0 ticks", at: offset) }
      return .quarter(ticks: word)
    }
    let ticks = word & 0xFF
    if ticks == 0 { throw SongError("a film frame of 0 ticks", at: offset) }
    switch 256 - word >> 8 {
    case 24: return .film(frames: 24, seconds: 1000, ticks: ticks)
    case 25: return .film(frames: 25, seconds: 1000, ticks: ticks)
    // Written 29, meant is the 30,000/1,001 of colour television.
    case 29: return .film(frames: 30, seconds: 1001, ticks: ticks)
    case 30: return .film(frames: 30, seconds: 1000, ticks: ticks)
    case let other: throw SongError("\(other) film frames a second; 24, 25, 29 and 30 are known", at: offset)
    }
  }

  /// The time of a tick in seconds; ticks must not fall from call to call.
  mutating func seconds(at target: Int) throws(SongError) -> Double {
    switch division {
    case .film(let frames, let seconds, let ticks):
      return try limited(Double(target) * Double(seconds) / Double(frames * ticks * 1000))
    case .quarter(let ticks):
      while next < tempos.count, tempos[next].tick <= target {
        try pass(to: tempos[next].tick)
        microseconds = tempos[next].microseconds
        next += 1
      }
      try pass(to: target)
      return try limited(Double(units) / Double(ticks * 1_000_000))
    }
  }

  private mutating func pass(to target: Int) throws(SongError) {
    let (way, tooFar) = (target - tick).multipliedReportingOverflow(by: microseconds)
    let (sum, tooLong) = units.addingReportingOverflow(way)
    units = tooFar || tooLong ? .max : sum
    tick = target
    if tooFar || tooLong { _ = try limited(.infinity) }
  }

  private func limited(_ seconds: Double) throws(SongError) -> Double {
    if seconds > Double(Self.maxHours * 3600) {
      throw SongError("the song lasts longer than \(Self.maxHours) hours")
    }
    return seconds
  }
}
