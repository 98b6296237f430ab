import Control
import Parameters
import Presets
import Scenes
import Testing
@testable import Surface

/// Clients that may not be there: from before a restart, or where no network takes anything. On times that the
/// test gives.
struct ResendBackoffTests {
  private let second: Int64 = 1_000_000_000
  private let now: Int64 = 1_000_000_000_000
  private let wall: Int64 = 1_763_724_000
  private let library = Library(database: nil, factory: nil, log: { _ in })

  private func store(_ harness: SurfaceHarness) -> ClientStore {
    ClientStore(harness.surface, harness.transport, log: { _ in })
  }

  /// The packets that are tried until `end`, by a loop that is a little late.
  private func packets(
    _ harness: SurfaceHarness, from start: Int64, until end: Int64, isUp: Bool = true
  ) -> [RecordedTransport.SentPacket] {
    harness.transport.isUp = isUp
    return harness.packets(from: start, until: end, lateness: 1_000_000)
  }

  private let text = """
    pipit clients 1
    192.168.1.20 heard 1763723000 sends 50000 part 3
    192.168.1.21 heard 1763723990 sends 50001 listens 50001 subscribed 50001
    192.168.1.22 heard 1763680000
    192.168.1.23 heard 1763722000 listens 50001 subscribed 50001
    8.8.8.8 heard 1763723999

    """

  @Test("Who was known shortly before, and is let in, is known again at once, with what it was told of")
  func recalled() throws {
    let harness = SurfaceHarness(library, allow: try #require(AllowedNetworks("192.168.0.0/16")))
    let store = store(harness)
    // The database may be late.
    #expect(store.update(now - second, wall: wall - 1) == nil && harness.clients.isEmpty)
    library.save(clients: text)
    _ = store.update(now, wall: wall)
    // Neither who was not heard for half a day, nor a subscription that has ended, nor a stranger.
    #expect(harness.clients.map(\.peer.description) == ["192.168.1.21:50001", "192.168.1.20:9000"])
    let packets = packets(harness, from: now, until: now + second)
    for client in harness.clients {
      let shown = Set(packets.filter { $0.peer == client.peer }.flatMap(\.messages).map(\.address))
      #expect(harness.shared.isSubset(of: shown))
      #expect(shown.contains("/part/3/filter/cutoff") == (client.peer.port == 9000))
    }
    // The same tablet from another port is the same tablet; a subscription belongs to its port.
    let places = [(20, 50_002), (21, 50_001)].map { Peer(host: 0xC0A8_0100 + UInt32($0.0), port: $0.1) }
    for place in places { harness.send("/here", from: place, at: now + second) }
    #expect(harness.clients.count == 2)
  }

  @Test("It is shown everything a few times at growing intervals for two minutes, and then nothing")
  func intervals() throws {
    library.save(clients: text)
    let harness = SurfaceHarness(library, allow: try #require(AllowedNetworks("192.168.1.20")))
    _ = store(harness).update(now, wall: wall)
    let packets = packets(harness, from: now, until: now + 3600 * second)
    for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.at - one.at >= 20_000_000) }
    // Dumps, each with its eight rounds, which take 7.8 of 8 s: what is longer apart than they are begins one.
    var starts = [packets.first?.at ?? 0]
    for (one, next) in zip(packets, packets.dropFirst()) where next.at - one.at > second / 8 {
      starts.append(next.at)
    }
    #expect(starts.map { ($0 - now) / second } == [0, 8, 24, 56, 120])
    #expect((packets.last?.at ?? 0) < now + 128 * second)
  }

  @Test("The first word from it ends that")
  func heard() throws {
    library.save(clients: text)
    let harness = SurfaceHarness(library, allow: try #require(AllowedNetworks("192.168.1.20")))
    _ = store(harness).update(now, wall: wall)
    _ = packets(harness, from: now, until: now + 10 * second)
    harness.send("/here", from: Peer(host: 0xC0A8_0114, port: 7), at: now + 10 * second)
    let packets = packets(harness, from: now + 10 * second, until: now + 3600 * second)
    #expect((packets.last?.at ?? .max) < now + 18 * second)
  }

  @Test("Without a network one packet is tried now and then, and all is shown once there is one")
  func lateNetwork() throws {
    library.save(clients: text)
    let harness = SurfaceHarness(library, allow: try #require(AllowedNetworks("192.168.1.20")))
    _ = store(harness).update(now, wall: wall)
    let up = now + 600 * second
    // Knobs that move meanwhile call for nothing.
    var tried: [Int64] = []
    for minute in 0..<10 {
      let start = now + Int64(minute) * 60 * second
      harness.control.set(cutoff, to: 100 + Float(minute))
      tried += packets(harness, from: start, until: start + 60 * second, isUp: false).map(\.at)
    }
    #expect((20...30).contains(tried.count))
    #expect(zip(tried, tried.dropFirst()).allSatisfy { $1 - $0 < 31 * second })
    let packets = packets(harness, from: up, until: up + 3600 * second)
    let first = packets.first?.at ?? .max
    #expect(first - up <= 30 * second)
    let shown = Set(packets.filter { $0.at < first + second }.flatMap(\.messages).map(\.address))
    #expect(harness.shared.isSubset(of: shown))
    let shownCutoff = packets.flatMap(\.messages).first { $0.address == "/filter/cutoff/text" }
    #expect(shownCutoff?.value == .string("109 Hz"))
    // A network that has just come up loses the first; then there is silence again.
    #expect(packets.contains { $0.at > first + 100 * second })
    #expect((packets.last?.at ?? .max) < first + 130 * second)
  }

  @Test("A tablet whose network was away while knobs moved is shown the truth when it is back, untouched")
  func outage() throws {
    let harness = SurfaceHarness(library, allow: try #require(AllowedNetworks("192.168.1.20")))
    let tablet = Peer(host: 0xC0A8_0114, port: 7)
    harness.send("/here", from: tablet, at: now)
    _ = packets(harness, from: now, until: now + 60 * second)
    let down = now + 60 * second
    harness.control.set(cutoff, to: 100)
    #expect(packets(harness, from: down, until: down + 300 * second, isUp: false).count < 20)
    let packets = packets(harness, from: down + 300 * second, until: down + 900 * second)
    #expect(
      packets.flatMap(\.messages).contains {
        $0.address == "/filter/cutoff/text" && $0.value == .string("100 Hz")
      })
    #expect(harness.clients.allSatisfy { $0.dueAt == .max })
  }
}
