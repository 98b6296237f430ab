import Parameters
import Synth
import System

extension Stage {
  fileprivate static let tempo = Table.rows.firstIndex { $0.address == "/tempo" }.map {
    ParameterID(row: $0, part: 0)
  }

  /// Sets the tempo, in quarter notes a minute, clamped to its range.
  public mutating func set(tempo: Float) {
    if let knob = Stage.tempo { scene[knob] = tempo }
  }
}

/// The source of the tempo: a surface, taps, a MIDI clock or a song. Control thread.
public final class TempoSource: Feature {
  private let writer: SceneWriter
  private let clock: OwnClock
  private var taps = TapTempo()
  // When a clock last set the tempo, CLOCK_MONOTONIC.
  private var clockAt: Int64?

  // How long after its last message a clock determines the tempo, nanoseconds: longer than its slowest quarter note.
  private static let clockTimeout: Int64 = 4_000_000_000

  init(_ writer: SceneWriter, _ clock: OwnClock) { (self.writer, self.clock) = (writer, clock) }

  /// Sets the tempo, in quarter notes a minute.
  public func set(_ tempo: Float) {
    if let knob = Stage.tempo { writer.set(knob, to: tempo) }
  }

  /// Whether a clock determines the tempo at a time, CLOCK_MONOTONIC, so that songs do not change it.
  public func followsClock(at moment: Int64) -> Bool {
    clockAt.map { moment - $0 < TempoSource.clockTimeout } ?? false
  }

  /// Handles a tap at a time, CLOCK_MONOTONIC: the tempo is that of the last taps, and the beat is on the last one.
  public func tap(at moment: Int64) {
    if !taps.isBounce(at: moment) { clock.tap(at: moment) }
    if let tempo = taps.tap(at: moment) { set(tempo) }
  }

  func take(_ command: Event) {
    if command.kind == .tempo { follow(clock: command.value, at: monotonic()) }
  }

  /// Follows a clock, whose tempo is in quarter notes a minute.
  func follow(clock tempo: Float, at moment: Int64) {
    clockAt = moment
    set(tempo)
  }
}
