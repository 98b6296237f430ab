import Glibc
import Surface

extension Peer {
  /// The peer of a socket address; nil if it is not IPv4.
  init?(_ socket: sockaddr_in) {
    guard socket.sin_family == sa_family_t(AF_INET) else { return nil }
    self.init(
      HostAddress(UInt32(bigEndian: socket.sin_addr.s_addr)), port: Int(UInt16(bigEndian: socket.sin_port)))
  }
}

/// Calls `body` with a pointer to an address for the system's functions, and a pointer to its length.
func withSocketAddress<Value>(
  _ address: inout sockaddr_in,
  _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
) -> Value {
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
  }
}
