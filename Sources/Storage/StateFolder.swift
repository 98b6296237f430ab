import Glibc
import System

/// The permissions of the state folder: its user may write, its group may read, and others have no access.
public enum StateFolder {
  private static let folderMode: mode_t = 0o750
  private static let fileMode: mode_t = 0o640

  /// Creates the folder of a file if it is missing, and its parents with default permissions.
  static func make(of path: String) {
    var folder = path.utf8.first == UInt8(ascii: "/") ? "" : "."
    // A failure shows when the file is opened.
    let names = path.split(separator: "/").dropLast()
    for (index, name) in names.enumerated() {
      folder += "/" + name
      let isLast = index == names.count - 1
      // The umask is meant for other folders.
      if mkdir(folder, isLast ? folderMode : 0o755) == 0, isLast { chmod(folder, folderMode) }
    }
  }

  /// Creates an empty file, or revokes the access of others to an existing one.
  static func makeFile(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
    if file < 0 { return close(path) }
    fchmod(file, fileMode)
    Glibc.close(file)
  }

  /// Revokes the access of others to a folder or file of this user, which older versions allowed. The permissions of
  /// the group stay.
  public static func close(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o007 != 0 else { return }
    chmod(path, status.st_mode & 0o7770)
  }
}

/// A lock on a state folder, so that two processes do not overwrite each other's sessions and saves. The kernel
/// releases it when the process ends.
public final class StateLock {
  /// The error when another process has locked the folder.
  public struct Held: Error, CustomStringConvertible {
    /// The folder.
    public let folder: String
    /// The process that holds the lock; nil if the system does not name it.
    public let process: Int?

    /// A sentence with the process and a remedy.
    public var description: String {
      "another pipit" + (process.map { " (process \($0))" } ?? "") + " uses \(folder); stop it, or give "
        + "this one a folder of its own with --state"
    }
  }

  let descriptor: Int32

  /// Locks a folder, and creates it if necessary. A read-only folder can be locked as well. Does nothing for a folder
  /// that cannot be opened, or a disk without locks.
  /// - Parameter timeout: How long to wait for a process that is about to end, seconds.
  public init(_ folder: String, timeout: Double = 1) throws(Held) {
    StateFolder.make(of: folder + "/lock")
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let end = monotonic() + Int64(clamping: timeout * 1e9)
    while descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      if monotonic() >= end { throw Held(folder: folder, process: StateLock.holder(of: descriptor)) }
      sleep(until: monotonic() + 20_000_000)
    }
  }

  // Unlocked explicitly: a process that another thread is starting has a copy of the descriptor until its exec.
  deinit {
    if descriptor < 0 { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The process that has locked the file of a descriptor, from the kernel's list.
  private static func holder(of descriptor: Int32) -> Int? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, let bytes = try? readFile("/proc/locks", limit: 1 << 20) else {
      return nil
    }
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      // 1: FLOCK  ADVISORY  WRITE 1234 08:02:5678 0 EOF
      let words = line.split(separator: " ")
      if words.count > 5, words[1] == "FLOCK", words[5].hasSuffix(":\(status.st_ino)") {
        return Int(words[4]).flatMap { $0 > 0 ? $0 : nil }
      }
    }
    return nil
  }
}
