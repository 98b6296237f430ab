import Parameters
import Scenes
import Storage
import Testing
@testable import Control
@testable import Surface

/// What a client is told while its own hand moves something, and what others are told meanwhile.
struct GestureTests {
  private let millisecond: Int64 = 1_000_000
  private let second: Int64 = 1_000_000_000
  private let tablet = Peer(host: 0xC000_0201, port: 50_000)
  private let other = Peer(host: 0xC000_0202, port: 50_001)

  /// Two connections that have been shown everything, and the messages of each from then on.
  private func harness(isLossy: Bool = false) -> SurfaceHarness {
    let harness = SurfaceHarness(over: RecordedTransport(replyPort: isLossy ? 9000 : nil, isLossy: isLossy))
    for peer in [tablet, other] { harness.send("/here", from: peer, at: 0) }
    _ = harness.packets(from: 0)
    return harness
  }

  private func told(_ packets: [RecordedTransport.SentPacket], _ peer: Peer, _ address: String)
    -> [(at: Int64, value: OSCValue)]
  {
    packets.filter { $0.peer.host == peer.host }.flatMap { packet in
      packet.messages.filter { $0.address == address }.map { (packet.at, $0.value) }
    }
  }

  @Test(
    "A hand that rests for a moment on a fader is not spoken against; 300 ms after its last word it is confirmed"
  )
  func rest() {
    let harness = harness()
    let start = 100 * second
    var sent: [RecordedTransport.SentPacket] = []
    for step in 0..<5 {
      let now = start + Int64(step) * 250 * millisecond
      harness.send("/filter/cutoff", Double(step + 1) / 5, from: tablet, at: now)
      sent += harness.packets(from: now, until: now + 250 * millisecond)
    }
    let last = start + 1_000 * millisecond
    #expect(told(sent, tablet, "/filter/cutoff").isEmpty)
    #expect(told(sent, other, "/filter/cutoff").count == 5)
    let rest = told(harness.packets(from: last + 250 * millisecond), tablet, "/filter/cutoff")
    #expect(rest.map(\.value) == [.float(1)])
    #expect(rest.allSatisfy { $0.at >= last + 300 * millisecond && $0.at <= last + 340 * millisecond })
  }

  @Test("Of what another hand does meanwhile the latest is told once the hand has rested, and nothing before")
  func against() {
    let harness = harness()
    let start = 100 * second
    harness.send("/pan", 0.75, from: tablet, at: start)
    for (value, after) in [(0.125, 50), (0.875, 100), (0.25, 150)] as [(Float, Int64)] {
      harness.control.take(Event(frame: 0, kind: .controller, note: 10, value: value))
      let sent = harness.packets(from: start + after * millisecond, until: start + (after + 50) * millisecond)
      #expect(told(sent, tablet, "/pan").isEmpty)
      #expect(told(sent, other, "/pan").map(\.value) == [.float(value)])
      #expect(told(sent, tablet, "/pan/text").count == 1)
    }
    let rest = harness.packets(from: start + 200 * millisecond)
    #expect(told(rest, tablet, "/pan").map(\.value) == [.float(0.25)])
    #expect(told(rest, other, "/pan").isEmpty)
  }

