/// Computes the times of tempo changes, in step with the times of the messages between them.
struct TempoChanges {
  /// The changes up to now.
  private(set) var passed: [Song.Tempo] = []
  private var coming: ArraySlice<(tick: Int, microseconds: Int)>

  /// The changes of a song, sorted by tick.
  init(_ tempos: [(tick: Int, microseconds: Int)]) { coming = tempos[...] }

  /// Computes the times of the changes up to a tick, or until the end of the song.
  mutating func pass(
    to tick: Int, _ map: inout TempoMap, _ clock: inout SongClock, _ findings: inout Findings
  ) throws(SongError) {
    while let tempo = coming.first, tempo.tick <= tick {
      guard
        let seconds = try clock.time(
          map.seconds(at: tempo.tick), beat: map.beat(at: tempo.tick), &findings)
      else { return }
      let perMinute = Float(60e6 / Double(tempo.microseconds))
      passed.append(Song.Tempo(seconds: seconds, beat: clock.beat, perMinute: perMinute))
      coming.removeFirst()
    }
  }
}
