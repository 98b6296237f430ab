import Glibc
import System

/// Says that this process is the one that writes into a state folder, as long as it lives: two would overwrite each
/// other's sessions and saves. The kernel lets go of it when the process ends, however it ends.
public final class StateLock {
  /// Another process holds the folder.
  public struct Held: Error, CustomStringConvertible {
    /// The folder.
    public let folder: String
    /// The process that holds it, where the system tells.
    public let process: Int?

    /// Who, and what to do.
    public var description: String {
      "another pipit" + (process.map { " (process \($0))" } ?? "") + " uses \(folder); stop it, or give "
        + "this one a folder of its own with --state"
    }
  }

  let descriptor: Int32

  /// Holds a folder, which is made when it is missing. A folder that can only be read is held as any other; one that
  /// cannot be opened, or on a disk that knows no locks, is held by nobody.
  /// - Parameter patience: Seconds to wait for one that is about to end.
  public init(_ folder: String, patience: Double = 1) throws(Held) {
    StateFolder.make(of: folder + "/lock")
    descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    let end = monotonic() + Int64(patience * 1e9)
    while descriptor >= 0 && flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      if monotonic() >= end { throw Held(folder: folder, process: StateLock.holder(of: descriptor)) }
      sleep(until: monotonic() + 20_000_000)
    }
  }

  // Let go by word: a process that another thread is starting has a copy of the descriptor until its program begins.
  deinit {
    if descriptor < 0 { return }
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The process that holds what a descriptor stands for, as the kernel lists it.
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
