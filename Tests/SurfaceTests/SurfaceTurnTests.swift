import Parameters
import Presets
import Scenes
import System
import Testing
@testable import Control
@testable import Surface

/// The surface in a loop, with a transport that has no turn of its own.
struct SurfaceTurnTests {
  private let harness = SurfaceHarness(over: RecordedTransport(replyPort: nil, isLossy: false))
  private let page = Peer(.thisMachine, connection: 1)

  private func enqueue(
    _ address: String, _ numbers: Double..., moment: Int64? = nil, packet: UInt64 = 0, from peer: Peer? = nil
  ) {
    harness.surface.enqueue(
      IncomingMessage(address, numbers.map { .number($0) }, moment: moment, packet: packet),
      from: peer ?? page, over: harness.transport)
  }

  /// A packet of four hundred messages, which turn two knobs to the same positions, and those of another client.
  private func enqueuePacket() {
    let packet = harness.surface.nextPacket()
    let other = Peer(.thisMachine, connection: 2)
    for step in 1...200 {
      enqueue("/filter/cutoff", Double(step) / 200, packet: packet)
      enqueue("/filter/resonance", Double(step) / 200, packet: packet)
      enqueue("/level", Double(step) / 200, packet: harness.surface.nextPacket(), from: other)
    }
  }

  /// Whether the session as it is stored has the two knobs at their last positions.
  private var stored: [Bool] {
    ["/filter/cutoff", "/filter/resonance"].map { address in
      let row = Table.rows.firstIndex { $0.address == address } ?? 0
      return harness.library.session?.scene[ParameterID(row: row, part: 0)]
        == Table.rows[row].kind.value(fader: 1)
    }
  }

  @Test("What one packet changes is stored in the session together, however many rounds it takes")
  func together() {
    var now: Int64 = 1_000_000_000
    _ = harness.control.update(now)
    enqueuePacket()
    var rounds = 0
    while !harness.surface.inbox.isEmpty {
      _ = harness.surface.update(now)
      now += 3_000_000
      let isAmid = harness.surface.inbox.isInPacket
      if isAmid { rounds += 1 }
      _ = harness.control.update(now)
      if isAmid { #expect(harness.library.session == nil) }
    }
    #expect(rounds > 1)
    _ = harness.control.update(now + 3_000_000)
    #expect(stored == [true, true])
  }

  @Test("The rest of a packet that was begun is carried out before the end")
  func end() {
    _ = harness.control.update(1_000_000_000)
    enqueuePacket()
    _ = harness.surface.update(1_000_000_000)
    #expect(harness.surface.inbox.isInPacket)
    harness.surface.finish()
    #expect(!harness.surface.inbox.isInPacket)
    _ = harness.control.finish(within: 0)
    #expect(stored == [true, true])
  }

  @Test("A packet that does not end keeps the session from being stored for a second")
  func endless() {
    let (start, second) = (Int64(1_000_000_000), Int64(1_000_000_000))
    let control = harness.control
    control.isAmidPacket = { true }
    _ = control.update(start)
    control.set(cutoff, to: 1_000)
    func isStored() -> Bool { harness.library.session?.scene[cutoff] == 1_000 }
    for milliseconds in stride(from: Int64(10), to: 1_000, by: 10) {
      #expect(control.update(start + milliseconds * 1_000_000) != nil && !isStored())
    }
    _ = control.update(start + second + 20_000_000)
    #expect(isStored())
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
