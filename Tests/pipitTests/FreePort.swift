import Glibc

/// A UDP port that is free, for a service to listen at: no other test gets it, whether it is of this process or of another test run
/// on the machine. Nil when all are taken.
///
/// A port that the system chooses may be given to somebody else before the service binds it. So the ports lie below those that the
/// system chooses, and each is reserved, until this process ends, by an abstract socket that is named after it.
func freePort() -> Int? {
  let ports = 18_000..<28_000
  let first = Int(getpid()) % ports.count
  return (0..<ports.count).lazy.map { ports.lowerBound + (first + $0) % ports.count }
    .first { reserve($0) && isFree($0) }
}

/// Reserves a port for this process; false when another process, or an earlier call, has it.
private func reserve(_ port: Int) -> Bool {
  let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  var address = sockaddr_un()
  address.sun_family = sa_family_t(AF_UNIX)
  let name = [0] + Array("pipit test port \(port)".utf8)
  withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
  let length = MemoryLayout<sa_family_t>.size + name.count
  let isBound = withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, socklen_t(length)) == 0 }
  }
  if !isBound { close(descriptor) }
  return isBound
}

/// Whether nobody listens at a UDP port.
private func isFree(_ port: Int) -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
  defer { close(descriptor) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = in_port_t(UInt16(port)).bigEndian
  return withUnsafePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
    }
  }
}
