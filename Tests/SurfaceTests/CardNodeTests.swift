import Control
import ControlHarness
import Scenes
import Testing
@testable import Surface

@Suite("The sound card, as a tablet sees it") struct CardNodeTests {
  private let tablet = Peer(host: 0x0A00_0002, port: 50_000)

  private let asked = RequestLog<CardRequest>()
  private func harness() -> SurfaceHarness {
    let harness = SurfaceHarness()
    harness.control.card.handler = asked
    var card = CardState()
    (card.name, card.names) = ("Device", ["Device", "Headphones"])
    (card.rate, card.rates, card.period, card.periods) = (48_000, [44_100, 48_000], 128, [64, 128])
    card.level = .init(normalized: 0.5, decibels: -30, range: -60...0, text: "-30.0 dB")
    harness.control.card.state = card
    return harness
  }

  private func errors(_ harness: SurfaceHarness) -> [String] {
    harness.transport.answers.compactMap {
      if $0.address == "/error", case .string(let text) = $0.value { return text }
      return nil
    }
  }

  @Test("its volume is asked for, set within its range, and shown when somebody else turns it")
  func level() {
    let harness = harness()
    harness.send("/master/card/level", 2, from: tablet, at: 0)
    harness.send("/master/card/level/db", -12, from: tablet, at: 0)
    #expect(asked.requests == [.level(1), .decibels(-12)])
    _ = harness.packets(from: 0, until: 20_000_000_000)
    harness.control.card.state.level = .init(
      normalized: 0.25, decibels: -45, range: -60...0, text: "-45.0 dB")
    let told = harness.packets(from: 30_000_000_000).flatMap(\.messages)
    #expect(told.contains(OSCMessage("/master/card/level", .float(0.25))))
    #expect(told.contains(OSCMessage("/master/card/level/text", .string("-45.0 dB"))))
  }

  @Test("without a volume says so")
  func fixed() {
    let harness = harness()
    harness.control.card.state.level = nil
    harness.send("/master/card/level", 0.5, from: tablet, at: 0)
    #expect(errors(harness).isEmpty)
    harness.send("/master/card/level/db", -6, from: tablet, at: 0)
    harness.send("/master/card/level/text", from: tablet, at: 0)
    #expect(asked.requests.isEmpty && errors(harness).first?.contains("no volume") == true)
    #expect(harness.transport.answers.contains(OSCMessage("/master/card/level/text", .string("fixed"))))
  }

  @Test("another card, rate or period is one of those that there are")
  func choices() {
    let harness = harness()
    harness.send("/card", "headphones", from: tablet, at: 0)
    harness.send("/card", "auto", from: tablet, at: 0)
    harness.send("/card", 0, from: tablet, at: 0)
    harness.send("/card/rate", 44_100, from: tablet, at: 0)
    harness.send("/card/period", 64, from: tablet, at: 0)
    #expect(
      asked.requests == [.card("Headphones"), .card("auto"), .card("Device"), .rate(44_100), .period(64)])
    harness.send("/card", "Nowhere", from: tablet, at: 0)
    harness.send("/card/rate", 96_000, from: tablet, at: 0)
    harness.send("/card/period", 3, from: tablet, at: 0)
    #expect(asked.requests.count == 5 && Set(errors(harness)).count == 3)
    #expect(errors(harness).first?.contains("Device, Headphones") == true)
  }

  @Test("the lists count what there is and name each")
  func lists() {
    let harness = harness()
    for address in ["/card/list", "/card/rate/list", "/card/period/list"] {
      harness.send(address, from: tablet, at: 0)
    }
    let answers = harness.transport.answers
    #expect(
      answers.prefix(3) == [
        OSCMessage("/card/list", .int(2)), OSCMessage("/card/list/0", .string("Device")),
        OSCMessage("/card/list/1", .string("Headphones")),
      ])
    #expect(answers.contains(OSCMessage("/card/rate/list/1", .int(48_000))))
    #expect(answers.contains(OSCMessage("/card/period/list/0", .int(64))))
  }
}
