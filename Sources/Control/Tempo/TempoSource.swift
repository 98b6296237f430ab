import Parameters
import Scenes
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

/// A tapped tempo: the median of the last intervals, so that a single late or missing tap does not matter.
struct TapTempo {
  // The times of the last few taps, nanoseconds.
  private var taps: [Int64] = []

  /// A pause of this length starts a new tempo, nanoseconds.
  private static let pause: Int64 = 2_000_000_000
  /// A second tap within this time is ignored, nanoseconds.
  private static let bounce: Int64 = 150_000_000
  private static let mostTaps = 5

  /// Whether a tap at a time in nanoseconds is ignored, because it follows the last one too soon.
  func isBounce(at moment: Int64) -> Bool { taps.last.map { moment - $0 < TapTempo.bounce } ?? false }

  /// Handles a tap at a time in nanoseconds. Returns the tempo in beats a minute, from the second tap on.
  mutating func tap(at moment: Int64) -> Float? {
    if let last = taps.last {
      if isBounce(at: moment) { return nil }
      if moment - last > TapTempo.pause { taps = [] }
    }
    taps = (taps + [moment]).suffix(TapTempo.mostTaps)
    let intervals = zip(taps.dropFirst(), taps).map { $0 - $1 }.sorted()
    if intervals.isEmpty { return nil }
    // For an even count, the mean of the two middle intervals.
    let middle = intervals[(intervals.count - 1) / 2] + intervals[intervals.count / 2]
    return Float(120e9 / Double(middle))
  }
}
