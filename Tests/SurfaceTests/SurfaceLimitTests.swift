import Parameters
import Presets
import Scenes
import Testing
@testable import Control
@testable import Surface

/// How much a surface says and takes: refusals, patterns, values that give way, subscriptions, and who is kept.
struct SurfaceLimitTests {
  private let second: Int64 = 1_000_000_000
  private let program = Peer(host: 0xC000_0201, port: 50_000)

  @Test("Twenty refusals are said at once, ten a second after that, and no more after an hour of quiet")
  func refusals() {
    // Told where it speaks, and there alone.
    let harness = SurfaceHarness(over: RecordedTransport(replyPort: nil, isLossy: false))
    func said(_ count: Int, at now: Int64) -> Int {
      harness.transport.answers.removeAll()
      for _ in 0..<count { harness.send("/focus", 9, from: program, at: now) }
      return harness.transport.answers.count
    }
    #expect(said(100, at: second) == 20)
    #expect(said(100, at: second) == 0)
    #expect(said(100, at: 2 * second) == 10)
    #expect(said(100, at: 2 * second + second / 2) == 5)
    #expect(said(100, at: 3_600 * second) == 20)
    // Ten in each of ten seconds.
    var count = 0
    for step in 1...100 { count += said(3, at: 3_600 * second + Int64(step) * second / 10) }
    #expect((99...100).contains(count))
  }

  @Test("A long address is not sent back whole")
  func long() {
    let harness = SurfaceHarness()
    harness.send("/" + String(repeating: "x", count: 2_000), from: program, at: 0)
    guard case .string(let text)? = harness.transport.answers.first?.value else {
      Issue.record("no answer")
      return
    }
    #expect(text.utf8.count < 200 && text.hasPrefix("/xxx") && text.contains("…"))
  }

  @Test(
    "Each sign of a pattern makes one",
    arguments: [
      "/part/*/mute", "/part/?/mute", "/part/[1-8]/mute", "/part/{1,2,3,4,5,6,7,8}/mute", "/part/[!9]/mute",
    ])
  func patterns(pattern: String) {
    let harness = SurfaceHarness()
    harness.send(pattern, 1, from: program, at: 0)
    #expect((0..<8).allSatisfy { harness.control.stage.scene[$0].strip.mute == 1 })
    #expect(harness.transport.answers.isEmpty)
    harness.send(pattern, 0, from: program, at: 0)
    #expect((0..<8).allSatisfy { harness.control.stage.scene[$0].strip.mute == 0 })
  }

