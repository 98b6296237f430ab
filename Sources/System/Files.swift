import Glibc

/// Reads the file or pipe at `path`. Throws if it cannot be read, or is larger than `limit` bytes. It waits for the
/// writer of a pipe, unless `waits` is false; a pipe without a writer is then empty.
public func readFile(_ path: String, limit: Int, waits: Bool = true) throws(FileError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
  if file < 0 { throw FileError("read", path) }
  defer { close(file) }
  var bytes: [UInt8] = []
  // Not filled with zeros, because a start reads hundreds of files.
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 1 << 16) + 1, alignment: 1)
  defer { piece.deallocate() }
  while bytes.count <= limit {
    let count = read(file, piece.baseAddress, min(piece.count, limit + 1 - bytes.count))
    if count == 0 { return bytes }
    if count > 0 {
      bytes += UnsafeRawBufferPointer(rebasing: piece[..<count])
    } else if errno != EINTR {
      throw FileError("read", path)
    }
  }
  throw FileError("read", path, "it is larger than \(limit) bytes")
}

/// When the entries of a folder last changed, nanoseconds since 1970; nil if there is no such folder. Any thread.
public func folderChange(_ folder: String) -> Int64? {
  var status = stat()
  guard stat(folder, &status) == 0 else { return nil }
  return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
}

/// The names in a folder, sorted, without those that begin with a dot. Nil, with the reason in `errno`, if the folder
/// cannot be read.
public func fileNames(in folder: String) -> [String]? {
  guard let directory = opendir(folder) else { return nil }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}

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

/// Names of files that come from other machines.
public enum FileName {
  /// The maximum length of a name, bytes of UTF-8. The name of a temporary file may be longer.
  public static let bytes = 200

  /// Whether a name is safe and readable: without path parts and control characters, not hidden, and not too long.
  public static func isValid(_ name: some StringProtocol) -> Bool { problem(name) == nil }

  /// What a name is to be and is not, as the end of a sentence that begins with "takes a name"; nil for a valid one.
  static func problem(_ name: some StringProtocol) -> String? {
    if name.isEmpty { return "" }
    if name.utf8.count > bytes { return " of \(bytes) bytes at most, not \(name.utf8.count)" }
    if name.hasPrefix(".") { return " that does not begin with '.'" }
    if name.first?.isWhitespace == true || name.last?.isWhitespace == true {
      return " without a space at its beginning or end"
    }
    if !name.unicodeScalars.allSatisfy(isValid) {
      return " without '/', '\\', control characters and characters that cannot be seen"
    }
    return nil
  }

  private static func isValid(_ scalar: Unicode.Scalar) -> Bool {
    if scalar == "/" || scalar == "\\" || scalar == "\u{FFFD}" { return false }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}
