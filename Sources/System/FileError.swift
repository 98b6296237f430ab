import Glibc

/// A failed file operation.
public struct FileError: Error, CustomStringConvertible, Sendable {
  /// The operation, as `read` or `write`.
  public let action: String
  /// The path of the file.
  public let path: String
  /// The reason.
  public let reason: String
  /// The error number of the system; 0 for other reasons.
  public let code: Int32

  /// An error whose reason is a sentence without a full stop.
  public init(_ action: String, _ path: String, _ reason: String) {
    (self.action, self.path, self.reason, code) = (action, path, reason, 0)
  }

  /// An error whose reason is the system's text for the current `errno`.
  public init(_ action: String, _ path: String) {
    code = errno
    (self.action, self.path, reason) = (action, path, String(cString: strerror(code)))
  }

  /// The error with the reason first and the folder last, for a label that cuts off long text, as
  /// `No such file or directory: cannot read song.mid in /songs`.
  public var reasonFirst: String {
    guard let slash = path.lastIndex(of: "/"), slash != path.indices.last else {
      return "\(reason): cannot \(action) \(path)"
    }
    let folder = slash == path.startIndex ? "/" : path[..<slash]
    return "\(reason): cannot \(action) \(path[path.index(after: slash)...]) in \(folder)"
  }

  /// For example `cannot read song.mid: No such file or directory`.
  public var description: String { "cannot \(action) \(path): \(reason)" }
}
