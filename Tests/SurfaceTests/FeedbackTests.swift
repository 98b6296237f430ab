import Parameters
import Scenes
import Testing
@testable import Control
@testable import Surface

/// What clients are told, and what they are not. Two programs on one host tell themselves apart by `/subscribe`.
struct FeedbackTests {
  @Test("A new client is shown the value and the text of every knob")
  func dump() {
    let programs = Programs()
    let (scene, one) = (programs.harness.control.stage.scene, programs.one)
    programs.send("/subscribe", from: one)
    // 44 kB: the last come after 620 ms.
    programs.run(milliseconds: 640)
    for (index, row) in Table.rows.enumerated() {
      let value = scene[ParameterID(row: index, part: 0)]
      #expect(programs.values(row.address, at: one).first?.number == row.kind.fader(value: value))
      #expect(programs.values(row.address + "/text", at: one).first == .string(row.kind.text(value: value)))
    }
  }

  @Test("The sound of a part is shown under its own address to those who have spoken of it")
  func opened() {
    let programs = Programs.still()
    let one = programs.one
    programs.send("/part/3/filter/cutoff", 1, from: one)
    // Behind what is only confirmed, the last of them came after 710 ms.
    programs.run(milliseconds: 500)
    #expect(programs.values("/part/3/filter/resonance/text", at: one).first == .string("0 %"))
    #expect(programs.values("/part/3/amp/release/text", at: one).count > 0)
    #expect(programs.values("/part/3/filter/cutoff", at: one).first == .float(1))
    #expect(programs.received[programs.other] == nil)
  }

  @Test("Another client is told, the hand is not until it rests, and then nobody is told anything")
  func echo() {
    let programs = Programs.still()
    let (hand, other) = (programs.one, programs.other)
    // It was heard a moment ago, and is not shown everything.
    programs.send("/here", from: hand)
    programs.run(milliseconds: 1_000)
    programs.received = [:]
    for step in 1...20 {
      programs.send("/filter/cutoff", Double(step) / 20, from: hand)
      programs.run(milliseconds: 10)
    }
    // The label beside the fader moves with it; the fader is left to the hand.
    #expect(programs.values("/filter/cutoff", at: hand).isEmpty)
    #expect(programs.values("/filter/cutoff/text", at: hand).count >= 3)
    // Thirty a second, and one more for the first.
    #expect((3...7).contains(programs.values("/filter/cutoff", at: other).count))
    programs.run(milliseconds: 350)
    // Confirmed after the hand has rested.
    #expect(programs.values("/filter/cutoff", at: hand).first == .float(1))
    for client in [hand, other] {
      #expect(programs.values("/filter/cutoff", at: client).last == .float(1))
      #expect(programs.values("/filter/cutoff/text", at: client).last == .string("20.0 kHz"))
    }
    #expect(programs.harness.control.stage.scene[0].patch.filter.cutoff == 20_000)
    // The rounds, and then silence.
    programs.run(milliseconds: 5_500)
    programs.received = [:]
    programs.run(milliseconds: 60_000)
    #expect(programs.received.isEmpty)
  }

  @Test("A hand that goes too far is shown where the knob stopped")
  func clamped() {
    let programs = Programs.still()
    let hand = programs.one
    programs.send("/filter/cutoff/hz", 99_999, from: hand)
    programs.send("/part/3/pan", 4, from: hand)
    programs.run(milliseconds: 400)
    #expect(programs.values("/filter/cutoff", at: hand).first == .float(1))
    #expect(programs.values("/part/3/pan", at: hand).first == .float(1))
    #expect(programs.values("/part/3/pan/text", at: hand).first == .string("100 %"))
  }

  @Test("What a MIDI controller turns is shown to everyone")
  func controller() {
    let programs = Programs.still()
    programs.harness.link.commands.push(Event(frame: 0, kind: .controller, note: 10, value: 0))
    programs.run(milliseconds: 100)
    for client in [programs.one, programs.other] {
      #expect(programs.values("/pan", at: client).first == .float(0))
      #expect(programs.values("/pan/text", at: client).first == .string("-100 %"))
    }
  }

