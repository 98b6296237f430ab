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
