import Glibc

/// A stereo WAV that is being written. It carries another name until `finish`; without that nothing is left of
/// it. One thread.
public final class WAVFile {
  private let path: String
  private let format: WAVFormat
  private let rate: Int
  private let file: Int32
  // Nil when `path` is no ordinary file, as /dev/null, and is written in place.
  private var draft: String?
  private var buffer: [UInt8] = []
  private static let piece = 1 << 16
  /// Frames written so far.
  public private(set) var frames = 0

  /// Begins a file at `path`, which may exist. Throws when no file can be made there.
  public init(path: String, format: WAVFormat, rate: Int) throws(FileError) {
    (self.format, self.rate) = (format, rate)
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
    if lseek(file, 0, SEEK_CUR) < 0 {
      close(file)
      throw FileError("write", path, "a WAV cannot go into a pipe, its header is written last")
    }
    buffer.reserveCapacity(Self.piece + 16)
    buffer = format.header(rate: rate, frames: 0)
  }

  deinit {
    close(file)
    if let draft { unlink(draft) }
  }

  /// Appends frames. Throws when the disk is full or the file would be larger than a WAV can be (4 GB).
  public func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames count: Int
  ) throws(FileError) {
    if (frames + count) * 2 * format.bytes > Int(UInt32.max) - 100 {
      throw FileError("write", path, "a WAV holds 4 GB at most; take a lower rate or fewer bits")
    }
    for frame in 0..<count {
      format.append(left[frame], to: &buffer)
      format.append(right[frame], to: &buffer)
      if buffer.count >= Self.piece { try flush() }
    }
    frames += count
  }

  /// Writes the header anew, now that the length is known, and gives the file its name.
  public func finish() throws(FileError) {
    try flush()
    if lseek(file, 0, SEEK_SET) < 0 { throw FileError("write", path) }
    buffer = format.header(rate: rate, frames: frames)
    try flush()
    guard let draft else { return }
    // A name on a file whose bytes are still in the air would be half a file after a power cut.
    if fsync(file) != 0 || rename(draft, path) != 0 { throw FileError("write", path) }
    self.draft = nil
  }

  private func flush() throws(FileError) {
    var done = 0
    while done < buffer.count {
      let count = buffer.withUnsafeBytes {
        Glibc.write(file, $0.baseAddress.map { $0 + done }, $0.count - done)
      }
      if count >= 0 { done += count } else if errno != EINTR { throw FileError("write", path) }
    }
    buffer.removeAll(keepingCapacity: true)
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }
}