  @Test("What a sound controller does to a sound is heard, and the knob stays where it is")
  func soundController() {
    let programs = Programs.still()
    programs.harness.link.commands.push(Event(frame: 0, kind: .controller, note: 74, value: 0))
    programs.run(milliseconds: 100)
    for client in [programs.one, programs.other] {
      #expect(programs.values("/filter/cutoff", at: client).isEmpty)
    }
    #expect(programs.harness.link.scene.audioSide.take().pointee[0].patch.filter.cutoff == 20)
  }

  @Test("Another part in focus gives bare addresses other values")
  func focus() {
    let programs = Programs.still()
    let (one, other) = (programs.one, programs.other)
    programs.send("/part/4/filter/cutoff", 0.5, from: one)
    programs.run(milliseconds: 100)
    #expect(programs.received[other] == nil)
    programs.send("/focus", 4, from: one)
    programs.run(milliseconds: 100)
    #expect(programs.values("/focus", at: other).first == .int(4))
    let way = programs.values("/filter/cutoff", at: other).first?.number ?? 0
    #expect(abs(way - 0.5) < 1e-6)
    #expect(programs.values("/part/4/filter/cutoff", at: other).isEmpty)
    programs.send("/filter/resonance", 1, from: one)
    let scene = programs.harness.control.stage.scene
    #expect(scene[3].patch.filter.resonance == 1 && scene[0].patch.filter.resonance == 0)
    let transport = programs.harness.transport
    programs.send("/focus", from: one)
    #expect(transport.answers.last == OSCMessage("/focus", .int(4)))
    programs.send("/focus", 9, from: one)
    #expect(transport.answers.last?.value == .string("/focus takes a part, 1…8, not 9"))
  }

  @Test("A tablet is known by its host and told at the reply port, whatever port it sends from")
  func replyPort() {
    let programs = Programs()
    programs.send("/filter/cutoff", 1, from: programs.one)
    programs.send("/here", from: programs.other)
    programs.run(milliseconds: 640)
    let place = Peer(programs.one.host, port: 9000)
    #expect(Array(programs.received.keys) == [place])
    #expect(programs.values("/part/8/level/text", at: place).first == .string("0.0 dB"))
    #expect(programs.values("/filter/cutoff", at: place).first == .float(1))
  }

  @Test("A subscription ends when it is told to")
  func unsubscribe() {
    let programs = Programs.still()
    programs.send("/unsubscribe", from: programs.other)
    programs.send("/filter/cutoff", 0, from: programs.one)
    programs.run(milliseconds: 1_000)
    #expect(programs.received[programs.other] == nil)
    #expect(programs.received[programs.one] != nil)
  }
}

/// Two programs of one host over a network that loses nothing, on times of their own.
private final class Programs {
  let harness = SurfaceHarness()
  let one = Peer(host: 0xC000_0201, port: 50_000)
  let other = Peer(host: 0xC000_0201, port: 50_001)
  /// What each was told, in order.
  var received: [Peer: [OSCMessage]] = [:]
  private var now: Int64 = 0

  /// Both have seen everything, and have been still since.
  static func still() -> Programs {
    let programs = Programs()
    for program in [programs.one, programs.other] { programs.send("/subscribe", from: program) }
    // The dump, and the rounds after it.
    programs.run(milliseconds: 6_000)
    for program in [programs.one, programs.other] {
      let shown = Set(programs.received[program]?.map(\.address) ?? [])
      #expect(programs.harness.shared.isSubset(of: shown))
    }
    programs.received = [:]
    return programs
  }

  func send(_ address: String, _ numbers: Double..., from peer: Peer) {
    harness.surface.receive(
      address, numbers.map { .number($0) }, from: peer, over: harness.transport, now: now)
  }

  func run(milliseconds: Int) {
    for _ in 0..<milliseconds {
      now += 1_000_000
      _ = harness.control.update(now)
      for packet in harness.packets(from: now, until: now + 1) {
        received[packet.peer, default: []] += packet.messages
      }
    }
  }

  func values(_ address: String, at peer: Peer) -> [OSCValue] {
    (received[peer] ?? []).filter { $0.address == address }.map(\.value)
  }
}

extension OSCValue {
  fileprivate var number: Float? {
    switch self {
    case .float(let number): number
    case .int(let number): Float(number)
    case .string, .truth: nil
    }
  }
}
