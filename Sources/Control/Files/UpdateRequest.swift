import System

/// A request about an update of the card image.
public enum UpdateRequest: Sendable {
  /// Stores a piece of the file. Pieces arrive in order; offset 0 begins a new file.
  case piece(FileContents, offset: Int)
  /// Has the complete file checked and installed beside the running system.
  case install
  /// Restarts the machine.
  case restart
  /// Asks for the state of the last update.
  case state
}

/// The outcome of an update.
public struct UpdateAnswer: Sendable, Equatable {
  /// The stage that an update has reached.
  public enum Stage: String, Sendable {
    /// No update is known.
    case none
    /// A part of the file was received.
    case receiving
    /// The file is being checked and written to the card.
    case installing
    /// The next boot starts the new system.
    case installed
    /// The update has failed, and nothing has changed.
    case failed
  }

  public let stage: Stage
  /// Details as a sentence; empty if there are none.
  public let words: String

  public init(_ stage: Stage, _ words: String = "") { (self.stage, self.words) = (stage, words) }
}