  @Test("A knob that is back where it was before anybody was told is not told at all")
  func back() {
    let harness = harness()
    let before = harness.control.stage.scene[cutoff]
    for value in [100, 200, before] { harness.control.set(cutoff, to: value) }
    #expect(harness.packets(from: 100 * second).isEmpty)
    // Within the pause between two values as well.
    harness.control.set(cutoff, to: 300)
    #expect(
      told(harness.packets(from: 101 * second, until: 101 * second + 1), other, "/filter/cutoff").count == 1)
    harness.control.set(cutoff, to: 400)
    harness.control.set(cutoff, to: 300)
    #expect(harness.packets(from: 101 * second + 5 * millisecond).isEmpty)
  }

  @Test("Of a hundred values in a tenth of a second the last one is told, and four at most before it")
  func latest() {
    let harness = harness()
    var sent: [RecordedTransport.SentPacket] = []
    for step in 1...100 {
      harness.control.set(cutoff, to: 100 + Float(step))
      let now = 100 * second + Int64(step) * millisecond
      sent += harness.packets(from: now, until: now + millisecond)
    }
    sent += harness.packets(from: 100 * second + 101 * millisecond)
    let texts = told(sent, tablet, "/filter/cutoff/text")
    #expect((2...5).contains(texts.count) && texts.last?.value == .string("200 Hz"))
    for (one, next) in zip(texts, texts.dropFirst()) { #expect(next.at - one.at >= 33 * millisecond) }
  }

  @Test("Where packets get lost a change is said eight times, half a second apart, and then no more")
  func sendCount() {
    let harness = harness(isLossy: true)
    harness.control.set(cutoff, to: 100)
    let texts = told(harness.packets(from: 100 * second), tablet, "/filter/cutoff/text")
    #expect(texts.count == 8 && texts.allSatisfy { $0.value == .string("100 Hz") })
    for (one, next) in zip(texts, texts.dropFirst()) {
      #expect(next.at - one.at >= 500 * millisecond && next.at - one.at < 600 * millisecond)
    }
    // A newer value meanwhile is said at once, and the old one never again.
    harness.control.set(cutoff, to: 200)
    _ = harness.packets(from: 200 * second, until: 201 * second)
    harness.control.set(cutoff, to: 300)
    let newer = told(harness.packets(from: 201 * second), tablet, "/filter/cutoff/text")
    #expect(newer.count == 8 && newer.allSatisfy { $0.value == .string("300 Hz") })
    #expect(newer.first.map { $0.at < 201 * second + 100 * millisecond } == true)
  }

  @Test("Who asks for everything again and again is shown it once in half a second")
  func sync() {
    let harness = harness()
    var dumps = 0
    for step in 0..<10 {
      let now = 100 * second + Int64(step) * 100 * millisecond
      harness.send("/sync", 1, from: tablet, at: now)
      dumps += told(harness.packets(from: now, until: now + 100 * millisecond), tablet, "/preset/name").count
    }
    #expect(dumps == 2)
    #expect(told(harness.packets(from: 102 * second), other, "/preset/name").isEmpty)
  }

  @Test(
    "A knob is told at its part's address to whoever has spoken of the part, and bare where it is in focus")
  func parts() {
    let harness = harness()
    harness.send("/part/3/filter/cutoff", from: tablet, at: second)
    _ = harness.packets(from: second)
    func turn(_ part: Int, _ hertz: Float, at now: Int64) -> [RecordedTransport.SentPacket] {
      harness.control.set(ParameterID(row: cutoff.row, part: part), to: hertz)
      return harness.packets(from: now)
    }
    let third = turn(2, 300, at: 100 * second)
    #expect(told(third, tablet, "/part/3/filter/cutoff/text").map(\.value) == [.string("300 Hz")])
    #expect(told(third, other, "/part/3/filter/cutoff/text").isEmpty)
    #expect(told(third, tablet, "/filter/cutoff/text").isEmpty)
    harness.send("/focus", 3, from: other, at: 101 * second)
    let focused = harness.packets(from: 101 * second)
    for peer in [tablet, other] {
      #expect(told(focused, peer, "/filter/cutoff/text").map(\.value) == [.string("300 Hz")])
    }
    let bare = turn(2, 400, at: 102 * second)
    for peer in [tablet, other] {
      #expect(told(bare, peer, "/filter/cutoff/text").map(\.value) == [.string("400 Hz")])
    }
    #expect(told(bare, tablet, "/part/3/filter/cutoff/text").count == 1)
    for peer in [tablet, other] {
      #expect(told(turn(0, 500, at: 103 * second), peer, "/filter/cutoff/text").isEmpty)
    }
    // A strip is told of every part, and the master once.
    harness.control.set(
      ParameterID(row: Table.rows.firstIndex { $0.address == "/level" } ?? 0, part: 4), to: -6)
    let strip = harness.packets(from: 104 * second)
    #expect(told(strip, other, "/part/5/level/text").map(\.value) == [.string("-6.0 dB")])
    #expect(told(strip, other, "/level/text").isEmpty)
    harness.send("/tempo/bpm", 99, from: tablet, at: 105 * second)
    let tempo = told(harness.packets(from: 105 * second), other, "/tempo/text")
    #expect(tempo.map(\.value) == [.string("99.0 bpm")])
  }

  @Test("Who asks for everything is shown the parts that it has spoken of as well, and no others")
  func syncOfParts() {
    let harness = harness()
    harness.send("/part/3/filter/cutoff", from: tablet, at: second)
    _ = harness.packets(from: second)
    harness.send("/sync", 1, from: tablet, at: 100 * second)
    let sent = harness.packets(from: 100 * second)
    let shown = Set(sent.flatMap(\.messages).map(\.address))
    #expect(harness.shared.isSubset(of: shown) && sent.allSatisfy { $0.peer == tablet })
    for row in Table.rows where row.field.scope == .patch {
      #expect(shown.contains("/part/3" + row.address) != row.isDetail, "\(row.address)")
      #expect(!shown.contains("/part/4" + row.address), "\(row.address)")
    }
  }

  @Test("Two connections are two hands, and one that ends lets go of its own keys alone")
  func hands() throws {
    let harness = harness()
    for peer in [tablet, other] { harness.send("/note/60", 1, from: peer, at: second) }
    harness.surface.disconnected(other, over: harness.transport)
    var events: [Event] = []
    while let event = harness.link.control.peek()?.pointee {
      events.append(event)
      harness.link.control.drop()
    }
    try #require(events.map(\.kind) == [.noteOn, .noteOn, .sourceGone])
    #expect(events[0].source != events[1].source && events[2].source == events[1].source)
    #expect(harness.clients.map(\.peer) == [tablet])
    #expect(harness.packets(from: 2 * second).allSatisfy { $0.peer == tablet })
  }

  @Test("Who was silent for less than five seconds is not shown everything anew, who was for more is")
  func absence() {
    for (silence, isShown) in [(4_900, false), (5_100, true)] as [(Int64, Bool)] {
      let harness = harness(isLossy: true)
      let start = 100 * second
      for beat in 0...30 {
        harness.send("/here", from: tablet, at: start + Int64(beat) * second)
        _ = harness.packets(from: start + Int64(beat) * second, until: start + Int64(beat + 1) * second)
      }
      let back = start + 30 * second + silence * millisecond
      _ = harness.packets(from: start + 31 * second, until: back)
      harness.send("/here", from: tablet, at: back)
      let shown = harness.packets(from: back, until: back + second)
      #expect(told(shown, tablet, "/preset/name").isEmpty != isShown, "\(silence)")
    }
  }

  @Test(
    "A recall is told at bare addresses where the part is in focus, and at its own to whoever has spoken of it"
  )
  func recalls() {
    let harness = harness()
    harness.send("/part/3/filter/cutoff/hz", 200, from: tablet, at: second)
    harness.send("/part/3/preset/save", "Low", from: tablet, at: second)
    harness.send("/part/3/filter/cutoff/hz", 900, from: tablet, at: 2 * second)
    harness.send("/filter/cutoff/hz", 700, from: other, at: 2 * second)
    _ = harness.packets(from: 3 * second)
    harness.send("/part/3/preset/load", "Low", from: other, at: 100 * second)
    let sent = harness.packets(from: 100 * second)
    #expect(told(sent, tablet, "/part/3/filter/cutoff/text").map(\.value) == [.string("200 Hz")])
    #expect(told(sent, tablet, "/part/3/preset/name").isEmpty)
    #expect(told(sent, tablet, "/part/3/preset/edited").map(\.value) == [.int(0)])
    #expect(told(sent, other, "/part/3/filter/cutoff/text").isEmpty)
    #expect(told(sent, tablet, "/filter/cutoff/text").isEmpty)
    harness.send("/preset/load", "Low", from: other, at: 101 * second)
    let bare = harness.packets(from: 101 * second)
    for peer in [tablet, other] {
      #expect(told(bare, peer, "/filter/cutoff/text").map(\.value) == [.string("200 Hz")])
      #expect(told(bare, peer, "/preset/name").map(\.value) == [.string("Low")])
      #expect(told(bare, peer, "/part/1/preset/name").map(\.value) == [.string("Low")])
    }
  }
}
