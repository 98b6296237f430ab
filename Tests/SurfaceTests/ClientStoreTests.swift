import Presets
import Scenes
import Testing
@testable import Surface

/// Who is known over a restart: what is kept, and when.
struct ClientStoreTests {
  private let second: Int64 = 1_000_000_000
  private let wall: Int64 = 1_763_724_000
  private let library = Library(database: nil, factory: nil, log: { _ in })
  private let tablet = Peer(host: 0xC0A8_0114, port: 50_000)
  private let program = Peer(host: 0xC0A8_0115, port: 50_001)

  @Test("It is kept within a second who is learned, subscribes, is told of a part, unsubscribes or expires")
  func kept() {
    let harness = SurfaceHarness(library)
    let store = ClientStore(harness.surface, harness.transport, log: { _ in })
    library.save(clients: "")
    #expect(store.update(0, wall: wall) == 60 * second)
    func lines(after second: Int64) -> [String] {
      store.noteActivity(second * self.second)
      _ = store.update((second + 1) * self.second, wall: wall + second + 1)
      return library.clients.split(separator: "\n").dropFirst().map(String.init)
    }
    harness.send("/here", from: tablet, at: second)
    #expect(lines(after: 1) == ["192.168.1.20 heard \(wall + 1) sends 50000"])
    // A storm of newcomers is no storm of writes.
    harness.send("/subscribe", 7000, from: program, at: 3 * second)
    #expect(lines(after: 3).count == 1)
    harness.send("/part/3/filter/cutoff", from: tablet, at: 10 * second)
    let both = lines(after: 10)
    #expect(both.first == "192.168.1.20 heard \(wall + 10) sends 50000 part 3")
    #expect(both.last == "192.168.1.21 heard \(wall + 3) sends 50001 listens 7000 subscribed 50001")
    // Heard again is no reason to write, until minutes have passed.
    harness.send("/here", from: tablet, at: 100 * second)
    #expect(lines(after: 100) == both)
    harness.send("/here", from: tablet, at: 400 * second)
    #expect(lines(after: 400).first?.contains("heard \(wall + 400)") == true)
    // A clock that is set makes all be kept anew.
    _ = store.update(500 * second, wall: wall + 1_000_000)
    #expect(library.clients.contains("heard \(wall + 999_900)") == true)
    _ = harness.surface.expire(700 * second)
    #expect(lines(after: 700).count == 1)
    harness.send("/unsubscribe", from: tablet, at: 800 * second)
    #expect(lines(after: 800).isEmpty)
  }

  @Test("A restart without a word from anybody changes nothing that is kept")
  func stable() {
    var text = "pipit clients 1\n192.168.1.20 heard \(wall - 3000) sends 50000 part 3\n"
    text += "192.168.1.21 heard \(wall - 20) sends 50001 listens 7000 subscribed 50001\n"
    library.save(clients: text)
    for _ in 0..<3 {
      let harness = SurfaceHarness(library)
      let store = ClientStore(harness.surface, harness.transport, log: { _ in })
      _ = store.update(0, wall: wall)
      _ = store.update(61 * second, wall: wall + 61)
      let lines = Set(library.clients.split(separator: "\n"))
      #expect(lines == Set(text.split(separator: "\n")))
    }
  }

  @Test("A box whose clock is behind greets all the same; one that was away for days does not")
  func clock() {
    for (ahead, count) in [(-86_400, 1), (0, 1), (43_000, 1), (44_000, 0)] as [(Int64, Int)] {
      library.save(clients: "pipit clients 1\n192.168.1.20 heard \(wall)\n")
      let harness = SurfaceHarness(library)
      _ = ClientStore(harness.surface, harness.transport, log: { _ in }).update(0, wall: wall + ahead)
      #expect(harness.clients.count == count, "\(ahead)")
    }
  }

  @Test("A client of a network that is allowed no more is not greeted")
  func disallowed() throws {
    let allow = try #require(AllowedNetworks("192.168.1.0/24"))
    library.save(clients: "pipit clients 1\n192.168.1.20 heard \(wall)\n192.168.2.20 heard \(wall)\n")
    let harness = SurfaceHarness(library, allow: allow)
    _ = ClientStore(harness.surface, harness.transport, log: { _ in }).update(0, wall: wall)
    #expect(harness.clients.map(\.peer.host) == [HostAddress(0xC0A8_0114)])
  }

  @Test("What cannot be read is left out and said in a line; what can be is greeted")
  func rubbish() {
    let good = "192.168.1.20 heard \(wall)"
    let texts: [(String, Int, Int)] = [
      ("", 0, 0), ("\0\0\0", 0, 1), (String(repeating: "x", count: 200_000), 0, 1),
      ("pipit clients 1\n\(good) sends 0\n\(good)\n", 1, 1), ("pipit clients 1\n\(good) listens 7\n", 0, 1),
      ("pipit clients 1\n192.168.1.300 heard 5\n\n\n192.168.1.20\n\(good)", 1, 1),
      ("pipit clients 2\n\(good) colour 5 part 3\n", 1, 0), ("pipit clients 1\n\(good)\n\(good)\n", 1, 0),
      ("pipit clients 1\n\(good) part 9\n\(good) part -1\n\(good) part\n", 0, 1),
      ("pipit clients 1\n192.168.1.20 heard 99999999999999999999\n", 0, 1),
      ("pipit clients 1\n192.168.1.20 heard 9223372036854775807\n", 1, 0),
      (
        "pipit clients 1\n" + (1...200).map { "10.0.0.\($0) heard \(wall)\n" }.joined(),
        Limits.surfaceClients, 0
      ),
    ]
    for (text, count, lines) in texts {
      library.save(clients: text)
      let harness = SurfaceHarness(library)
      var log: [String] = []
      _ = ClientStore(harness.surface, harness.transport, log: { log.append($0) }).update(0, wall: wall)
      #expect(harness.clients.count == count && log.count == lines, "\(text.prefix(80)): \(log)")
    }
  }
}
