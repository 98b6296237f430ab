import CLiblo
import Control
import Parameters
import Synth
import Testing

/// What tablets are told, and what they are not. Two programs on one host tell themselves apart by `/subscribe`.
struct FeedbackTests {
  /// Two clients that have seen everything and heard nothing since.
  private func two() throws -> (Instrument, Tablet, Tablet) {
    let instrument = try Instrument()
    let (one, other) = (try Tablet(instrument), try Tablet(instrument))
    for tablet in [one, other] { tablet.send("/subscribe") }
    // The dump, about 25 packets at 50 a second, and its repetition.
    one.run(5_000) {
      other.listen()
      return one.hasSeenAllTwice && other.hasSeenAllTwice
    }
    one.received.removeAll()
    other.received.removeAll()
    return (instrument, one, other)
  }

  private func both(_ one: Tablet, _ other: Tablet, _ milliseconds: Int) {
    one.run(milliseconds) {
      other.listen()
      return false
    }
  }

  @Test("A new client is shown everything, in paced packets that fit a network frame")
  func dump() throws {
    let instrument = try Instrument()
    let tablet = try Tablet(instrument)
    tablet.send("/subscribe")
    tablet.run(5_000) { tablet.hasSeenAllTwice }
    tablet.run(600)
    let scene = instrument.control.stage.scene
    for knob in Knob.all {
      let kind = Table.rows[knob.row].kind
      let values = tablet.values(knob.address)
      #expect(values.first.flatMap(Tablet.number) == kind.fader(value: scene[knob]), "\(knob.address)")
      // Once, and once more in case it was lost.
      #expect(values.count == 2, "\(knob.address)")
      #expect(tablet.values(knob.address + "/text").first == .string(kind.text(value: scene[knob])))
    }
    for row in Table.rows { #expect(tablet.values(row.address).count == 2, "\(row.address)") }
    #expect(tablet.values("/focus") == [.int(1), .int(1)])
    // 20 ms between packets. Over ten of them, since on a busy machine the listener itself is late at times.
    let times = tablet.bundleTimes
    #expect(times.count > 20)
    for (one, tenth) in zip(times, times.dropFirst(10)) { #expect(tenth - one > 150_000_000) }
    #expect(tablet.largest <= Limits.packetBytes)
  }

  @Test("Another client is told, the hand is not until it rests, and then nobody is told anything")
  func echo() throws {
    let (instrument, hand, other) = try two()
    let start = monotonic()
    for step in 1...20 {
      hand.send("/filter/cutoff", Float(step) / 20)
      both(hand, other, 10)
    }
    // The label beside the fader moves with it; the fader is left to the hand.
    #expect(hand.values("/filter/cutoff").isEmpty)
    #expect(hand.values("/filter/cutoff/text").count >= 3)
    // Thirty a second, and one more for the first.
    let most = Int((monotonic() - start) / 33_000_000) + 1
    #expect((3...most).contains(other.values("/filter/cutoff").count))
    both(hand, other, 1_200)
    // Confirmed once after the hand has rested, and that repeated once.
    #expect(hand.values("/filter/cutoff") == [.float(1), .float(1)])
    for address in ["/filter/cutoff", "/part/1/filter/cutoff"] {
      #expect(other.values(address).suffix(2) == [.float(1), .float(1)])
      #expect(other.values(address + "/text").suffix(2) == [.string("20.0 kHz"), .string("20.0 kHz")])
      #expect(hand.values(address).last == .float(1))
    }
    #expect(instrument.control.stage.scene[0].patch.filter.cutoff == 20_000)
    // Only the addresses of the one knob were spoken of.
    #expect(Set(other.received.map(\.address)).count == 4)
    other.received.removeAll()
    hand.received.removeAll()
    both(hand, other, 700)
    #expect(hand.received.isEmpty && other.received.isEmpty)
  }

  @Test("A hand that goes too far is shown where the knob stopped")
  func clamped() throws {
    let (_, hand, other) = try two()
    hand.send("/filter/cutoff/hz", Float(99_999))
    hand.send("/part/3/pan", Float(4))
    both(hand, other, 1_200)
    #expect(hand.values("/filter/cutoff") == [.float(1), .float(1)])
    #expect(hand.values("/part/3/pan") == [.float(1), .float(1)])
    #expect(hand.values("/part/3/pan/text").first == .string("100 %"))
  }

  @Test("What a MIDI controller turns is shown to everyone")
  func controller() throws {
    let (instrument, one, other) = try two()
    instrument.link.commands.push(Event(frame: 0, kind: .controller, note: 74, value: 0))
    instrument.loop.waker.wake()
    both(one, other, 100)
    for tablet in [one, other] {
      #expect(tablet.values("/filter/cutoff") == [.float(0)])
      #expect(tablet.values("/part/1/filter/cutoff/text") == [.string("20.0 Hz")])
    }
  }

  @Test("Another part in focus gives bare addresses other values")
  func focus() throws {
    let (instrument, one, other) = try two()
    one.send("/part/4/filter/cutoff", Float(0.5))
    both(one, other, 1_200)
    other.received.removeAll()
    #expect(one.ask("/filter/cutoff") != .float(0.5))
    one.send("/focus", 4)
    both(one, other, 200)
    #expect(other.values("/focus") == [.int(4)])
    guard case .float(let way)? = other.values("/filter/cutoff").first else {
      Issue.record("the bare address was not shown")
      return
    }
    #expect(abs(way - 0.5) < 1e-6)
    #expect(other.values("/part/4/filter/cutoff").isEmpty)
    one.send("/filter/resonance", Float(1))
    both(one, other, 50)
    #expect(instrument.control.stage.scene[3].patch.filter.resonance == 1)
    #expect(instrument.control.stage.scene[0].patch.filter.resonance == 0)
    #expect(one.ask("/focus") == .int(4))
    #expect(one.refusal("/focus") { lo_message_add_int32($0, 9) }?.contains("1…8") == true)
  }

  @Test("A tablet is known by its host and told at the reply port, whatever port it sends from")
  func replyPort() throws {
    let probe = try Tablet(Instrument())
    let instrument = try Instrument(replyPort: probe.port)
    let sender = try Tablet(instrument)
    sender.send("/filter/cutoff", Float(1))
    probe.watch(instrument, 600)
    #expect(probe.values("/part/8/level/text").first == .string("0.0 dB"))
    #expect(probe.values("/filter/cutoff").first == .float(1))
    // Answers go to where the question came from; feedback never does.
    #expect(sender.received.isEmpty)
    #expect(sender.ask("/filter/cutoff") == .float(1))
  }

  @Test("A subscription ends when it is told to")
  func unsubscribe() throws {
    let (_, one, other) = try two()
    other.send("/unsubscribe")
    both(one, other, 20)
    one.send("/filter/cutoff", Float(0))
    both(one, other, 100)
    #expect(other.received.isEmpty)
  }
}
