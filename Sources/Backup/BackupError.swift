/// An error in making or restoring a backup, described by a sentence.
public struct BackupError: Error, Sendable, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// An error with its reason.
  public init(_ reason: String) { description = reason }
}
