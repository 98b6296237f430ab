// The beats of events about clocks, and the commands of a sequencer.

extension Event {
  /// Creates a `clockBeat` or `clockStart` event at a beat. The beat is kept modulo 16,384, to a hundredth of a
  /// millisecond.
  public static func clock(_ kind: Kind, beat: Double, source: UInt8, frame: Int64) -> Event {
    let whole = beat.isFinite ? beat.truncatingRemainder(dividingBy: BeatLine.wrap) : 0
    let within = whole < 0 ? whole + BeatLine.wrap : whole
    let hundreds = UInt8(max(0, min(within / 128, 127)))
    return Event(
      frame: frame, kind: kind, source: source, note: hundreds, value: Float(within - Double(hundreds) * 128))
  }

  /// The beat of a `clockBeat` or `clockStart`, 0..<16,384.
  public var beat: Double { @_noLocks @inlinable get { Double(note) * 128 + Double(value) } }
}

/// A transport command of a sequencer to the devices that follow it.
public enum SongCommand: UInt8, Sendable {
  case stop
  /// Play from the beginning.
  case start
  /// Play from the current position.
  case resume
}
