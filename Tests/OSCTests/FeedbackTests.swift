import CLiblo
import Control
import Parameters
import Synth
import System
import Testing

/// What tablets are told, and what they are not. Two programs on one host tell themselves apart by `/subscribe`.
struct FeedbackTests {
  /// Two clients that have seen everything, and have been still since.
  private func two() throws -> (Instrument, Tablet, Tablet) {
    let instrument = try Instrument()
    let (one, other) = (try Tablet(instrument), try Tablet(instrument))
    for tablet in [one, other] { tablet.send("/subscribe") }
    // The dump, and the rounds after it.
    both(one, other, 5_400)
    #expect(one.hasSeenAll && other.hasSeenAll)
    one.received.removeAll()
    other.received.removeAll()
    return (instrument, one, other)
  }

  private func both(
    _ one: Tablet, _ other: Tablet, _ milliseconds: Int, until done: () -> Bool = { false }
  ) {
    one.run(milliseconds) {
      other.listen()
      return done()
    }
  }

  @Test("A new client is shown everything within half a second, in paced packets that fit a network frame")
  func dump() throws {
    let instrument = try Instrument()
    let tablet = try Tablet(instrument)
    tablet.send("/subscribe")
    let start = monotonic()
    tablet.run(5_000) { tablet.hasSeenAll }
    let scene = instrument.control.stage.scene
    for (index, row) in Table.rows.enumerated() {
      let value = scene[Knob(row: index, part: 0)]
      #expect(tablet.values(row.address).first.flatMap(Tablet.number) == row.kind.fader(value: value))
      #expect(tablet.values(row.address + "/text").first == .string(row.kind.text(value: value)))
    }
    // The last of it, with what a busy machine adds to a test that polls.
    let last = tablet.received.last?.at ?? 0
    #expect(last - start < 500_000_000)
    // 20 ms between packets. Over five of them, since the listener itself is late at times.
    let times = tablet.bundleTimes
    #expect((5...12).contains(times.count))
    for (one, fifth) in zip(times, times.dropFirst(5)) { #expect(fifth - one > 80_000_000) }
    #expect(tablet.largest <= 1400)
  }

  @Test("The sound of a part is shown under its own address to those who have spoken of it")
  func opened() throws {
    let (_, one, other) = try two()
    one.send("/part/3/filter/cutoff", Float(1))
    both(one, other, 2_000) {
      one.values("/part/3/filter/cutoff").count > 0 && one.values("/part/3/amp/release/text").count > 0
    }
    #expect(one.values("/part/3/filter/resonance/text").first == .string("0 %"))
    #expect(one.values("/part/3/filter/cutoff").first == .float(1))
    #expect(other.received.isEmpty)
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
    both(hand, other, 320)
    // Confirmed after the hand has rested.
    #expect(hand.values("/filter/cutoff").first == .float(1))
    for tablet in [hand, other] {
      #expect(tablet.values("/filter/cutoff").last == .float(1))
      #expect(tablet.values("/filter/cutoff/text").last == .string("20.0 kHz"))
    }
    #expect(instrument.control.stage.scene[0].patch.filter.cutoff == 20_000)
    // The rounds, and then silence.
    both(hand, other, 5_400)
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
    both(hand, other, 400)
    #expect(hand.values("/filter/cutoff").first == .float(1))
    #expect(hand.values("/part/3/pan").first == .float(1))
    #expect(hand.values("/part/3/pan/text").first == .string("100 %"))
  }

  @Test("What a MIDI controller turns is shown to everyone")
  func controller() throws {
    let (instrument, one, other) = try two()
    instrument.link.commands.push(Event(frame: 0, kind: .controller, note: 74, value: 0))
    instrument.loop.waker.wake()
    both(one, other, 2_000) {
      one.values("/filter/cutoff").count > 0 && other.values("/filter/cutoff/text").count > 0
    }
    for tablet in [one, other] {
      #expect(tablet.values("/filter/cutoff").first == .float(0))
      #expect(tablet.values("/filter/cutoff/text").first == .string("20.0 Hz"))
    }
  }

  @Test("Another part in focus gives bare addresses other values")
  func focus() throws {
    let (instrument, one, other) = try two()
    one.send("/part/4/filter/cutoff", Float(0.5))
    both(one, other, 100)
    other.received.removeAll()
    #expect(one.ask("/filter/cutoff") != .float(0.5))
    one.send("/focus", 4)
    both(one, other, 2_000) { !other.values("/focus").isEmpty && !other.values("/filter/cutoff").isEmpty }
    #expect(other.values("/focus").first == .int(4))
    guard case .float(let way)? = other.values("/filter/cutoff").first else {
      Issue.record("the bare address was not shown")
      return
    }
    #expect(abs(way - 0.5) < 1e-6)
    #expect(other.values("/part/4/filter/cutoff").isEmpty)
    one.send("/filter/resonance", Float(1))
    one.settle()
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
    probe.watch(instrument, 5_000) { probe.hasSeenAll }
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
    other.settle()
    one.send("/filter/cutoff", Float(0))
    both(one, other, 100)
    #expect(other.received.isEmpty)
  }
}
