import Testing

@testable import Control
@testable import Surface

/// What a tablet shows of a COPY that waits for a slot.
struct CopyLampTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)

  @Test("Its lamp is lit for ten seconds at most, and the question beside it goes too")
  func lamp() {
    let harness = SurfaceHarness()
    harness.send("/here", from: tablet, at: 0)
    _ = harness.packets(from: 0)
    func told(at now: Int64) -> [OSCMessage] {
      _ = harness.control.update(now)
      return harness.packets(from: now).flatMap(\.messages)
    }
    harness.send("/preset/copy", 1, from: tablet, at: 100 * second)
    let armed = told(at: 100 * second)
    #expect(armed.contains(OSCMessage("/preset/copy/armed", .int(1))))
    #expect(armed.contains { $0.address == "/notice" && $0 != OSCMessage("/notice", .string("")) })
    #expect(!told(at: 109 * second).contains(OSCMessage("/preset/copy/armed", .int(0))))
    let ended = told(at: 110 * second)
    #expect(ended.contains(OSCMessage("/preset/copy/armed", .int(0))))
    #expect(ended.contains(OSCMessage("/notice", .string(""))))
  }
}
