import Control
import Glibc
import Parameters
import Scenes
import Scratch
import Testing
@testable import Surface

/// What a client shows that comes to a network which loses a fifth of everything, with 380 knobs a part.
///
/// At fifty packets of 1,452 bytes a second, five seconds carry 363 kB. What eight opened parts show, 6,466 entries, is
/// 180 kB, values 107 kB of it: all values go in a second and a half, and everything twice in five, so that of what is
/// said only because the client may have begun afresh 0.2 x 0.2 is missing then. With three opened parts, 110 kB, it is
/// said three times, and in most runs some packet is lost each time.
struct LossTests {
  /// Other runs: `PIPIT_SEEDS=200 packaging/test --filter LossTests`.
  private static let seeds = getenv("PIPIT_SEEDS").flatMap { Int(String(cString: $0)) } ?? 1

  enum Before: CaseIterable {
    /// It has been there all along.
    case there
    /// It was out of reach while a hundred knobs were turned.
    case away
    /// It has begun afresh, with every control at rest.
    case afresh
  }

  @Test(
    "After a gesture all values are confirmed within a second, and everything is right within five",
    arguments: [0, 1, 3, 8], Before.allCases)
  func right(openParts: Int, before: Before) {
    var (confirmed, still, wrong): (Int64, Int64, [Int]) = (0, 0, [])
    for seed in 1...LossTests.seeds {
      var visit = Visit(openParts: openParts, SeededRandom(UInt64(seed)))
      visit.pass(before)
      let heard = visit.gesture()
      let end = visit.now
      visit.run(5 * second, loss: 0.2)
      wrong.append(visit.wrong.count)
      visit.run(15 * second, loss: 0.2)
      #expect(visit.wrong == [], "seed \(seed)")
      confirmed = max(confirmed, visit.confirmed(since: heard))
      still = max(still, (visit.sent.last?.at ?? 0) - end)
      for (one, later) in zip(visit.sent, visit.sent.dropFirst(50)) { #expect(later.at - one.at >= second) }
    }
    print(
      "loss: \(openParts) parts opened, \(before): values confirmed within \(confirmed / 1_000_000) ms; after 5 s "
        + "\(wrong.reduce(0, +)) wrong in \(wrong.count { $0 > 0 }) of \(wrong.count) runs; still after "
        + "\(still / 1_000_000) ms")
    // Eight parts are more than fifty packets a second carry: measured 1.44 s.
    #expect(confirmed <= (openParts > 3 ? 15 * second / 10 : second))
    if before == .afresh && openParts > 1 {
      #expect(wrong.allSatisfy { $0 < (openParts > 3 ? 900 : 100) })
    } else {
      #expect(wrong.allSatisfy { $0 == 0 })
    }
    // Who was away is told everything eight times, at fifty packets a second, so each new knob delays the silence: with
    // one opened part it comes after 7.0 s at 360 knobs a part, and after 7.2 s at 381. Measured 5.5, 7.2, 12.5 and
    // 20.0 s, and up to 6.4 s for who was there.
    let most: Int64 = before == .there ? 65 : [0: 56, 1: 73, 3: 126][openParts] ?? 201
    #expect(still < most * second / 10)
  }
}

private let second: Int64 = 1_000_000_000

/// A client with some parts opened, and the network between.
private struct Visit {
  private(set) var now: Int64 = 0
  private(set) var sent: [RecordedTransport.SentPacket] = []
  private let harness = SurfaceHarness(LossTests.tree)
  private let client = LossyClient(Peer(host: 0xC000_0201, port: 50_000))
  private let told: [Int]
  private var random: SeededRandom
  private var map: FeedbackMap { harness.surface.feedback.map }

  init(openParts: Int, _ random: SeededRandom) {
    self.random = random
    harness.send("/here", from: client.peer, at: 0)
    for part in 0..<openParts { harness.send("/part/\(part + 1)/filter/cutoff", from: client.peer, at: 0) }
    let (map, known) = (harness.surface.feedback.map, harness.clients[0])
    told = (0..<map.count).filter { known.receives($0) }
    run(20 * second, loss: 0)
  }

  mutating func run(_ time: Int64, loss: Double) {
    let packets = harness.packets(from: now, until: now + time)
    for packet in packets where !random.chance(loss) { client.receive(packet.messages) }
    sent += packets
    now += time
  }

  /// What happened before the gesture.
  mutating func pass(_ before: LossTests.Before) {
    for _ in 0..<10 {
      if before == .there { harness.send("/here", from: client.peer, at: now) }
      if before != .afresh { turnKnobs() }
      run(4 * second, loss: before == .there ? 0.2 : 1)
    }
    if before == .afresh { client.begin() }
    sent.removeAll()
  }

  private mutating func turnKnobs() {
    for _ in 0..<10 {
      let row = Int.random(in: 0..<Table.rows.count, using: &random)
      let part = Int.random(in: 0..<Limits.parts, using: &random)
      harness.control.set(
        ParameterID(row: row, part: part), to: .random(in: Table.rows[row].kind.range, using: &random))
    }
  }

  /// A hand moves a fader for half a second. When it was last heard.
  mutating func gesture() -> Int64 {
    for step in 0..<30 {
      client.move("/filter/cutoff", to: Float(step) / 30)
      if !random.chance(0.2) {
        harness.send("/filter/cutoff", Double(step) / 30, from: client.peer, at: now)
      }
      run(second / 60, loss: 0.2)
    }
    return harness.clients[0].receivedAt
  }

  /// What the client shows that is not so.
  var wrong: [String] {
    told.filter { client.controls[map.text($0)] != map.value($0, harness.control) }.map { map.text($0) }
  }

  /// How long it took until everything that a hand can move was said.
  func confirmed(since start: Int64) -> Int64 {
    var first: [String: Int64] = [:]
    for packet in sent where packet.at >= start {
      for message in packet.messages where first[message.address] == nil {
        first[message.address] = packet.at
      }
    }
    return told.filter(map.isSettable).map { (first[map.text($0)] ?? .max) - start }.max() ?? 0
  }
}

extension LossTests {
  fileprivate static let tree = NodeTree.scaled(knobsPerPart: 380)
}
