import Glibc

/// A file that is being written. It carries another name until `finish`; without that nothing is left of it, and
/// what had the name before is still there. One thread.
public final class NewFile {
  private let path: String
  private let file: Int32
  // Nil when `path` is no ordinary file, as /dev/null, and is written in place.
  private var draft: String?

  /// Begins a file at `path`, which may exist. Throws when no file can be made there.
  public init(_ path: String) throws(FileError) {
    var target = stat()
    let exists = stat(path, &target) == 0
    if exists && target.st_mode & S_IFMT == S_IFDIR { throw FileError("write", path, "it is a folder") }
    if exists && target.st_mode & S_IFMT != S_IFREG {
      self.path = path
      file = open(path, O_WRONLY | O_CLOEXEC)
    } else {
      // Beside the file that a link leads to, so that the rename replaces the file and not the link.
      self.path = exists ? Self.resolved(path) : path
      let draft = "\(self.path).\(getpid()).part"
      self.draft = draft
      file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    }
    if file < 0 {
      draft = nil
      throw FileError("write", path)
    }
  }

  deinit {
    close(file)
    if let draft { unlink(draft) }
  }

  /// Goes back to its beginning; throws for a pipe.
  public func rewind() throws(FileError) {
    if lseek(file, 0, SEEK_SET) < 0 { throw FileError("write", path) }
  }

  /// Writes bytes after those before. Throws when the disk is full.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if count >= 0 { done += count } else if errno != EINTR { throw FileError("write", path) }
    }
  }

  /// Gives the file its name, now that it is whole.
  public func finish() throws(FileError) {
    guard let draft else { return }
    // A name on a file whose bytes are still in the air would be half a file after a power cut.
    if fsync(file) != 0 || rename(draft, path) != 0 { throw FileError("write", path) }
    self.draft = nil
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
