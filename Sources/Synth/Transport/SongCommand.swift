/// A command of a sequencer to those that follow it.
public enum SongCommand: UInt8, Sendable {
  case stop
  /// Play from the beginning.
  case start
  /// Play from the current position.
  case resume
}
