import Glibc
import OSCPackets
import Scenes
import Surface
import System

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

/// Queries a running pipit on this machine over its local socket. Any account, any thread.
public enum LocalQuery {
  /// A message of an answer: an address and its value.
  public typealias Answer = (address: String, value: OSCArgument)

  /// The most bytes of arguments in a message: the largest preset and its name.
  public static let wordBytes = LocalSocket.messageBytes - 1_024

  /// Sends a message to the instrument configured for `port`, even if that port is in use, and returns the answers,
  /// which may include `/error`. Nil without such an instrument, if it ends, or without an answer within `seconds`.
  public static func ask(
    _ address: String, _ arguments: [OSCValue] = [], port: Int, within seconds: Double = 5
  ) -> [Answer]? {
    guard let packet = OSCMessage.packet(address, arguments) else { return nil }
    let end = monotonic() + Int64(clamping: seconds * 1e9)
    let socket = LocalSocket.make()
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    // Refused while there are too many connections.
    while LocalSocket.withAddress(port, { connect(socket, $0, $1) }) != 0 {
      guard errno == EAGAIN || errno == EINTR, monotonic() < end else { return nil }
      sleep(until: monotonic() + 1_000_000)
    }
    guard send(socket, packet, packet.count, Int32(MSG_NOSIGNAL)) == packet.count else { return nil }
    shutdown(socket, Int32(SHUT_WR))
    return answers(socket, until: end)
  }

  private static func answers(_ socket: Int32, until end: Int64) -> [Answer]? {
    var (answers, isComplete): ([Answer], Bool) = ([], false)
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: LocalSocket.messageBytes, alignment: 8)
    defer { buffer.deallocate() }
    while true {
      var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      let left = end - monotonic()
      if left <= 0 { return nil }
      if poll(&entry, 1, Int32(clamping: left / 1_000_000 + 1)) <= 0 { continue }
      let count = recv(socket, buffer.baseAddress, buffer.count, 0)
      if count == 0 { return isComplete ? answers : nil }
      if count < 0 {
        if errno == EAGAIN || errno == EINTR { continue }
        return nil
      }
      isComplete = buffer[..<count].elementsEqual(LocalSocket.end)
      _ = Packet.read(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count])) { message in
        if let value = try? message.arguments.validated().first {
          answers.append((message.address, value))
        }
      }
    }
  }
}
