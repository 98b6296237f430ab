import Parameters
import Synth

// The tempo: set by a surface, by taps, by a clock or by a song.

extension Stage {
  fileprivate static let tempo = Table.rows.firstIndex { $0.address == "/tempo" }.map {
    Knob(row: $0, part: 0)
  }

  /// Sets the tempo, in quarter notes a minute; clamped to what there is.
  public mutating func set(tempo: Float) {
    if let knob = Stage.tempo { scene[knob] = tempo }
  }
}

extension Control {
  // How long after its last word a clock is still followed, nanoseconds: longer than its slowest quarter note.
  private static let clockPause: Int64 = 4_000_000_000

  /// Sets the tempo, in quarter notes a minute.
  public func set(tempo: Float) {
    if let knob = Stage.tempo { set(knob, to: tempo) }
  }

  /// Follows a clock of so many quarter notes a minute.
  func follow(clock tempo: Float, at moment: Int64) {
    clockHeard = moment
    set(tempo: tempo)
  }

  /// Whether the tempo is a clock's at a moment, CLOCK_MONOTONIC, so that songs leave it alone.
  public func followsClock(at moment: Int64) -> Bool {
    clockHeard.map { moment - $0 < Control.clockPause } ?? false
  }

  /// Takes a tap of the tempo at a moment, CLOCK_MONOTONIC.
  public func tapTempo(at moment: Int64) {
    guard let knob = Stage.tempo, let tempo = tapTempo.tap(at: moment) else { return }
    set(knob, to: tempo)
  }

  /// Does what a sequencer asks of the song that is loaded. Where there is none, its start is none of our business.
  func take(_ command: SongCommand) {
    switch command {
    case .start:
      _ = askSong?(.move(0))
      _ = askSong?(.play(nil))
    case .resume: _ = askSong?(.play(nil))
    case .stop: _ = askSong?(.stop)
    }
  }
}
