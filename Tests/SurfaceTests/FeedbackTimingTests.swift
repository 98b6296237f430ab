import Control
import Parameters
import Scenes
import Testing
@testable import Surface

/// What happens with time, on times that the test gives.
struct FeedbackTimingTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)

  @Test(
    "A dump takes little more than half a second, a round half a second, and after five seconds there is silence"
  )
  func rounds() {
    let harness = SurfaceHarness()
    harness.send("/here", from: tablet, at: 0)
    let packets = harness.packets(from: 0)
    var dumped: Set<String> = []
    for packet in packets where dumped != harness.shared {
      dumped.formUnion(packet.messages.map(\.address))
      // Measured 0.60 s with 370 knobs a part, 0.52 s with 200: 44 kB are 31 packets, and fifty leave in a second.
      #expect(packet.at < 620_000_000)
    }
    #expect(dumped == harness.shared)
    for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.at - one.at >= 20_000_000) }
    // At 100 kB a second, what leaves in half a second arrives in half a second.
    let bytes = packets.filter { $0.at < second / 2 }.flatMap(\.messages).map(\.size).reduce(0, +)
    #expect(bytes < 50_000)
    // A round after everything was said, and the last of them five seconds later.
    #expect((5 * second...11 * second / 2).contains(packets.last?.at ?? 0))
    for address in ["/filter/cutoff", "/part/8/level/text", "/preset/name"] {
      let shown = packets.filter { $0.messages.contains { $0.address == address } }.map(\.at)
      #expect(shown.count >= 7, "\(address)")
      for (one, next) in zip(shown, shown.dropFirst()) { #expect(next - one < second) }
    }
  }

  @Test("A fader whose every message was lost is shown the truth once anything is heard")
  func lost() {
    let harness = SurfaceHarness()
    harness.send("/here", from: tablet, at: 0)
    _ = harness.packets(from: 0)
    // Minutes later; the fader was moved, and only a label's query arrived.
    harness.send("/preset/name", from: tablet, at: 300 * second)
    let cutoff = harness.packets(from: 300 * second).flatMap(\.messages).filter {
      $0.address == "/filter/cutoff"
    }
    #expect(cutoff.count >= 7)
  }

  @Test("Who comes back after five seconds is shown everything at once; who goes on is not")
  func absence() {
    let harness = SurfaceHarness()
    func first(_ at: Int64) -> Int {
      harness.send("/filter/cutoff", 0.5, from: tablet, at: at)
      // The 1,350 values of the panel are 44 kB, which take 0.60 s.
      let packets = harness.packets(from: at, until: at + 62 * second / 100)
      // The fader itself is left to the hand for a while.
      return Set(packets.flatMap(\.messages).map(\.address)).subtracting(["/filter/cutoff"]).count
    }
    #expect(first(0) >= harness.shared.count - 1)
    #expect(first(4 * second) < harness.shared.count)
    #expect(first(10 * second) >= harness.shared.count - 1)
  }

  @Test("After ten minutes of silence what was held is let go; a tablet stays, a subscription ends")
  func silence() throws {
    let harness = SurfaceHarness()
    let link = harness.link
    let program = Peer(host: 0xC000_0202, port: 50_001)
    harness.send("/note/60", 1, from: tablet, at: 0)
    harness.send("/subscribe", from: program, at: 0)
    #expect(harness.clients.map(\.peer.port) == [9000, 50001])
    #expect(harness.surface.expire(599 * second) == 600 * second)
    #expect(link.control.peek()?.pointee.kind == .noteOn)
    link.control.drop()
    #expect(link.control.peek() == nil)
    #expect(harness.surface.expire(600 * second) == nil)
    #expect(link.control.peek()?.pointee.kind == .sourceGone)
    #expect(harness.clients.map(\.peer.port) == [9000])
  }

  @Test("What a tablet holds that says so again and again is let go soon after it falls silent")
  func hold() throws {
    let harness = SurfaceHarness()
    let link = harness.link
    for seconds in [0, 601, -1, .infinity] as [Double] {
      harness.send("/hold", seconds, from: tablet, at: 0)
    }
    harness.send("/note/60", 1, from: tablet, at: 0)
    for index in 0...10 { harness.send("/hold", 5, from: tablet, at: Int64(index) * second) }
    link.control.drop()
    #expect(harness.surface.expire(15 * second - 1) == 15 * second)
    #expect(link.control.peek() == nil)
    #expect(harness.surface.expire(15 * second) == nil)
    #expect(link.control.peek()?.pointee.kind == .sourceGone)
    link.control.drop()
    // Who does not say so may hold a note for as long as ever.
    harness.send("/note/60", 1, from: tablet, at: 20 * second)
    #expect(harness.surface.expire(20 * second) == 620 * second)
  }

  @Test("A pedal that a tablet vanished with comes up, also when another tablet touched the part after it")
  func pedal() {
    let harness = SurfaceHarness()
    let link = harness.link
    let other = Peer(host: 0xC000_0202, port: 50_001)
    harness.send("/sustain", 1, from: tablet, at: 0)
    harness.send("/wheel", 0.5, from: tablet, at: 0)
    harness.send("/wheel", 0.7, from: other, at: second)
    harness.send("/here", from: other, at: 599 * second)
    _ = harness.surface.expire(600 * second)
    var played: [Event] = []
    while let event = link.control.peek() {
      played.append(event.pointee)
      link.control.drop()
    }
    // The other tablet's hand is still on the wheel.
    #expect(played.dropFirst(3).map(\.kind) == [.sourceGone, .sustain])
    #expect(played.last?.value == 0 && played.last?.target == Event.part(0))
  }

  @Test("Nobody is sent everything twice, however it subscribes")
  func twice() {
    let harness = SurfaceHarness()
    var ports: [Int?] { harness.clients.map(\.peer.port) }
    let other = Peer(tablet.host, port: 50_001)
    harness.send("/subscribe", from: tablet, at: 0)
    #expect(ports == [50000])
    harness.send("/subscribe", 9000, from: tablet, at: 0)
    #expect(ports == [9000])
    // The tablet's application has started anew and sends from another port.
    harness.send("/subscribe", 9000, from: other, at: 0)
    harness.send("/filter/cutoff", 0, from: tablet, at: 0)
    #expect(ports == [9000])
    // A program beside it.
    harness.send("/subscribe", 7000, from: other, at: 0)
    #expect(ports == [9000, 7000])
    harness.send("/subscribe", 7001, from: other, at: 0)
    #expect(ports == [9000, 7001])
    harness.send("/subscribe", 7001, from: tablet, at: 0)
    #expect(ports == [9000, 7001])
  }

  @Test("A storm of recalls does not take more than fifty packets a second to a client")
  func storm() {
    let harness = SurfaceHarness()
    harness.send("/sync", from: tablet, at: 0)
    _ = harness.packets(from: 0)
    var packets = 0
    for millisecond in 0..<1000 {
      let now = 100 * second + Int64(millisecond) * 1_000_000
      for row in 0..<20 {
        harness.control.set(ParameterID(row: row, part: 0), to: Float(millisecond % 7))
      }
      harness.transport.packets.removeAll()
      _ = harness.surface.sendDue(now)
      for packet in harness.transport.packets {
        packets += 1
        #expect(
          packet.messages.map(\.size).reduce(OSCMessage.bundleHead, +) <= harness.transport.budget.packetBytes
        )
      }
    }
    #expect((30...50).contains(packets))
  }

  @Test("A program whose subscription has ended cannot end the feedback of the tablet on its host")
  func lapsed() {
    let harness = SurfaceHarness()
    let program = Peer(tablet.host, port: 50_001)
    harness.send("/here", from: tablet, at: 0)
    harness.send("/subscribe", from: program, at: 0)
    harness.send("/here", from: tablet, at: 599 * second)
    _ = harness.surface.expire(600 * second)
    #expect(harness.clients.map(\.peer.port) == [9000])
    harness.send("/unsubscribe", from: program, at: 601 * second)
    #expect(harness.clients.map(\.peer.port) == [9000])
    // Whoever was only ever heard from one port ends its own.
    let other = Peer(host: 0xC000_0202, port: 50_000)
    harness.send("/here", from: other, at: 602 * second)
    harness.send("/unsubscribe", from: other, at: 602 * second)
    #expect(harness.clients.map(\.peer.port) == [9000])
  }

  @Test("A program that is started again and again does not push the tablets out")
  func crowd() {
    let harness = SurfaceHarness()
    let tablets = (1...4).map { Peer(host: 0xC000_0200 + UInt32($0), port: 50_000) }
    for tablet in tablets { harness.send("/here", from: tablet, at: 0) }
    for start in 0..<40 {
      let program = Peer(host: 0xC000_0209, port: 40_000 + start)
      harness.send("/subscribe", from: program, at: Int64(start + 1) * second)
    }
    #expect(harness.clients.count == Limits.surfaceClients)
    for tablet in tablets { #expect(harness.surface.clients.find(tablet, over: harness.transport) != nil) }
    // Many tablets: the least recently heard of them makes room.
    for host in 1...UInt32(Limits.surfaceClients) {
      harness.send("/here", from: Peer(host: 0xC000_0300 + host, port: 9), at: Int64(100 + host) * second)
    }
    #expect(tablets.allSatisfy { harness.surface.clients.find($0, over: harness.transport) == nil })
  }
}
