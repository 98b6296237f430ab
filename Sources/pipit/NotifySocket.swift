import Glibc

/// The socket in `$NOTIFY_SOCKET`, to which a service sends its state as datagrams, after sd_notify(3). Without one,
/// nothing is sent.
struct NotifySocket {
  private let descriptor: Int32
  private var address = sockaddr_un()
  private var length: socklen_t = 0
  /// The watchdog interval within which WATCHDOG=1 must be sent, nanoseconds; nil if no watchdog is configured.
  let watchdog: Int64?

  /// Reads the environment variables of systemd.
  init() {
    let path = NotifySocket.variable("NOTIFY_SOCKET").map { Array($0.utf8) } ?? []
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    if let first = path.first, [UInt8(ascii: "/"), UInt8(ascii: "@")].contains(first), path.count < capacity {
      descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
      address.sun_family = sa_family_t(AF_UNIX)
      withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
      // The name of an abstract socket begins with a zero byte.
      if first == UInt8(ascii: "@") { address.sun_path.0 = 0 }
      length = socklen_t(MemoryLayout<sockaddr_un>.size - capacity + path.count)
    } else {
      descriptor = -1
    }
    let isMine = NotifySocket.variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let microseconds = NotifySocket.variable("WATCHDOG_USEC").flatMap { Int64($0) } ?? 0
    watchdog = isMine && microseconds > 0 && microseconds < 1 << 50 ? microseconds * 1000 : nil
  }

  /// Sends a state, such as `READY=1`. Returns false if it could not be sent.
  @discardableResult
  func send(_ lines: String...) -> Bool {
    if descriptor < 0 { return false }
    var address = address
    let words = Array(lines.joined(separator: "\n").utf8)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, words, words.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), $0, length)
      }
    } == words.count
  }

  private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
}
