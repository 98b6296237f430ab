import Glibc
import Synth

/// The local socket of an instrument, named by its OSC port, even if another program uses that port. It carries OSC
/// packets in a sequential-packet stream. Its name is abstract: it needs no writable folder, leaves no file behind, and
/// is open to every account; `LocalAccount` says which may change things.
enum LocalSocket {
  /// Makes a non-blocking socket. Below 0, with the reason in `errno`, if the system has none.
  static func make() -> Int32 {
    let kind = SOCK_SEQPACKET.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue
    return socket(AF_UNIX, Int32(kind), 0)
  }

  /// Calls `body` with the address for a port.
  static func withAddress(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let name = Array("\0pipit/\(port)".utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
    let head = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path)
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(head + name.count)) }
    }
  }

  /// The packet after all answers, an empty bundle. A connection that ends without it belonged to an instrument that
  /// has ended.
  static let end = Array("#bundle\0".utf8) + [0, 0, 0, 0, 0, 0, 0, 1]

  /// The largest packet, bytes, unless one message alone is longer.
  static let packetBytes = 16_384
  /// The longest message, bytes: the largest preset, its name and its address.
  static let messageBytes = Limits.presetBytes + 4_096
}
