import Control
import Parameters
import Scenes
import Testing

/// Feedback over real sockets. When what is said is shown without them (`FeedbackTests`, `FeedbackTimingTests`).
struct SocketTests {
  @Test("A new client is shown everything, in packets that fit a network frame")
  func dump() throws {
    let instrument = try ServedInstrument()
    let tablet = try Tablet(instrument)
    tablet.send("/subscribe")
    tablet.run(60_000) { tablet.hasSeenAll }
    let scene = instrument.control.stage.scene
    for (index, row) in Table.rows.enumerated() {
      let value = scene[ParameterID(row: index, part: 0)]
      #expect(tablet.values(row.address).first.flatMap(Tablet.number) == row.kind.fader(value: value))
      #expect(tablet.values(row.address + "/text").first == .string(row.kind.text(value: value)))
    }
    #expect(tablet.bundles >= 5)
    #expect(tablet.largest <= 1452)
  }

  @Test("A tablet is known by its host and told at the reply port, whatever port it sends from")
  func replyPort() throws {
    let probe = try Tablet(ServedInstrument())
    let instrument = try ServedInstrument(replyPort: probe.port)
    let sender = try Tablet(instrument)
    sender.send("/filter/cutoff", Float(1))
    probe.watch(instrument, 60_000) { probe.hasSeenAll && !probe.values("/filter/cutoff").isEmpty }
    #expect(probe.values("/part/8/level/text").first == .string("0.0 dB"))
    #expect(probe.values("/filter/cutoff").first == .float(1))
    // Answers go to where the question came from; feedback never does.
    #expect(sender.received.isEmpty)
    #expect(sender.ask("/filter/cutoff") == .float(1))
  }

  @Test("What one client turns, and what a MIDI controller turns, the other is told")
  func told() throws {
    let instrument = try ServedInstrument()
    let (one, other) = (try Tablet(instrument), try Tablet(instrument))
    other.send("/subscribe")
    other.settle()
    one.send("/filter/cutoff", Float(1))
    other.run(60_000) { other.values("/filter/cutoff").last == .float(1) }
    #expect(other.values("/filter/cutoff").last == .float(1))
    instrument.link.commands.push(Event(frame: 0, kind: .controller, note: 10, value: 0))
    instrument.loop.waker.wake()
    other.run(60_000) { other.values("/pan/text").last == .string("-100 %") }
    #expect(other.values("/pan/text").last == .string("-100 %"))
  }
}
