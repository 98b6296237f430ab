import Glibc

/// What could not be done with a file, and why.
public struct FileError: Error, CustomStringConvertible, Sendable {
  /// What was attempted: `read`, `write`.
  public let action: String
  /// On what.
  public let path: String
  /// Why not.
  public let reason: String
  /// The error number of the system; 0 when it was not the system that refused.
  public let code: Int32

  /// `reason` is a sentence without a full stop.
  public init(_ action: String, _ path: String, _ reason: String) {
    (self.action, self.path, self.reason, code) = (action, path, reason, 0)
  }

  /// The reason is what the system says of `errno` now.
  public init(_ action: String, _ path: String) {
    code = errno
    (self.action, self.path, reason) = (action, path, String(cString: strerror(code)))
  }

  /// The reason first, then the name, and the folder last, for a label that cuts off what is too long:
  /// `No such file or directory: cannot read song.mid in /songs`.
  public var reasonFirst: String {
    guard let slash = path.lastIndex(of: "/"), slash != path.indices.last else {
      return "\(reason): cannot \(action) \(path)"
    }
    let folder = slash == path.startIndex ? "/" : path[..<slash]
    return "\(reason): cannot \(action) \(path[path.index(after: slash)...]) in \(folder)"
  }

  /// As `cannot read song.mid: No such file or directory`.
  public var description: String { "cannot \(action) \(path): \(reason)" }
}
