import Control
import Glibc
import Presets
import Scratch
import Synth
import System
import Testing

@testable import OSC

/// Who is known over a restart: what is kept, and when.
struct MemoryTests {
  private let second: Int64 = 1_000_000_000
  private let wall: Int64 = 1_763_724_000
  private let library = Library(database: nil, factory: nil, log: { _ in })
  private let tablet = Source(address: 0xC0A8_0114, port: 50_000)
  private let program = Source(address: 0xC0A8_0115, port: 50_001)

  private func dispatch() -> Dispatch {
    Dispatch(Control(link: Link(.initial), library: library, log: { _ in }), replyPort: 9000)
  }

  private func send(
    _ dispatch: Dispatch, _ address: String, _ numbers: Double..., from source: Source, at now: Int64
  ) {
    dispatch.message(address, .success(numbers.map { .number($0) }), from: source, now: now) { _, _ in }
  }

  @Test("It is kept within a second who is learned, subscribes, is told of a part, unsubscribes or expires")
  func kept() throws {
    let dispatch = dispatch()
    let memory = Memory(dispatch, try #require(Access("any")), log: { _ in })
    library.keep(clients: "")
    #expect(memory.turn(0, wall: wall) == 60 * second)
    func lines(after second: Int64) -> [String] {
      memory.stir(second * self.second)
      _ = memory.turn((second + 1) * self.second, wall: wall + second + 1)
      return (library.clients ?? "").split(separator: "\n").dropFirst().map(String.init)
    }
    send(dispatch, "/here", from: tablet, at: second)
    #expect(lines(after: 1) == ["192.168.1.20 heard \(wall + 1) sends 50000"])
    // A storm of newcomers is no storm of writes.
    send(dispatch, "/subscribe", 7000, from: program, at: 3 * second)
    #expect(lines(after: 3).count == 1)
    send(dispatch, "/part/3/filter/cutoff", from: tablet, at: 10 * second)
    let both = lines(after: 10)
    #expect(both.first == "192.168.1.20 heard \(wall + 10) sends 50000 part 3")
    #expect(both.last == "192.168.1.21 heard \(wall + 3) sends 50001 listens 7000 subscribed 50001")
    // Heard again is no reason to write, until minutes have passed.
    send(dispatch, "/here", from: tablet, at: 100 * second)
    #expect(lines(after: 100) == both)
    send(dispatch, "/here", from: tablet, at: 400 * second)
    #expect(lines(after: 400).first?.contains("heard \(wall + 400)") == true)
    // A clock that is set makes all be kept anew.
    _ = memory.turn(500 * second, wall: wall + 1_000_000)
    #expect(library.clients?.contains("heard \(wall + 999_900)") == true)
    _ = dispatch.expire(700 * second)
    #expect(lines(after: 700).count == 1)
    send(dispatch, "/unsubscribe", from: tablet, at: 800 * second)
    #expect(lines(after: 800).isEmpty)
  }

  @Test("A restart without a word from anybody changes nothing that is kept")
  func stable() throws {
    var text = "pipit clients 1\n192.168.1.20 heard \(wall - 3000) sends 50000 part 3\n"
    text += "192.168.1.21 heard \(wall - 20) sends 50001 listens 7000 subscribed 50001\n"
    library.keep(clients: text)
    for _ in 0..<3 {
      let memory = Memory(dispatch(), try #require(Access("any")), log: { _ in })
      _ = memory.turn(0, wall: wall)
      _ = memory.turn(61 * second, wall: wall + 61)
      let lines = Set((library.clients ?? "").split(separator: "\n"))
      #expect(lines == Set(text.split(separator: "\n")))
    }
  }

  @Test("A box whose clock is behind greets all the same; one that was away for days does not")
  func clock() throws {
    for (ahead, count) in [(-86_400, 1), (0, 1), (43_000, 1), (44_000, 0)] as [(Int64, Int)] {
      library.keep(clients: "pipit clients 1\n192.168.1.20 heard \(wall)\n")
      let dispatch = dispatch()
      _ = Memory(dispatch, try #require(Access("any")), log: { _ in }).turn(0, wall: wall + ahead)
      #expect(dispatch.clients.all.count == count, "\(ahead)")
    }
  }

  @Test("What cannot be read is left out and said in a line; what can be is greeted")
  func rubbish() throws {
    let good = "192.168.1.20 heard \(wall)"
    let texts: [(String, Int, Int)] = [
      ("", 0, 0), ("\0\0\0", 0, 1), (String(repeating: "x", count: 200_000), 0, 1),
      ("pipit clients 1\n\(good) sends 0\n\(good)\n", 1, 1), ("pipit clients 1\n\(good) listens 7\n", 0, 1),
      ("pipit clients 1\n192.168.1.300 heard 5\n\n\n192.168.1.20\n\(good)", 1, 1),
      ("pipit clients 2\n\(good) colour 5 part 3\n", 1, 0), ("pipit clients 1\n\(good)\n\(good)\n", 1, 0),
      ("pipit clients 1\n\(good) part 9\n\(good) part -1\n\(good) part\n", 0, 1),
      ("pipit clients 1\n192.168.1.20 heard 99999999999999999999\n", 0, 1),
      ("pipit clients 1\n192.168.1.20 heard 9223372036854775807\n", 1, 0),
      ("pipit clients 1\n" + (1...200).map { "10.0.0.\($0) heard \(wall)\n" }.joined(), Limits.oscClients, 0),
    ]
    for (text, count, lines) in texts {
      library.keep(clients: text)
      let dispatch = dispatch()
      var log: [String] = []
      _ = Memory(dispatch, try #require(Access("any")), log: { log.append($0) }).turn(0, wall: wall)
      #expect(dispatch.clients.all.count == count && log.count == lines, "\(text.prefix(80)): \(log)")
    }
  }

  @Test("After a restart, a tablet and a program are shown everything, through the store and the sockets")
  func restart() throws {
    let folder = Folder()
    let replies = try Tablet(Instrument())
    let first = try Instrument(replyPort: replies.port, database: folder.database)
    let (tablet, program) = (try Tablet(first), try Tablet(first))
    tablet.send("/part/3/filter/cutoff", Float(1))
    program.send("/subscribe")
    program.run(10_000) {
      replies.listen()
      return !replies.received.isEmpty && !program.received.isEmpty
    }
    // Kept a second after it was heard; the store's thread needs a moment.
    let end = monotonic() + 20 * self.second
    while monotonic() < end && !isKept(folder) { program.run(50) }
    for listener in [replies, program] {
      listener.listen()
      listener.received.removeAll()
    }
    // The first is still there, as if it hung: nothing of it is waited for.
    let second = try Instrument(replyPort: replies.port, database: folder.database)
    second.run(10_000) {
      for listener in [replies, program] { listener.listen() }
      return replies.hasSeenAll && program.hasSeenAll && !replies.values("/part/3/filter/cutoff").isEmpty
    }
    #expect(replies.hasSeenAll && program.hasSeenAll)
    #expect(
      !replies.values("/part/3/filter/cutoff").isEmpty && program.values("/part/3/filter/cutoff").isEmpty)
  }

  /// Whether a fresh look into the database finds both clients.
  private func isKept(_ folder: Folder) -> Bool {
    let library = Library(database: folder.database, factory: nil, log: { _ in })
    defer { _ = library.stop(within: 5) }
    return library.clients?.split(separator: "\n").count == 3
  }
}
