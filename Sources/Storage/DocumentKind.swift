/// A kind of documents, and how it is stored. Kinds are equal if their names are.
public struct DocumentKind: Hashable, Sendable {
  /// The name on disk, which never changes.
  public let name: String
  /// The number of earlier versions kept of each document, for undo.
  public let earlierVersions: Int
  /// How long changes are collected before a write, seconds, since writes wear a memory card: the lower bound on a fast
  /// disk, up to the upper bound on a slow one.
  public let gatherSeconds: ClosedRange<Double>
  /// The longest text, bytes.
  public let textBytes: Int
  /// The reports about writes.
  public let reports: Reports
  /// The keys of the documents, from which a new document gets a free one, and one whose key an unrelated document has.
  /// Nil for kinds in which the newer document replaces the other.
  public let keys: DocumentKeys?

  /// The reports about writes.
  public enum Reports: Sendable {
    /// Successes and failures: for documents that the player saves.
    case savesAndFailures
    /// Failures only.
    case failures
    /// None, since no sound depends on it. Such kinds are written after the others, each in a transaction of its own and
    /// only into ample space, so that they never keep others from the disk.
    case nothing
  }

  /// A kind.
  public init(
    _ name: String, earlierVersions: Int = 0, gatherSeconds: ClosedRange<Double> = 0...0, textBytes: Int,
    reports: Reports = .failures, keys: DocumentKeys? = nil
  ) {
    (self.name, self.earlierVersions, self.gatherSeconds) = (name, earlierVersions, gatherSeconds)
    (self.textBytes, self.reports, self.keys) = (textBytes, reports, keys)
  }

  public static func == (one: DocumentKind, other: DocumentKind) -> Bool { one.name == other.name }

  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
