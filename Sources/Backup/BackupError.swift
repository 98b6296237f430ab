/// Why a backup could not be made or restored: a sentence that names the place.
public struct BackupError: Error, Sendable, CustomStringConvertible {
  /// The reason.
  public let description: String

  /// An error with its reason.
  public init(_ reason: String) { description = reason }
}
