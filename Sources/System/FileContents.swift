import Glibc

/// The contents of a file: in memory, or in a part of an open file. The methods wait for the disk. Any thread.
public struct FileContents: Sendable, ExpressibleByArrayLiteral {
  private enum Place {
    case memory([UInt8])
    case disk(OpenFile, start: Int)
  }
  private let place: Place
  /// The number of bytes.
  public let count: Int

  /// Bytes in memory.
  public init(_ bytes: [UInt8]) { (place, count) = (.memory(bytes), bytes.count) }

  /// Bytes in memory.
  public init(arrayLiteral bytes: UInt8...) { self.init(bytes) }

  /// Bytes of a file from `start` on.
  public init(_ file: OpenFile, from start: Int = 0, count: Int) {
    (place, self.count) = (.disk(file, start: start), count)
  }

  /// Whether there are no bytes.
  public var isEmpty: Bool { count == 0 }

  /// Whether they are in memory.
  public var isInMemory: Bool { if case .memory = place { true } else { false } }

  /// All bytes, in memory.
  public func bytes() throws(FileError) -> [UInt8] { try read(at: 0, count: count) }

  /// Bytes from an offset on: `count` of them, or fewer at the end.
  public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    let count = max(0, min(count, self.count - offset))
    switch place {
    case .memory(let bytes): return count == bytes.count ? bytes : Array(bytes[offset...].prefix(count))
    case .disk(let file, let start): return try file.read(at: start + offset, count: count)
    }
  }
}

/// Contents that are put one behind the other into a file without a name, so that they take no memory. Where no such
/// file can be made, they stay in memory. One thread.
public struct Spool {
  private let file: OpenFile?
  private var end = 0

  /// A spool on the disk of a folder.
  public init(in folder: String) { file = try? OpenFile(unnamedIn: folder) }

  /// Adds bytes. Throws if the disk is full.
  public mutating func add(_ bytes: [UInt8]) throws(FileError) -> FileContents {
    guard let file else { return FileContents(bytes) }
    try file.write(bytes, at: end)
    defer { end += bytes.count }
    return FileContents(file, from: end, count: bytes.count)
  }

  /// Adds the bytes that `next` returns piece by piece, until there are none.
  public mutating func add<E: Error>(
    _ next: () throws(E) -> [UInt8], failed: (FileError) -> E
  ) throws(E) -> FileContents {
    let start = end
    var (count, all) = (0, [UInt8]())
    while case let piece = try next(), !piece.isEmpty {
      if file == nil {
        all += piece
      } else {
        do throws(FileError) { _ = try add(piece) } catch { throw failed(error) }
      }
      count += piece.count
    }
    return file.map { FileContents($0, from: start, count: count) } ?? FileContents(all)
  }
}

/// An open file, which is closed with its last reference. Its methods wait for the disk. Any thread.
public final class OpenFile: Sendable {
  private let descriptor: Int32
  // Where it is, for errors.
  private let place: String

  /// The bytes of the disk that written files leave free, for what the player saves.
  public static let leftFree = 16 << 20

  /// Takes an open descriptor of the file at a path.
  public init(_ descriptor: Int32, _ path: String) { (self.descriptor, place) = (descriptor, path) }

  /// Makes an empty file without a name on the disk of a folder. The file is gone when it is closed, also by a crash.
  /// Throws if the folder cannot be written.
  public init(unnamedIn folder: String) throws(FileError) {
    place = "a file in \(folder)"
    var path = Array((folder + "/.unnamed-XXXXXX").utf8CString)
    descriptor = mkstemp(&path)
    if descriptor < 0 { throw FileError("write", place) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  deinit { close(descriptor) }

  /// Writes bytes at an offset. Throws if the disk is full, or would have less than `leftFree` left.
  public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    var disk = statvfs()
    if fstatvfs(descriptor, &disk) == 0 {
      let free = Int(clamping: disk.f_bavail) * Int(clamping: disk.f_frsize)
      if free < bytes.count + OpenFile.leftFree {
        throw FileError("write", place, "the disk has only \(free >> 20) MB left")
      }
    }
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        pwrite(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, off_t(offset + done))
      }
      if count > 0 { done += count } else if errno != EINTR { throw FileError("write", place) }
    }
  }

  /// Reads bytes from an offset on: `count` of them, or fewer at the end.
  public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, done in
      done = 0
      while done < count {
        let read = pread(descriptor, buffer.baseAddress.map { $0 + done }, count - done, off_t(offset + done))
        if read > 0 {
          done += read
        } else if read == 0 || errno != EINTR {
          code = read == 0 ? 0 : errno
          return
        }
      }
    }
    if code == 0 { return bytes }
    errno = code
    throw FileError("read", place)
  }
}
