/// The recording as surfaces show it.
public struct RecordingState: Sendable, Equatable {
  /// True from the start of a recording until its file is complete.
  public var isOn = false
  /// The length so far, such as `1:02`; empty if there is no recording.
  public var length = ""

  /// The name of the file, without the folder; empty if there is none.
  public var file = ""

  /// The result of the last recording, as a sentence.
  public var outcome = ""
  /// Whether the last recording has failed.
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
