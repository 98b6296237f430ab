import Control
import Glibc
import Scratch
import System
import Testing

/// A bad network between a tablet and pipit: of each direction a fifth of the datagrams is lost, a tenth comes
/// twice, and all are late by times of their own, so that they overtake each other.
final class Relay {
  /// Where the tablet sends to.
  let port: Int
  /// Where the tablet itself listens; nothing is passed on before it is known.
  var tablet = 0
  /// Where pipit listens.
  var pipit = 0
  /// The tablet is out of reach: nothing of what it sends arrives.
  var isDeaf = false
  /// When pipit sent something, and how much.
  private(set) var sent: [(at: Int64, bytes: Int)] = []
  /// Datagrams dropped.
  private(set) var lost = 0

  // What the tablet sends to, what pipit hears from, and what pipit sends to.
  private let near: Socket
  private let far: Socket
  private let back: Socket
  private var waiting: [(due: Int64, bytes: [UInt8], toPipit: Bool)] = []
  private var random: SeededRandom

  /// A relay that pipit sees as the host 127.0.0.`host`, told at the port `replyPort` (0: any that is free).
  init(host: UInt8, replyPort: Int, random: SeededRandom) throws {
    near = try Socket(host: 1, port: 0)
    far = try Socket(host: host, port: 0)
    back = try Socket(host: host, port: replyPort)
    port = near.port
    self.random = random
  }

  var replyPort: Int { back.port }

  /// Takes in what has come and passes on what is due.
  func turn() {
    let now = monotonic()
    while let bytes = near.receive() { delay(bytes, toPipit: true, now) }
    while let bytes = back.receive() {
      sent.append((now, bytes.count))
      delay(bytes, toPipit: false, now)
    }
    for late in waiting where late.due <= now {
      if late.toPipit { far.send(late.bytes, to: pipit) } else { near.send(late.bytes, to: tablet) }
    }
    waiting.removeAll { $0.due <= now }
  }

  private func delay(_ bytes: [UInt8], toPipit: Bool, _ now: Int64) {
    if random.chance(0.2) || toPipit && isDeaf {
      lost += 1
      return
    }
    for _ in 0..<(random.chance(0.1) ? 2 : 1) {
      // Up to 5 ms, and now and then up to 60.
      let most: Int64 = random.chance(0.1) ? 60_000_000 : 5_000_000
      waiting.append((now + .random(in: 0...most, using: &random), bytes, toPipit))
    }
  }
}

/// A UDP socket of this machine, without waiting.
final class Socket {
  let port: Int
  private let descriptor: Int32
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  init(host: UInt8, port: Int) throws {
    let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
    self.descriptor = descriptor
    var place = Socket.place(host, port)
    let status = Socket.pointer(&place) { bind(descriptor, $0, $1.pointee) }
    try #require(status == 0)
    _ = Socket.pointer(&place) { getsockname(descriptor, $0, $1) }
    self.port = Int(UInt16(bigEndian: place.sin_port))
  }

  deinit { close(descriptor) }

  func send(_ bytes: [UInt8], to port: Int) {
    var place = Socket.place(1, port)
    _ = Socket.pointer(&place) { sendto(descriptor, bytes, bytes.count, 0, $0, $1.pointee) }
  }

  func receive() -> [UInt8]? {
    let count = recv(descriptor, &buffer, buffer.count, 0)
    return count < 0 ? nil : Array(buffer[..<count])
  }

  private static func place(_ host: UInt8, _ port: Int) -> sockaddr_in {
    var place = sockaddr_in()
    place.sin_family = sa_family_t(AF_INET)
    place.sin_port = UInt16(port).bigEndian
    place.sin_addr.s_addr = (0x7F00_0000 | UInt32(host)).bigEndian
    return place
  }

  private static func pointer<Value>(
    _ place: inout sockaddr_in,
    _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Value
  ) -> Value {
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    return withUnsafeMutablePointer(to: &place) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, &length) }
    }
  }
}
