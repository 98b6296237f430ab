import Parameters
import Scenes
import Testing
@testable import Surface

/// Clients over a transport that loses nothing and has a connection for each, as a web page has.
struct ConnectionTests {
  private let second: Int64 = 1_000_000_000
  private let page = Peer(HostAddress(0xC000_0201), connection: 1)

  private func harness() -> SurfaceHarness {
    SurfaceHarness(over: RecordedTransport(replyPort: nil, isLossy: false))
  }

  @Test("A connection is told where it speaks, everything once, and nothing is said twice")
  func told() {
    let harness = harness()
    harness.send("/here", from: page, at: 0)
    let packets = harness.packets(from: 0)
    #expect(packets.allSatisfy { $0.peer == page })
    let addresses = packets.flatMap(\.messages).map(\.address)
    #expect(Set(addresses) == harness.shared && addresses.count == harness.shared.count)
    harness.send("/here", from: page, at: 600 * second)
    #expect(harness.packets(from: 600 * second).isEmpty)
  }

  @Test("Each client has a slot of its own, and a new one that of one that has ended")
  func slots() {
    let harness = harness()
    let peers = (1...4).map { Peer(page.host, connection: $0) }
    for peer in peers.dropLast() { harness.send("/here", from: peer, at: 0) }
    #expect(harness.clients.map(\.slot) == [0, 1, 2])
    harness.surface.disconnected(peers[0], over: harness.transport)
    harness.send("/here", from: peers[3], at: second)
    #expect(harness.clients.map(\.slot) == [1, 2, 0])
  }

  @Test("Two connections of one host are two clients, and one that ends lets go of what it held")
  func ended() {
    let harness = harness()
    let other = Peer(page.host, connection: 2)
    for peer in [page, other] { harness.send("/note/60", 1, from: peer, at: 0) }
    #expect(harness.clients.map(\.peer) == [page, other])
    // It has no lease that silence ends.
    #expect(harness.surface.expire(60 * second) == 600 * second)
    harness.surface.disconnected(page, over: harness.transport)
    var played: [Event] = []
    while let event = harness.link.control.peek() {
      played.append(event.pointee)
      harness.link.control.drop()
    }
    #expect(played.map(\.kind) == [.noteOn, .noteOn, .sourceGone])
    #expect(played[2].source == played[0].source && played[2].source != played[1].source)
    #expect(harness.clients.map(\.peer) == [other])
  }

  @Test("Newcomers do not push out who holds notes, however long it has been silent")
  func players() {
    let harness = harness()
    harness.send("/note/60", 1, from: page, at: 0)
    // Its machine has most slots at first.
    harness.send("/here", from: Peer(page.host, connection: 2), at: second)
    for number in 3...100 {
      let host = HostAddress(0xC000_0300 | UInt32(number))
      harness.send("/here", from: Peer(host, connection: number), at: Int64(number) * second)
    }
    #expect(harness.clients.count == Limits.surfaceClients && harness.clients.contains { $0.peer == page })
  }

  @Test("A tablet and a page of one host are two clients, each told by its own way; only the tablet is kept")
  func beside() {
    let harness = harness()
    let udp = RecordedTransport()
    harness.send("/here", from: page, at: 0)
    harness.surface.receive("/here", [], from: page, over: udp, now: 0)
    #expect(harness.clients.map(\.peer.port) == [nil, 9000])
    _ = harness.packets(from: 0)
    #expect(!udp.packets.isEmpty && udp.packets.allSatisfy { $0.peer.port == 9000 })
    let store = ClientStore(harness.surface, udp, log: { _ in })
    harness.library.save(clients: "")
    _ = store.update(0, wall: 1_000_000)
    store.noteActivity(0)
    _ = store.update(2 * second, wall: 1_000_002)
    #expect(harness.library.clients.split(separator: "\n").count == 2)
  }

  @Test("To a connection that has no room nothing is sent; once it has, the latest value is, and only that")
  func slow() {
    let harness = harness()
    harness.send("/here", from: page, at: 0)
    _ = harness.packets(from: 0)
    harness.transport.packets.removeAll()
    harness.transport.isReady = false
    for step in 1...100 {
      harness.control.set(cutoff, to: 100 + Float(step))
      // The loop need not come back by itself: writing wakes it.
      #expect(harness.surface.sendDue(second + Int64(step) * 10_000_000) == nil)
    }
    #expect(harness.transport.packets.isEmpty)
    harness.transport.isReady = true
    let sent = harness.packets(from: 3 * second).flatMap(\.messages)
    #expect(sent.filter { $0.address == "/filter/cutoff/text" }.map(\.value) == [.string("200 Hz")])
    #expect(sent.count == 2)
  }

  @Test("It need not subscribe, and is told so")
  func subscribe() {
    let harness = harness()
    harness.send("/subscribe", from: page, at: 0)
    #expect(harness.transport.answers.map(\.address) == ["/error"])
  }
}
