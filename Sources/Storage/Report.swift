/// What became of things that were handed to the library.
public enum Report: Sendable, CustomStringConvertible {
  /// These documents are on the disk as they are in memory, whatever happens to the power.
  case durable([DocumentID])
  /// Something was written again after that had failed.
  case recovered
  /// Something could not be written; it is kept in memory and tried again. So many saves wait.
  case failed(StoreError, waiting: Int)
  /// The database was opened, and can only be read or written to as well.
  case opened(isReadOnly: Bool)
  /// Something happened to the database that the player should know.
  case note(String)

  /// A sentence for the log.
  public var description: String {
    switch self {
    case .durable(let ids): "saved " + ids.map { "\($0)" }.joined(separator: ", ")
    case .recovered: "presets are kept again"
    case .failed(let error, let waiting):
      waiting == 0 ? "\(error)" : "\(error); saves that wait in memory: \(waiting)"
    case .opened(let isReadOnly):
      isReadOnly ? "the preset database can be read only; what is saved stays in memory" : "presets are kept"
    case .note(let text): text
    }
  }
}

/// Why the library could not do what the player asked for.
public struct DocumentError: Error, Sendable, Equatable, CustomStringConvertible {
  /// A sentence for the player.
  public let description: String

  /// An error that says `description`.
  public init(description: String) { self.description = description }
}
