import Glibc

/// Calls `body` with a pointer to an address for the system's functions, and a pointer to its length.
public func withSocketAddress<Value>(
  _ address: inout sockaddr_in,
  _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
) -> Value {
  var length = socklen_t(MemoryLayout<sockaddr_in>.size)
  return withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
  }
}
