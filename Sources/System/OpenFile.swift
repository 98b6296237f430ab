import Glibc

/// An open file, which is closed with its last reference. Its methods wait for the disk. Any thread.
public final class OpenFile: Sendable {
  private let descriptor: Int32
  // Where it is, for errors.
  private let place: String

  /// The bytes of the disk that written files leave free, for what the player saves.
  public static let leftFree = 16 << 20

  /// Takes an open descriptor of the file at a path.
  public init(_ descriptor: Int32, _ path: String) { (self.descriptor, place) = (descriptor, path) }

  /// Makes an empty file without a name on the disk of a folder, which is gone when it is closed, also by a crash. Throws
  /// if the folder cannot be written.
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
