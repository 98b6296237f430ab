import Glibc
import Scratch

@testable import pipit

/// A running service, which ends with this.
final class Service {
  let folder = Folder()
  let port: Int
  private let process: pid_t

  init(_ port: Int, _ more: [String] = []) {
    self.port = port
    process = start(
      ["--device", "clock", "--state", folder.path, "--osc-port", "\(port)", "--presets", "/nowhere"]
        + more,
      environment: ["HOME=/nowhere"], output: folder.path + "/out", errors: folder.path + "/err")
  }

  deinit {
    kill(process, SIGKILL)
    _ = end(of: process)
  }

  /// Bytes of its own memory in use, without pages of files; 0 if unknown.
  var memory: Int {
    let lines = text("/proc/\(process)/status").split(separator: "\n")
    let words = lines.first { $0.hasPrefix("RssAnon:") }?.split(separator: " ") ?? []
    return words.count > 1 ? (Int(words[words.count - 2]) ?? 0) * 1_024 : 0
  }

  var log: String { text(folder.path + "/err") }

  /// Sends a signal.
  func send(_ signal: Int32) { kill(process, signal) }

  /// Its exit status after a signal.
  func stop(_ signal: Int32 = SIGTERM) -> Int32 {
    send(signal)
    return end(of: process)
  }

  /// Waits for a figure to be so.
  func waits(for name: String, _ isSo: (String) -> Bool) -> Bool {
    eventually {
      let figures = Status.figures(port: port) ?? []
      return figures.first { $0.name == name }.map { isSo($0.value) } ?? false
    }
  }

  func waits(forLog words: String) -> Bool { eventually { log.contains(words) } }
}

/// A UDP socket on a port of its own.
func boundPort() -> (descriptor: Int32, port: Int)? {
  let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  // The service must not inherit it.
  _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  let isBound = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
    }
  }
  return isBound ? (descriptor, Int(UInt16(bigEndian: address.sin_port))) : nil
}
