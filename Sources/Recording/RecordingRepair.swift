import Glibc
import System

// Repairs recordings that were not finished, because of a power cut, a killed program or a full disk.

/// The length of a repaired file.
struct RepairedRecording: Equatable {
  /// The number of frames.
  let frames: Int
  /// Frames per second.
  let rate: Int
}

extension SoundFile {
  /// The ending of the name of an unfinished file.
  static let unfinished = ".part"
  /// A smaller file, in bytes, has no whole header.
  private static let shortest = 64

  /// The names of the unfinished files in a folder, sorted, without `unfinished`.
  static func unfinishedNames(in folder: String) -> [String] {
    (fileNames(in: folder) ?? []).filter { $0.hasSuffix(unfinished) }
      .map { String($0.dropLast(unfinished.count)) }
      .filter { name in Format.allCases.contains { name.hasSuffix("." + $0.rawValue) } }
  }

  /// Repairs the unfinished file of `path`, and gives it its name, or deletes it if it has no sound. Returns its
  /// length; nil if it is still being written. If it cannot be repaired, throws and leaves it.
  static func repair(_ path: String) throws(FileError) -> RepairedRecording? {
    let draft = path + unfinished
    let file = Glibc.open(draft, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if file < 0 { throw FileError("repair", draft) }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK { return nil }
    var facts = stat()
    guard fstat(file, &facts) == 0 else { throw FileError("repair", draft) }
    guard facts.st_mode & S_IFMT == S_IFREG else { throw FileError("repair", draft, "it is no file") }
    var repaired = RepairedRecording(frames: 0, rate: 1)
    if facts.st_size >= Self.shortest {
      let isWAV = path.hasSuffix("." + Format.wav.rawValue)
      repaired = try isWAV ? WAVRepair.repair(file, draft) : FLACRepair.repair(file, draft)
    }
    if repaired.frames == 0 {
      if unlink(draft) != 0 { throw FileError("remove", draft) }
    } else {
      if fsync(file) != 0 { throw FileError("repair", draft) }
      try name(draft, path)
    }
    return repaired
  }

  /// Gives a finished file its name, and syncs the folder. Never overwrites a file.
  static func name(_ draft: String, _ path: String) throws(FileError) {
    if access(path, F_OK) == 0 { throw FileError("name", draft, "there is a \(path) already") }
    if rename(draft, path) != 0 { throw FileError("name", draft) }
    syncFolder(of: path)
  }

  /// Syncs the folder of `path`, so that a new name survives a power cut.
  static func syncFolder(of path: String) {
    let folder = Glibc.open(path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ".", O_RDONLY | O_CLOEXEC)
    if folder < 0 { return }
    fsync(folder)
    close(folder)
  }
}

extension Recorder {
  /// Repairs the unfinished recordings in the folder on a background thread; `takeRepairReports` then returns the
  /// results.
  public func repair() {
    let names = SoundFile.unfinishedNames(in: folder)
    if names.isEmpty { return }
    work.withLock { $0.threads += 1 }
    let isStarted = startDetachedThread { [self] in
      for name in names {
        let report = repair(name)
        work.withLock { if let report { $0.repaired.append(report) } }
      }
      work.withLock { $0.threads -= 1 }
      onStateChange()
    }
    if !isStarted { work.withLock { $0.threads -= 1 } }
  }

  /// Returns and clears the results of repairs, a sentence each. Any thread.
  public func takeRepairReports() -> [String] {
    work.withLock { work in
      defer { work.repaired = [] }
      return work.repaired
    }
  }

  /// Repairs one file and returns a sentence about it; nil if it is still being written.
  private func repair(_ name: String) -> String? {
    do throws(FileError) {
      guard let repaired = try SoundFile.repair("\(folder)/\(name)") else { return nil }
      if repaired.frames == 0 { return "the recording \(name) was cut off before it held any sound" }
      return
        "the recording \(name) was cut off; \(Self.length(repaired.frames / repaired.rate)) of it were saved"
    } catch {
      return "\(error)"
    }
  }
}

/// Reads `count` bytes of a file from `offset` on; fewer at its end.
func bytes(of file: Int32, _ path: String, at offset: Int, _ count: Int) throws(FileError) -> [UInt8] {
  var (bytes, done, code) = ([UInt8](repeating: 0, count: count), 0, Int32(0))
  bytes.withUnsafeMutableBytes { bytes in
    while done < count, code == 0 {
      let read = pread(file, bytes.baseAddress.map { $0 + done }, count - done, offset + done)
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

/// Overwrites the bytes of a file at `offset`.
func overwrite(_ file: Int32, _ path: String, _ bytes: [UInt8], at offset: Int) throws(FileError) {
  var done = 0
  while done < bytes.count {
    let written = bytes.withUnsafeBytes {
      pwrite(file, $0.baseAddress.map { $0 + done }, $0.count - done, offset + done)
    }
    if written >= 0 { done += written } else if errno != EINTR { throw FileError("write", path) }
  }
}
