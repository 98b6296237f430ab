import Control
import Parameters
import Presets
import Synth
import Testing

@testable import OSC

/// What happens with time, on times that the test gives.
struct SilenceTests {
  private let second: Int64 = 1_000_000_000
  private let tablet = Source(address: 0xC000_0201, port: 50_000)

  private func dispatch() -> (Dispatch, Link) {
    let link = Link(.initial)
    let library = Library(database: nil, factory: nil, log: { _ in })
    let control = Control(link: link, library: library, log: { _ in })
    return (Dispatch(control, replyPort: 9000), link)
  }

  private func send(
    _ dispatch: Dispatch, _ address: String, _ numbers: Double..., from source: Source, at now: Int64
  ) {
    dispatch.message(address, .success(numbers.map { .number($0) }), from: source, now: now) { _, _ in }
  }

  /// The packets that leave until nothing is left to do, or until `end`, with their times.
  private func packets(
    _ dispatch: Dispatch, from start: Int64, until end: Int64 = .max
  ) -> [(at: Int64, messages: [Message])] {
    var packets: [(Int64, [Message])] = []
    var now: Int64? = start
    while let time = now, time < end {
      now = dispatch.feedback.turn(dispatch.clients.all, now: time) { messages, _ in
        packets.append((time, messages))
        return true
      }
      now = now.map { max($0, time) }
    }
    return packets
  }

  /// The faces that everyone is told of.
  private let picture = Set(Face.all.filter { $0.sound == nil }.map(\.address))

  @Test(
    "A dump takes less than half a second, a round half a second, and after five seconds there is silence")
  func rounds() {
    let (dispatch, _) = dispatch()
    send(dispatch, "/here", from: tablet, at: 0)
    let packets = packets(dispatch, from: 0)
    var dumped: Set<String> = []
    for packet in packets where dumped != picture {
      dumped.formUnion(packet.messages.map(\.address))
      #expect(packet.at < 500_000_000)
    }
    #expect(dumped == picture)
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
    let (dispatch, _) = dispatch()
    send(dispatch, "/here", from: tablet, at: 0)
    _ = packets(dispatch, from: 0)
    // Minutes later; the fader was moved, and only a label's query arrived.
    send(dispatch, "/preset/name", from: tablet, at: 300 * second)
    let cutoff = packets(dispatch, from: 300 * second).flatMap(\.messages).filter {
      $0.address == "/filter/cutoff"
    }
    #expect(cutoff.count >= 7)
  }

  @Test("Who comes back after five seconds is shown everything at once; who goes on is not")
  func absence() {
    let (dispatch, _) = dispatch()
    func first(_ at: Int64) -> Int {
      send(dispatch, "/filter/cutoff", 0.5, from: tablet, at: at)
      let packets = packets(dispatch, from: at, until: at + second / 4)
      return Set(packets.flatMap(\.messages).map(\.address)).count
    }
    // The fader itself is left to the hand for a while.
    #expect(first(0) >= picture.count - 1)
    #expect(first(4 * second) < picture.count)
    #expect(first(10 * second) >= picture.count - 1)
  }

  @Test("After ten minutes of silence what was held is let go; a tablet stays, a subscription ends")
  func silence() throws {
    let (dispatch, link) = dispatch()
    let program = Source(address: 0xC000_0202, port: 50_001)
    send(dispatch, "/note/60", 1, from: tablet, at: 0)
    send(dispatch, "/subscribe", from: program, at: 0)
    #expect(dispatch.clients.all.map(\.listens.port) == [9000, 50001])
    #expect(dispatch.expire(599 * second) == 600 * second)
    #expect(link.control.peek()?.pointee.kind == .noteOn)
    link.control.drop()
    #expect(link.control.peek() == nil)
    #expect(dispatch.expire(600 * second) == nil)
    #expect(link.control.peek()?.pointee.kind == .sourceGone)
    #expect(dispatch.clients.all.map(\.listens.port) == [9000])
  }

  @Test("What a tablet holds that says so again and again is let go soon after it falls silent")
  func hold() throws {
    let (dispatch, link) = dispatch()
    for seconds in [0, 601, -1, .infinity] as [Double] {
      send(dispatch, "/hold", seconds, from: tablet, at: 0)
    }
    send(dispatch, "/note/60", 1, from: tablet, at: 0)
    for index in 0...10 { send(dispatch, "/hold", 5, from: tablet, at: Int64(index) * second) }
    link.control.drop()
    #expect(dispatch.expire(15 * second - 1) == 15 * second)
    #expect(link.control.peek() == nil)
    #expect(dispatch.expire(15 * second) == nil)
    #expect(link.control.peek()?.pointee.kind == .sourceGone)
    link.control.drop()
    // Who does not say so may hold a note for as long as ever.
    send(dispatch, "/note/60", 1, from: tablet, at: 20 * second)
    #expect(dispatch.expire(20 * second) == 620 * second)
  }

