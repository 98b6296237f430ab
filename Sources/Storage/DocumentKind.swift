/// A kind of documents, and how it is kept. Two kinds are equal if their names are.
public struct DocumentKind: Hashable, Sendable {
  /// The name on disk, which is never changed.
  public let name: String
  /// Earlier versions that are kept of each document, for undo.
  public let earlierVersions: Int
  /// How long changes are gathered before they are written, in seconds, since each write wears a memory card: the lower
  /// bound on a quick disk, up to the upper one on a slow disk, which would be written to all the time otherwise.
  public let gatherSeconds: ClosedRange<Double>
  /// The longest text, in bytes.
  public let textBytes: Int
  /// The reports that writing makes.
  public let reports: Reports
  /// A free key for a document, given which keys are taken: for kinds of which each document stays where it was first put,
  /// so that one may have to make way for another that was there before. Nil if the newest replaces the other.
  public let freeKey: (@Sendable (_ isTaken: (String) -> Bool) -> String?)?

  /// The reports that writing makes.
  public enum Reports: Sendable {
    /// When a document is on the disk, and when it cannot be: for documents that the player saves by hand.
    case savesAndFailures
    /// Only when a document cannot be written.
    case failures
    /// None, since no sound depends on it. Such a kind has a transaction of its own, so that it never delays the others.
    case nothing
  }

  /// A kind.
  public init(
    _ name: String, earlierVersions: Int = 0, gatherSeconds: ClosedRange<Double> = 0...0, textBytes: Int,
    reports: Reports = .failures, freeKey: (@Sendable (_ isTaken: (String) -> Bool) -> String?)? = nil
  ) {
    (self.name, self.earlierVersions, self.gatherSeconds) = (name, earlierVersions, gatherSeconds)
    (self.textBytes, self.reports, self.freeKey) = (textBytes, reports, freeKey)
  }

  public static func == (one: DocumentKind, other: DocumentKind) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
