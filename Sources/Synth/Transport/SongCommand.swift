/// What a sequencer asks of those that go with it.
public enum SongCommand: UInt8, Sendable {
  case stop
  /// From the beginning.
  case start
  /// From where it stands.
  case resume
}
