import Control
import Parameters
import Presets
import Synth
import Testing

@testable import OSC

/// Clients that may not be there: from before a restart, or where no network takes anything. On times that the
/// test gives.
struct CallTests {
  private let second: Int64 = 1_000_000_000
  private let now: Int64 = 1_000_000_000_000
  private let wall: Int64 = 1_763_724_000
  private let library = Library(database: nil, factory: nil, log: { _ in })

  private func dispatch() -> Dispatch {
    Dispatch(Control(link: Link(.initial), library: library, log: { _ in }), replyPort: 9000)
  }

  private func memory(_ dispatch: Dispatch, allow: String = "any") throws -> Memory {
    Memory(dispatch, try #require(Access(allow)), log: { _ in })
  }

  private func send(
    _ dispatch: Dispatch, _ address: String, _ numbers: Double..., from source: Source, at now: Int64
  ) {
    dispatch.message(address, .success(numbers.map { .number($0) }), from: source, now: now) { _, _ in }
  }

  /// The packets that are tried until `end`, sent or not.
  private func packets(
    _ dispatch: Dispatch, from start: Int64, until end: Int64, isUp: (Int64) -> Bool = { _ in true }
  ) -> [(at: Int64, place: Source, messages: [Message])] {
    var packets: [(Int64, Source, [Message])] = []
    var next: Int64? = start
    while let time = next, time < end {
      next = dispatch.feedback.turn(dispatch.clients.all, now: time) { messages, place in
        packets.append((time, place, messages))
        return isUp(time)
      }
      // A loop is a little late.
      next = next.map { max($0, time) + 1_000_000 }
    }
    return packets
  }

  private let picture = Set(Face.all.filter { $0.sound == nil }.map(\.address))

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
    let dispatch = dispatch()
    let memory = try memory(dispatch, allow: "private")
    // The database may be late.
    #expect(memory.turn(now - second, wall: wall - 1) == nil && dispatch.clients.all.isEmpty)
    library.keep(clients: text)
    _ = memory.turn(now, wall: wall)
    // Neither who was not heard for half a day, nor a subscription that has ended, nor a stranger.
    #expect(dispatch.clients.all.map(\.listens.description) == ["192.168.1.21:50001", "192.168.1.20:9000"])
    let packets = packets(dispatch, from: now, until: now + second)
    for client in dispatch.clients.all {
      let shown = Set(packets.filter { $0.place == client.listens }.flatMap(\.messages).map(\.address))
      #expect(picture.isSubset(of: shown))
      #expect(shown.contains("/part/3/filter/cutoff") == (client.listens.port == 9000))
    }
    // The same tablet from another port is the same tablet; a subscription belongs to its port.
    let places = [(20, 50_002), (21, 50_001)].map { Source(address: 0xC0A8_0100 + UInt32($0.0), port: $0.1) }
    for place in places { send(dispatch, "/here", from: place, at: now + second) }
    #expect(dispatch.clients.all.count == 2)
  }

  @Test("It is shown everything a few times at growing intervals for two minutes, and then nothing")
  func intervals() throws {
    library.keep(clients: text)
    let dispatch = dispatch()
    _ = try memory(dispatch, allow: "192.168.1.20").turn(now, wall: wall)
    let packets = packets(dispatch, from: now, until: now + 3600 * second)
    for (one, next) in zip(packets, packets.dropFirst()) { #expect(next.at - one.at >= 20_000_000) }
    // Dumps, each with its rounds: what is longer apart than a round begins one.
    var starts = [packets.first?.at ?? 0]
    for (one, next) in zip(packets, packets.dropFirst()) where next.at - one.at > second {
      starts.append(next.at)
    }
    #expect(starts.map { ($0 - now) / second } == [0, 8, 24, 56, 120])
    #expect((packets.last?.at ?? 0) < now + 126 * second)
  }

  @Test("The first word from it ends that")
  func heard() throws {
    library.keep(clients: text)
    let dispatch = dispatch()
    _ = try memory(dispatch, allow: "192.168.1.20").turn(now, wall: wall)
    _ = packets(dispatch, from: now, until: now + 10 * second)
    send(dispatch, "/here", from: Source(address: 0xC0A8_0114, port: 7), at: now + 10 * second)
    let packets = packets(dispatch, from: now + 10 * second, until: now + 3600 * second)
    #expect((packets.last?.at ?? .max) < now + 16 * second)
  }

  @Test("Without a network one packet is tried now and then, and all is shown once there is one")
  func lateNetwork() throws {
    library.keep(clients: text)
    let dispatch = dispatch()
    _ = try memory(dispatch, allow: "192.168.1.20").turn(now, wall: wall)
    let up = now + 600 * second
    // Knobs that move meanwhile call for nothing.
    var tried: [Int64] = []
    for minute in 0..<10 {
      let start = now + Int64(minute) * 60 * second
      dispatch.control.set(Knob(row: 12, part: 0), to: 100 + Float(minute))
      tried += packets(dispatch, from: start, until: start + 60 * second) { _ in false }.map(\.at)
    }
    #expect((20...30).contains(tried.count))
    #expect(zip(tried, tried.dropFirst()).allSatisfy { $1 - $0 < 31 * second })
    let packets = packets(dispatch, from: up, until: up + 3600 * second)
    let first = packets.first?.at ?? .max
    #expect(first - up <= 30 * second)
    let shown = Set(packets.filter { $0.at < first + second }.flatMap(\.messages).map(\.address))
    #expect(picture.isSubset(of: shown))
    let cutoff = packets.flatMap(\.messages).first { $0.address == "/filter/cutoff/text" }
    #expect(cutoff?.shown == .string("109 Hz"))
    // A network that has just come up loses the first; then there is silence again.
    #expect(packets.contains { $0.at > first + 100 * second })
    #expect((packets.last?.at ?? .max) < first + 130 * second)
  }

  @Test("A tablet whose network was away while knobs moved is shown the truth when it is back, untouched")
  func outage() {
    let dispatch = dispatch()
    let tablet = Source(address: 0xC0A8_0114, port: 7)
    send(dispatch, "/here", from: tablet, at: now)
    _ = packets(dispatch, from: now, until: now + 60 * second)
    let down = now + 60 * second
    dispatch.control.set(Knob(row: 12, part: 0), to: 100)
    #expect(packets(dispatch, from: down, until: down + 300 * second) { _ in false }.count < 20)
    let packets = packets(dispatch, from: down + 300 * second, until: down + 900 * second)
    #expect(
      packets.flatMap(\.messages).contains {
        $0.address == "/filter/cutoff/text" && $0.shown == .string("100 Hz")
      })
    #expect(dispatch.clients.all.allSatisfy { $0.wake == .max })
  }
}
