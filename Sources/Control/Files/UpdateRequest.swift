/// A request about an update of the card image.
public enum UpdateRequest: Sendable {
  /// Keeps a piece of the file. Pieces come in their order; offset 0 begins a file anew.
  case piece([UInt8], offset: Int)
  /// Has the complete file checked and installed beside the running system.
  case install
  /// Starts the machine again.
  case restart
  /// Asks what became of the last update.
  case state
}

/// The outcome of an update.
public struct UpdateAnswer: Sendable, Equatable {
  /// The stage that an update has reached.
  public enum Stage: String, Sendable {
    /// No update is known.
    case none
    /// A part of the file is there.
    case receiving
    /// The file is being checked and written to the card.
    case installing
    /// The next boot starts the new system.
    case installed
    /// Nothing has changed.
    case failed
  }

  public let stage: Stage
  /// More about it as a sentence, or an empty text.
  public let words: String

  public init(_ stage: Stage, _ words: String = "") { (self.stage, self.words) = (stage, words) }
}
