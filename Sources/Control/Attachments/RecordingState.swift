/// The recording as surfaces see it. The recorder's, and put here by whoever joins the two.
public struct RecordingState: Sendable, Equatable {
  /// True from the start of a recording until its file is whole.
  public var isOn = false
  /// Its length so far, as `1:02`; empty while there is none.
  public var length = ""

  /// The name of its file, without the folder; empty while there is none.
  public var file = ""

  /// What became of the last one, a sentence, and whether that is not what the player wanted.
  public var outcome = ""
  public var failed = false
  /// Raised with each outcome.
  public var outcomes = 0

  /// No recording.
  public init() {}
}

/// What a surface asks of the recorder.
public enum RecordingRequest: Sendable {
  case start, stop
  /// Keep what was just heard.
  case last
}
