import Glibc
import System

// A recording that was not ended: the plug was pulled, the program was killed, the disk was full. What was written of it
// is made a whole file.

/// What a mended file holds.
struct Mended: Equatable {
  /// Its length.
  let frames: Int
  /// Frames a second.
  let rate: Int
}

extension SoundFile {
  /// Ends the name of a file that is being written.
  static let unfinished = ".part"
  /// A file of fewer bytes has not even a header.
  private static let shortest = 64

  /// The names, in order, of the files in a folder that were not ended, without `unfinished`.
  static func unfinishedNames(in folder: String) -> [String] {
    (fileNames(in: folder) ?? []).filter { $0.hasSuffix(unfinished) }
      .map { String($0.dropLast(unfinished.count)) }
      .filter { name in Format.allCases.contains { name.hasSuffix("." + $0.rawValue) } }
  }

  /// Makes what was written of the file that was to have its name at `path` a whole file, and gives it that name, or takes it
  /// away when it holds nothing. What it holds; nil when somebody still writes it. Throws when it cannot be mended, and then
  /// leaves it where it is.
  static func mend(_ path: String) throws(FileError) -> Mended? {
    let draft = path + unfinished
    let file = Glibc.open(draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { throw FileError("mend", draft) }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw FileError("mend", draft) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw FileError("mend", draft, "it is no file") }
    var mended = Mended(frames: 0, rate: 1)
    if facts.st_size >= Self.shortest {
      let isWAV = path.hasSuffix("." + Format.wav.rawValue)
      mended = try isWAV ? WAVMending.mend(file, draft) : FLACMending.mend(file, draft)
    }
    if mended.frames == 0 {
      if unlink(draft) != 0 { throw FileError("remove", draft) }
    } else {
      if fsync(file) != 0 { throw FileError("mend", draft) }
      try name(draft, path)
    }
    return mended
  }

  /// Gives a file that is whole its name, and keeps that over a power cut. Nothing that has the name is written over.
  static func name(_ draft: String, _ path: String) throws(FileError) {
    if access(path, F_OK) == 0 { throw FileError("name", draft, "there is a \(path) already") }
    if rename(draft, path) != 0 { throw FileError("name", draft) }
    syncFolder(of: path)
  }

  /// Keeps the names in the folder of `path` over a power cut.
  static func syncFolder(of path: String) {
    let folder = Glibc.open(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    if folder < 0 { return }
    fsync(folder)
    close(folder)
  }
}

extension Recorder {
  /// Mends the recordings in the folder that were not ended, on a thread of its own; `takeMended` then tells of them.
  public func mend() {
    let names = SoundFile.unfinishedNames(in: folder)
    if names.isEmpty { return }
    work.withLock { $0.threads += 1 }
    let isStarted = startDetachedThread { [self] in
      for name in names {
        let said = mend(name)
        work.withLock { if let said { $0.mended.append(said) } }
      }
      work.withLock { $0.threads -= 1 }
      tell()
    }
    if !isStarted { work.withLock { $0.threads -= 1 } }
  }

  /// What has become of recordings that were not ended, a sentence each, since this was called last. Any thread.
  public func takeMended() -> [String] {
    work.withLock { work in
      defer { work.mended = [] }
      return work.mended
    }
  }

  /// Mends one file; nil when nothing is to be said of it.
  private func mend(_ name: String) -> String? {
    do throws(FileError) {
      guard let mended = try SoundFile.mend("\(folder)/\(name)") else { return nil }
      if mended.frames == 0 { return "the recording \(name) was cut off before it held any sound" }
      return "the recording \(name) was cut off; \(Self.length(mended.frames / mended.rate)) of it are kept"
    } catch {
      return "\(error)"
    }
  }
}

/// `count` bytes of a file from `place` on; fewer where it ends.
func bytes(of file: Int32, _ path: String, at place: Int, _ count: Int) throws(FileError) -> [UInt8] {
  var (bytes, done, code) = ([UInt8](repeating: 0, count: count), 0, Int32(0))
  bytes.withUnsafeMutableBytes { bytes in
    while done < count, code == 0 {
      let read = pread(file, bytes.baseAddress.map { $0 + done }, count - done, place + done)
      if read == 0 { break }
      if read > 0 { done += read } else if errno != EINTR { code = errno }
    }
  }
  if code != 0 {
    errno = code
    throw FileError("read", path)
  }
  bytes.removeLast(count - done)
  return bytes
}

/// Writes bytes in place of those at `place`.
func overwrite(_ file: Int32, _ path: String, _ bytes: [UInt8], at place: Int) throws(FileError) {
  var done = 0
  while done < bytes.count {
    let written = bytes.withUnsafeBytes {
      pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, place + done)
    }
    if written >= 0 { done += written } else if errno != EINTR { throw FileError("write", path) }
  }
}
