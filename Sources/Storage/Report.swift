/// A report about the database.
public enum Report: Sendable, CustomStringConvertible {
  /// These documents, which the player has saved, were written to the disk.
  case durable([DocumentID])
  /// A write succeeded after a failure.
  case recovered
  /// A write failed. It stays in memory and is tried again; `waiting` is the number of waiting saves.
  case failed(StoreError, waiting: Int)
  /// The database was opened, read-only or not.
  case opened(isReadOnly: Bool)
  /// Another event that the player should know.
  case note(String)

  /// The most documents that the sentence names.
  private static let named = 16

  /// A sentence for the log.
  public var description: String {
    switch self {
    case .durable(let ids):
      "saved " + ids.prefix(Report.named).map { "\($0)" }.joined(separator: ", ")
        + (ids.count > Report.named ? " and \(ids.count - Report.named) more" : "")
    case .recovered: "presets are saved again"
    case .failed(let error, let waiting):
      waiting == 0 ? "\(error)" : "\(error); saves waiting in memory: \(waiting)"
    case .opened(let isReadOnly):
      isReadOnly ? "the preset database is read-only; saves stay in memory" : "presets are saved"
    case .note(let text): text
    }
  }
}

/// The reason why an edit of a document failed.
public struct DocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence for the player.
  public let description: String

  /// An error with a sentence for the player.
  public init(description: String) { self.description = description }
}
