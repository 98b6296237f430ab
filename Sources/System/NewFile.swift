import Glibc

/// A file that is being written under a temporary name. `finish` gives it its name; without `finish` it is deleted, and
/// an existing file of that name stays. One thread.
public final class NewFile {
  private let path: String
  private let file: Int32
  // The temporary name; nil if `path` is not a regular file, as /dev/null, and is written in place.
  private var draft: String?

  // Whether to give up while the reader of a pipe is slow.
  private let isInterrupted: () -> Bool

  /// Begins a file at `path`, which may exist; `-` is standard output. A symbolic link stays, and its target is
  /// replaced. For a pipe it waits for a reader until `isInterrupted`. Throws if the file cannot be created.
  public init(_ path: String, isInterrupted: @escaping () -> Bool = { false }) throws(FileError) {
    self.isInterrupted = isInterrupted
    if path == "-" {
      self.path = "standard output"
      file = dup(STDOUT_FILENO)
      if file < 0 { throw FileError("write", self.path) }
      return
    }
    var target = stat()
    let exists = stat(path, &target) == 0
    if exists && target.st_mode & S_IFMT == S_IFDIR { throw FileError("write", path, "it is a folder") }
    if exists && target.st_mode & S_IFMT != S_IFREG {
      self.path = path
      file = try Self.openInPlace(path, isInterrupted)
      return
    }
    // Beside the file that a link leads to, so that the rename replaces the file and not the link.
    self.path = try exists ? Self.resolved(path) : Self.linkTarget(path)
    let draft = "\(self.path).\(getpid()).part"
    file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if file < 0 { throw FileError("write", path) }
    self.draft = draft
  }

  /// Deletes the unfinished files in a folder of processes that were killed.
  public static func removeAbandoned(in folder: String) {
    for name in fileNames(in: folder) ?? [] {
      let words = name.split(separator: ".")
      guard words.count > 2, words.last == "part", let process = Int32(words[words.count - 2]) else {
        continue
      }
      if kill(process, 0) != 0, errno == ESRCH { unlink(folder + "/" + name) }
    }
  }

  /// Opens a file that is not a regular file. A pipe without a reader is tried again.
  private static func openInPlace(_ path: String, _ isInterrupted: () -> Bool) throws(FileError) -> Int32 {
    while true {
      let file = open(path, O_WRONLY | O_CLOEXEC | O_NONBLOCK)
      if file >= 0 { return file }
      guard errno == ENXIO || errno == EINTR else { throw FileError("write", path) }
      if isInterrupted() { throw FileError("write", path, "interrupted") }
      usleep(20_000)
    }
  }

  deinit {
    close(file)
    if let draft { unlink(draft) }
  }

  /// Moves to the beginning of the file; throws for a pipe.
  public func rewind() throws(FileError) {
    if lseek(file, 0, SEEK_SET) < 0 { throw FileError("write", path) }
  }

  /// Appends bytes. Throws if the disk is full.
  public func write(_ bytes: [UInt8]) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if count >= 0 {
        done += count
      } else if errno == EAGAIN {
        if isInterrupted() { throw FileError("write", path, "interrupted") }
        var entry = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&entry, 1, 50)
      } else if errno != EINTR {
        throw FileError("write", path)
      }
    }
  }

  /// Appends the contents of another file.
  public func write(_ contents: FileContents) throws(FileError) {
    var done = 0
    while case let piece = try contents.read(at: done, count: 64 << 10), !piece.isEmpty {
      try write(piece)
      done += piece.count
    }
  }

  /// Writes the file to the disk and gives it its name.
  public func finish() throws(FileError) {
    guard let draft else { return }
    // Without fsync, a power cut could leave half a file under the name.
    if fsync(file) != 0 || rename(draft, path) != 0 { throw FileError("write", path) }
    self.draft = nil
  }

  /// The target of a symbolic link whose target does not exist yet; any other path unchanged.
  private static func linkTarget(_ path: String) throws(FileError) -> String {
    var path = path
    for _ in 0..<40 {
      var letters = [CChar](repeating: 0, count: Int(PATH_MAX))
      let count = readlink(path, &letters, letters.count)
      if count < 0 { return path }
      let target = String(decoding: letters[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
      let folder = path.lastIndex(of: "/").map { path[...$0] } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw FileError("write", path, String(cString: strerror(ELOOP)))
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
