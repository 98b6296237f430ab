import Testing

@testable import Surface

/// A tablet's label shows what was not taken in the place of the notice.
struct ErrorDisplayTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)

  @Test("What was not taken is told where the tablet listens, and the notice comes back after five seconds")
  func moment() {
    let harness = SurfaceHarness()
    harness.control.notices.post("port taken", about: .port, .problem)
    harness.send("/here", from: tablet, at: 0)
    _ = harness.packets(from: 0)
    harness.send("/no/such/address", from: tablet, at: 100 * second)
    // To where it spoke from, and to where it listens.
    #expect(harness.transport.answers.map(\.address) == ["/error", "/error"])
    let packets = harness.packets(from: 100 * second)
    let notices = packets.filter { packet in
      packet.messages.contains(OSCMessage("/notice", .string("port taken")))
    }
    #expect(!notices.isEmpty && notices.allSatisfy { $0.at >= 105 * second })
    #expect(notices.first.map { $0.at < 105 * second + second / 10 } == true)
  }
}
