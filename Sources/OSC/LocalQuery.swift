import Glibc
import OSCPackets
import Surface
import System

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
