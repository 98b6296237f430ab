/// A transport command of a sequencer to the devices that follow it.
public enum SongCommand: UInt8, Sendable {
  case stop
  /// Play from the beginning.
  case start
  /// Play from the current position.
  case resume
}