  @Test("A pedal that a tablet vanished with comes up, also when another tablet touched the part after it")
  func pedal() {
    let (dispatch, link) = dispatch()
    let other = Source(address: tablet.address + 1, port: 50_001)
    send(dispatch, "/sustain", 1, from: tablet, at: 0)
    send(dispatch, "/wheel", 0.5, from: tablet, at: 0)
    send(dispatch, "/wheel", 0.7, from: other, at: second)
    send(dispatch, "/here", from: other, at: 599 * second)
    _ = dispatch.expire(600 * second)
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
    let (dispatch, _) = dispatch()
    var ports: [Int] { dispatch.clients.all.map(\.listens.port) }
    let other = Source(address: tablet.address, port: 50_001)
    send(dispatch, "/subscribe", from: tablet, at: 0)
    #expect(ports == [50000])
    send(dispatch, "/subscribe", 9000, from: tablet, at: 0)
    #expect(ports == [9000])
    // The tablet's application has started anew and sends from another port.
    send(dispatch, "/subscribe", 9000, from: other, at: 0)
    send(dispatch, "/filter/cutoff", 0, from: tablet, at: 0)
    #expect(ports == [9000])
    // A program beside it.
    send(dispatch, "/subscribe", 7000, from: other, at: 0)
    #expect(ports == [9000, 7000])
    send(dispatch, "/subscribe", 7001, from: other, at: 0)
    #expect(ports == [9000, 7001])
    send(dispatch, "/subscribe", 7001, from: tablet, at: 0)
    #expect(ports == [9000, 7001])
  }

  @Test("A storm of recalls does not take more than fifty packets a second to a client")
  func storm() {
    let (dispatch, _) = dispatch()
    send(dispatch, "/sync", from: tablet, at: 0)
    _ = packets(dispatch, from: 0)
    var packets = 0
    for millisecond in 0..<1000 {
      let now = 100 * second + Int64(millisecond) * 1_000_000
      for row in 0..<20 {
        dispatch.control.set(Knob(row: row, part: 0), to: Float(millisecond % 7))
      }
      _ = dispatch.feedback.turn(dispatch.clients.all, now: now) { messages, _ in
        packets += 1
        #expect(messages.map(\.size).reduce(Message.bundleHead, +) <= Limits.packetBytes)
        return true
      }
    }
    #expect((30...50).contains(packets))
  }

  @Test("A program whose subscription has ended cannot end the feedback of the tablet on its host")
  func lapsed() {
    let (dispatch, _) = dispatch()
    let program = Source(address: tablet.address, port: 50_001)
    send(dispatch, "/here", from: tablet, at: 0)
    send(dispatch, "/subscribe", from: program, at: 0)
    send(dispatch, "/here", from: tablet, at: 599 * second)
    _ = dispatch.expire(600 * second)
    #expect(dispatch.clients.all.map(\.listens.port) == [9000])
    send(dispatch, "/unsubscribe", from: program, at: 601 * second)
    #expect(dispatch.clients.all.map(\.listens.port) == [9000])
    // Whoever was only ever heard from one port ends its own.
    let other = Source(address: tablet.address + 1, port: 50_000)
    send(dispatch, "/here", from: other, at: 602 * second)
    send(dispatch, "/unsubscribe", from: other, at: 602 * second)
    #expect(dispatch.clients.all.map(\.listens.port) == [9000])
  }

  @Test("A program that is started again and again does not push the tablets out")
  func crowd() {
    let (dispatch, _) = dispatch()
    let tablets = (1...4).map { Source(address: 0xC000_0200 + UInt32($0), port: 50_000) }
    for tablet in tablets { send(dispatch, "/here", from: tablet, at: 0) }
    for start in 0..<40 {
      let program = Source(address: 0xC000_0209, port: 40_000 + start)
      send(dispatch, "/subscribe", from: program, at: Int64(start + 1) * second)
    }
    #expect(dispatch.clients.all.count == Limits.oscClients)
    for tablet in tablets { #expect(dispatch.clients.known(tablet) != nil) }
    // Many tablets: the least recently heard of them makes room.
    for host in 1...UInt32(Limits.oscClients) {
      send(
        dispatch, "/here", from: Source(address: 0xC000_0300 + host, port: 9), at: Int64(100 + host) * second)
    }
    #expect(tablets.allSatisfy { dispatch.clients.known($0) == nil })
  }
}