  @Test("Only what sets a value gives way to a newer one: no press, no question, no wrong address")
  func values() {
    let surface = SurfaceHarness().surface
    let one: [OSCArgument] = [.number(1)]
    for address in [
      "/filter/cutoff", "/part/3/level", "/filter/cutoff/hz", "/focus", "/part/*/mute", "/bend",
    ] {
      #expect(surface.isValue(IncomingMessage(address, one)), "\(address)")
    }
    for address in [
      "/preset/next", "/panic", "/tempo/tap", "/preset/copy/3", "/presets/list", "/no/such", "/preset/name",
    ] {
      #expect(!surface.isValue(IncomingMessage(address, one)), "\(address)")
    }
    #expect(
      !surface.isValue(IncomingMessage("/filter/cutoff", []))
        && !surface.isValue(IncomingMessage("/preset/load", [.string("One")])))
    #expect(!surface.isValue(IncomingMessage("/note", [.number(60), .number(1)])))
  }

  @Test("A subscription names a port from 1 to 65535")
  func ports() {
    for (port, isTaken) in [(0, false), (1, true), (65_535, true), (65_536, false), (-1, false)] {
      let harness = SurfaceHarness()
      harness.send("/subscribe", Double(port), from: program, at: 0)
      #expect(harness.clients.contains { $0.peer.port == port } == isTaken, "\(port)")
      #expect(harness.transport.answers.isEmpty == isTaken, "\(port)")
    }
  }

  @Test("From a host that was heard from several ports nobody ends the feedback of its tablet")
  func severalSenders() {
    let harness = SurfaceHarness()
    let second = Peer(program.host, port: 50_001)
    for peer in [program, second, program] { harness.send("/here", from: peer, at: 0) }
    harness.send("/unsubscribe", from: program, at: 0)
    #expect(harness.clients.map(\.peer.port) == [9000])
    #expect(harness.transport.answers.contains { $0.address == "/error" })
  }

  @Test("Who subscribes is shown everything at its port, also when another is there")
  func subscribed() {
    let harness = SurfaceHarness()
    harness.send("/here", from: program, at: 0)
    _ = harness.packets(from: 0)
    let other = Peer(program.host, port: 50_001)
    harness.send("/subscribe", 7_000, from: other, at: 100 * second)
    let packets = harness.packets(from: 100 * second).filter { $0.peer.port == 7_000 }
    #expect(harness.shared.isSubset(of: packets.flatMap(\.messages).map(\.address)))
    // Ten minutes later it has ended, and the tablet has not.
    _ = harness.surface.expire(700 * second - 1)
    #expect(harness.clients.map(\.peer.port) == [9_000, 7_000])
    _ = harness.surface.expire(700 * second)
    #expect(harness.clients.map(\.peer.port) == [9_000])
  }

  @Test("What a node takes is said in words")
  func takes() {
    let nodes = NodeTree.instrument.nodes
    for (path, words) in [
      ("/play/xy", "pitch 0…1, loudness 0…1, finger 0…1, or none"), ("/filter/cutoff/hz", "20…20000"),
      ("/preset/next", "none, or 1 (0 is ignored)"), ("/preset/name", "none"), ("/osc/1/width", "0…1"),
      ("/osc/1/width/percent", "5…95"), ("/subscribe", "a port 1…65535, or none"),
    ] { #expect(nodes.first { $0.path == path }?.takes == words, "\(path)") }
  }

  @Test("The focus is a part from 1 to 8, and a bare address means that part")
  func focus() {
    let player = Player()
    for part in 1...8 {
      player.say("/focus", Double(part))
      #expect(player["/focus"] == .int(part))
      player.say("/level/db", -Double(part))
      #expect(player["/part/\(part)/level/db"] == .float(-Float(part)))
    }
    for wrong in [0, 9, -1, .infinity] as [Double] {
      #expect(player.refusal("/focus", .number(wrong)) != nil, "\(wrong)")
    }
    #expect(player["/focus"] == .int(8))
  }

  @Test("/hold takes from a second to ten minutes, and the notes of a hand last so long")
  func holds() {
    let player = Player()
    for (seconds, isTaken) in [(0, false), (0.99, false), (1, true), (600, true), (600.5, false)] {
      #expect((player.refusal("/hold", .number(seconds)) == nil) == isTaken, "\(seconds)")
    }
    player.say("/hold", 1)
    player.say("/note/60", 1)
    #expect(player.harness.surface.expire(player.now) == player.now + second)
    _ = player.harness.surface.expire(player.now + second)
    #expect(player.played().map(\.kind) == [.noteOn, .sourceGone])
  }

  @Test("Values beyond the range are said with what they became, once until one lies inside")
  func clamps() {
    let player = Player()
    func said(_ value: Double) -> String? { player.refusal("/filter/cutoff/hz", .number(value)) }
    #expect(said(30_000) == "/filter/cutoff/hz 30000 became 20000; it takes 20…20000")
    #expect(said(25_000) == nil && said(20_010) == nil && said(20_500) != nil && said(21_000) == nil)
    #expect(said(19) == nil && said(440) == nil && said(-5) != nil)
    #expect(player["/filter/cutoff/hz"] == .float(20))
  }

  @Test("Who came in the last moment before the end is kept")
  func lastMoment() {
    let library = Library(database: nil, factory: nil, log: { _ in })
    let harness = SurfaceHarness(library)
    let store = ClientStore(harness.surface, harness.transport, log: { _ in })
    library.save(clients: "")
    _ = store.update(0, wall: 1_763_724_000)
    harness.send("/here", from: program, at: second)
    store.noteActivity(second)
    store.finish(second)
    #expect(library.clients.contains("192.0.2.1 heard"))
  }

  @Test("A forger takes no seat from whoever is confirmed, and gives up its own")
  func seats() {
    let transport = ConfirmingTransport()
    let harness = SurfaceHarness()
    func here(_ host: UInt32, at now: Int64) {
      harness.surface.receive("/here", [], from: Peer(host: host, port: 5), over: transport, now: now)
    }
    for host in 1...UInt32(Limits.surfaceClients) {
      transport.confirmed.insert(host)
      here(host, at: Int64(host))
    }
    here(100, at: 1_000)
    #expect(Set(harness.clients.map(\.peer.host.ipv4)) == Set(transport.confirmed))
    transport.confirmed.remove(3)
    here(101, at: 1_001)
    #expect(
      harness.clients.contains { $0.peer.host.ipv4 == 101 }
        && !harness.clients.contains { $0.peer.host.ipv4 == 3 })
    here(102, at: 1_002)
    #expect(
      harness.clients.contains { $0.peer.host.ipv4 == 102 }
        && !harness.clients.contains { $0.peer.host.ipv4 == 101 })
    // A confirmed newcomer takes the seat of the forger first, then that of the one longest unheard.
    for host in [103, 104] as [UInt32] {
      transport.confirmed.insert(host)
      here(host, at: 1_000 + Int64(host))
    }
    #expect(!harness.clients.contains { [102, 1].contains($0.peer.host.ipv4) })
    #expect(harness.clients.count == Limits.surfaceClients)
  }
}

/// A transport where the test says who is confirmed.
private final class ConfirmingTransport: Transport {
  let replyPort: Int? = 9000
  let budget = PacketBudget.datagrams
  var confirmed: Set<UInt32> = []
  func isConfirmed(_ peer: Peer) -> Bool { peer.host.ipv4.map { confirmed.contains($0) } ?? false }
  func send(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
  func answer(_ messages: [OSCMessage], to peer: Peer) -> Bool { true }
}
