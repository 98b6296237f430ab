import Glibc
import OSCPackets
import Surface
import System

/// A UDP socket of a tablet.
final class TabletSocket {
  /// The longest that anything is waited for, nanoseconds: a busy machine may need most of a minute for a start.
  static let timeout: Int64 = 180_000_000_000

  private let descriptor: Int32
  let port: Int

  /// A socket at any port that is free; nil when there is none.
  init?() {
    descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let handle = descriptor
    let isBound = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(handle, $0, length) == 0 && getsockname(handle, $0, &length) == 0
      }
    }
    port = Int(UInt16(bigEndian: address.sin_port))
    if !isBound { return nil }
  }

  deinit { close(descriptor) }

  /// Sends a message to a port of this machine.
  func send(_ address: String, _ values: [OSCValue] = [], to port: Int) {
    guard let message = OSCMessage.packet(address, values) else { return }
    var to = sockaddr_in()
    to.sin_family = sa_family_t(AF_INET)
    to.sin_port = in_port_t(UInt16(port)).bigEndian
    to.sin_addr.s_addr = inet_addr("127.0.0.1")
    withUnsafePointer(to: &to) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = sendto(descriptor, message, message.count, 0, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  /// Listens until each of some addresses has come in, for `timeout` at most. Those that have not.
  func missing(_ addresses: [String], within nanoseconds: Int64 = timeout) -> [String] {
    let end = monotonic() + nanoseconds
    var missing = addresses
    while !missing.isEmpty, monotonic() < end {
      var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      guard poll(&polled, 1, Int32(clamping: (end - monotonic()) / 1_000_000 + 1)) > 0 else { continue }
      let text = String(decoding: receive() ?? [], as: UTF8.self)
      missing.removeAll { text.contains($0) }
    }
    return missing
  }

  /// Takes what has come in so far; how many packets that were.
  func waiting() -> Int {
    var count = 0
    while receive() != nil { count += 1 }
    return count
  }

  private func receive() -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: 2_048)
    let count = recv(descriptor, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return count < 0 ? nil : Array(bytes[..<count])
  }
}
