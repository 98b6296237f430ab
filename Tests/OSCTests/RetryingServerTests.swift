import Glibc
import Testing

@testable import OSC
@testable import System

/// The server that waits for its port.
struct RetryingServerTests {
  @Test("A hundred tries for a port that is taken cost no descriptor, and the port is had once it is free")
  func taken() throws {
    let other = socket(AF_INET, Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    let isBound = withSocketAddress(&address) {
      bind(other, $0, $1.pointee) == 0 && getsockname(other, $0, $1) == 0
    }
    try #require(isBound)
    let port = Int(UInt16(bigEndian: address.sin_port))

    let instrument = try ServedInstrument()
    var (had, said): (Int?, [String]) = (nil, [])
    let retrying = RetryingServer(loop: instrument.loop) { () throws(PortFailure) in
      try Server(
        port: port, replyPort: 9, surface: instrument.surface, loop: instrument.loop, log: { _ in })
    } started: {
      had = $0.port
    } failed: {
      said.append($0.words(without: "tablet", option: "osc-port", isPipit: false).short)
    }
    #expect(said.count == 1 && said[0].contains("UDP port \(port)") && had == nil)
    var now = retrying.update(0) ?? 0
    // Every two seconds.
    #expect(now == 2_000_000_000 && retrying.update(now) == 2 * now)
    func tries() {
      for _ in 0..<100 { now = retrying.update(now) ?? now }
    }
    tries()
    #expect(retrying.server == nil)
    // Fewer than liblo loses in one try; other tests of this process may be about to bind a socket.
    #expect(Self.unboundSockets() < 16)
    close(other)
    tries()
    #expect(retrying.server?.port == port)
    // The reason is said once.
    #expect(said.count == 1 && had == port)
  }

  /// Datagram sockets of this process that are bound to nothing.
  private static func unboundSockets() -> Int {
    (fileNames(in: "/proc/self/fd") ?? []).compactMap { Int32($0) }.count { descriptor in
      var kind: Int32 = 0
      var length = socklen_t(MemoryLayout<Int32>.size)
      guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &length) == 0,
        kind == Int32(SOCK_DGRAM.rawValue)
      else { return false }
      var address = sockaddr_in()
      return withSocketAddress(&address) { getsockname(descriptor, $0, $1) } == 0
        && address.sin_family == sa_family_t(AF_INET) && address.sin_port == 0
    }
  }
}
