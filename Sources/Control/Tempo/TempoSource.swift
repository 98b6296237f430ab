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

  init(_ writer: SceneWriter, _ clock: OwnClock) { (self.writer, self.clock) = (writer, clock) }

  /// Sets the tempo, in quarter notes a minute.
  public func set(_ tempo: Float) {
    if let knob = Stage.tempo { writer.set(knob, to: tempo) }
  }

  /// Handles a tap at a time, CLOCK_MONOTONIC: the tempo is that of the last taps, and the beat is on the last one.
  public func tap(at moment: Int64) {
    if !taps.isBounce(at: moment) { clock.tap(at: moment) }
    if let tempo = taps.tap(at: moment) { set(tempo) }
  }

  func take(_ command: Event) {
    guard command.kind == .tempo, let knob = Stage.tempo else { return }
    let before = writer[knob]
    writer.set(knob, to: command.value)
    if Int(command.source) == Limits.songSource {
      writer.stage.borrowedTempo.note(knob, from: before, to: writer[knob])
    }
  }
}
