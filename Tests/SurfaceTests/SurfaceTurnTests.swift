import Control
import Parameters
import Presets
import Synth
import System
import Testing

@testable import Surface

/// The surface in a loop, with a transport that has no turn of its own.
struct SurfaceTurnTests {
  private let harness = SurfaceHarness(over: RecordedTransport(replyPort: nil, isLossy: false))
  private let page = Peer(.thisMachine, connection: 1)

  private func enqueue(_ address: String, _ numbers: Double..., moment: Int64? = nil) {
    harness.surface.enqueue(
      IncomingMessage(address, numbers.map { .number($0) }, moment: moment), from: page,
      over: harness.transport)
  }

  @Test("Whatever else carries it, a message is acted on and published, and its sender is told of changes")
  func told() throws {
    let loop = try #require(PollLoop())
    harness.control.join(loop)
    harness.surface.join(loop)
    enqueue("/filter/cutoff/hz", 1_000)
    #expect(harness.surface.isWaiting(page, over: harness.transport))
    let end = monotonic() + 60_000_000_000
    func published() -> Float { harness.link.scene.audioSide.take().pointee[cutoff] }
    while published() != 1_000 && monotonic() < end { loop.round(limit: 1_000_000) }
    #expect(published() == 1_000)
    #expect(!harness.surface.isWaiting(page, over: harness.transport))
    harness.control.set(cutoff, to: 500)
    func shown() -> Bool {
      harness.transport.packets.flatMap(\.messages).contains {
        $0 == OSCMessage("/filter/cutoff/text", .string("500 Hz"))
      }
    }
    while !shown() && monotonic() < end { loop.round(limit: 1_000_000) }
    #expect(shown())
  }

  @Test("A message waits for its moment, and those of one moment keep their order")
  func moment() {
    let moment: Int64 = 1_000_000_000_000
    for hertz in [100.0, 200, 300] { enqueue("/filter/cutoff/hz", hertz, moment: moment) }
    let due = moment - ScheduledMessages.lead
    #expect(harness.surface.update(due - 1_000_000) == due)
    #expect(harness.control.stage.scene[cutoff] > 300)
    // What was acted on is published in the next round.
    #expect(harness.surface.update(due) == due)
    while !harness.surface.inbox.isEmpty { _ = harness.surface.update(due) }
    #expect(harness.control.stage.scene[cutoff] == 300)
  }

  @Test("Who is not let in is named in the log once, whatever carries the words")
  func stranger() throws {
    var log: [String] = []
    let surface = ControlSurface(
      harness.control, allow: try #require(AllowedNetworks("10.0.0.7,fd12::/16")), log: { log.append($0) })
    let strangers = ["8.8.8.8", "fd13::1", "2001:db8::1"].compactMap { HostAddress($0) }
    for _ in 0..<2 { #expect(strangers.allSatisfy { !surface.admits($0) }) }
    #expect(log.count == 3 && log[1].contains("fd13::1"))
    for host in ["10.0.0.7", "fd12:0:0:1::2", "127.0.0.1", "::1"] {
      #expect(surface.admits(try #require(HostAddress(host))), "\(host)")
    }
  }
}
