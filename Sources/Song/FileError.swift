import Glibc

/// What could not be done with a file, and why.
public struct FileError: Error, CustomStringConvertible, Sendable {
  /// What was attempted: `read`, `write`.
  public let action: String
  /// On what.
  public let path: String
  /// Why not.
  public let reason: String

  init(_ action: String, _ path: String, _ reason: String) {
    self.action = action
    self.path = path
    self.reason = reason
  }

  /// The reason is what the system says of `errno` now.
  init(_ action: String, _ path: String) {
    self.init(action, path, String(cString: strerror(errno)))
  }

  /// As `cannot read song.mid: No such file or directory`.
  public var description: String { "cannot \(action) \(path): \(reason)" }
}
