/// Gives the changes of tempo their times, while the messages between them are given theirs.
struct TempoChanges {
  /// Those so far.
  private(set) var passed: [Song.Tempo] = []
  private var coming: ArraySlice<(tick: Int, microseconds: Int)>
  // Those from here on may still turn out to lie in a pause that becomes shorter.
  private var open = 0

  /// The changes of a song, sorted by tick.
  init(_ tempos: [(tick: Int, microseconds: Int)]) { coming = tempos[...] }

  /// Takes those up to a tick.
  mutating func pass(to tick: Int, _ map: inout TempoMap, _ clock: SongClock) {
    while let tempo = coming.first, tempo.tick <= tick {
      let seconds = clock.place(map.seconds(at: tempo.tick))
      passed.append(Song.Tempo(seconds: seconds, perMinute: Float(60e6 / Double(tempo.microseconds))))
      coming.removeFirst()
    }
  }

  /// What comes after them happens at this time.
  mutating func bound(by seconds: Double) {
    while open < passed.count {
      let tempo = passed[open]
      passed[open] = Song.Tempo(seconds: min(tempo.seconds, seconds), perMinute: tempo.perMinute)
      open += 1
    }
  }
}
