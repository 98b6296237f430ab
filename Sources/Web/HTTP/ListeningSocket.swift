// It includes the declarations of sockets, which the compiler finds in the module that it loads first.
import CMicrohttpd
import Glibc
import System

/// A TCP socket that listens on every IPv4 address.
struct ListeningSocket {
  let descriptor: Int32
  /// Its port.
  let port: Int

  /// Listens on a port, 0 for any free one.
  init(port: Int) throws(PortFailure) {
    let flags = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_INET, flags, 0)
    if descriptor < 0 { throw PortFailure(.tcp, port: port, code: errno) }
    // Connections of a pipit that has ended keep the port for a minute.
    var yes: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(truncatingIfNeeded: port)).bigEndian
    let isListening = withSocketAddress(&address) {
      bind(descriptor, $0, $1.pointee) == 0 && listen(descriptor, 64) == 0
        && getsockname(descriptor, $0, $1) == 0
    }
    guard isListening else {
      let code = errno
      close(descriptor)
      throw PortFailure(.tcp, port: port, code: code)
    }
    (self.descriptor, self.port) = (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// The number of connections that wait to be accepted.
  var waiting: Int {
    // The system gives the length of the queue in the place of unacknowledged segments.
    var info = tcp_info()
    var length = socklen_t(MemoryLayout<tcp_info>.size)
    return getsockopt(descriptor, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0
      ? Int(info.tcpi_unacked) : 0
  }
}

/// Notices that connections wait which nobody accepts, whatever the reason. A value type, control thread.
struct ListenQueue {
  /// What has changed.
  enum Change: Equatable {
    /// So many connections have waited since the last look, and none was accepted.
    case stands(Int)
    /// Connections are accepted again, or none waits any more.
    case moves
  }

  private var acceptedBefore = 0
  private var isWaiting = false
  private var isStanding = false
  /// The time of the next look, nanoseconds; `Int64.max` while nothing waits.
  private(set) var looksAt = Int64.max
  private var lookedAt = Int64.min

  /// The time between two looks, nanoseconds.
  static let interval: Int64 = 2_000_000_000

  /// Looks at the queue if it is time. Returns what has changed; nil if nothing has. A queue that does not move is
  /// reported at each look.
  /// - Parameters:
  ///   - accepted: The number of connections that were accepted so far.
  ///   - waiting: The number of connections that wait.
  mutating func look(_ now: Int64, accepted: Int, _ waiting: () -> Int) -> Change? {
    if lookedAt != .min && now < lookedAt + ListenQueue.interval { return nil }
    lookedAt = now
    let count = waiting()
    let isAccepted = accepted != acceptedBefore
    let stands = isWaiting && count > 0 && !isAccepted
    (isWaiting, acceptedBefore) = (count > 0, accepted)
    looksAt = count > 0 ? now + ListenQueue.interval : .max
    if stands {
      isStanding = true
      return .stands(count)
    }
    guard isStanding, count == 0 || isAccepted else { return nil }
    isStanding = false
    return .moves
  }
}
