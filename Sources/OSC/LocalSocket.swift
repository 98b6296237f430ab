import Glibc
import Synth

/// The socket by which the commands of this machine reach the instrument whose OSC port is `port`, whatever holds that
/// port: packets of OSC in a stream that keeps them apart. Its name is in the kernel only, so that it needs no folder
/// that can be written to, leaves nothing behind, and every account may ask by it; `LocalAccount` says who may change
/// things.
enum LocalSocket {
  /// A new socket, not waiting; below 0, with the reason in `errno`, when there is none.
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

  /// What is sent in one packet, in bytes, unless one message alone is longer.
  static let packetBytes = 16_384
  /// The longest message, in bytes: the largest preset there is, its name and its address.
  static let messageBytes = Limits.textBytes + 4_096
}
