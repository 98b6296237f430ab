/// The recording as surfaces show it.
public struct RecordingState: Sendable, Equatable {
  /// True from the start of a recording until its file is whole.
  public var isOn = false
  /// Its length so far, as `1:02`; empty while there is none.
  public var length = ""

  /// The name of its file, without the folder; empty while there is none.
  public var file = ""

  /// The result of the last recording, a sentence, and whether it has failed.
  public var outcome = ""
  public var failed = false
  /// The number of results so far.
  public var outcomes = 0

  /// The state without a recording.
  public init() {}
}

/// A request to the recorder.
public enum RecordingRequest: Sendable {
  case start, stop
  /// Saves the last seconds of sound.
  case last
}
