import Control
import Presets
import Scenes
import Scratch
import System
import Testing
@testable import OSC
@testable import Surface

/// One sender's flood is its own trouble.
struct FloodTests {
  private let instrument: ServedInstrument
  private let flooder: Tablet
  private let other: Tablet

  init() throws {
    instrument = try ServedInstrument(factory: presetsFolder)
    (flooder, other) = (try Tablet(instrument), try Tablet(instrument))
    flooder.settle()
    other.settle()
  }

  /// A datagram of many messages comes in from the flooder.
  private func flood(_ messages: [[UInt8]]) {
    var bytes = Corpus.bundle(messages, time: (0, 1))
    bytes.withUnsafeMutableBytes {
      instrument.receive($0, from: Peer(host: 0x7F00_0001, port: flooder.port), now: 0)
    }
  }

  @Test("Whoever asks for a list a thousand times gets it once or twice, and holds up nobody else's list")
  func lists() {
    for _ in 0..<10 { flood(Array(repeating: Corpus.osc("/presets/list", ","), count: 100)) }
    let last = instrument.control.library.presets.count - 1
    // A datagram may get lost on a busy machine.
    let answers = { other.ask("/preset/list", at: "/preset/list/\(last)", within: 6_000) != nil }
    #expect((0..<10).contains { _ in answers() })
    flooder.run(60_000) { !flooder.values("/presets/list/\(last)").isEmpty }
    // Long answers come in their order: whatever else waits comes before this one.
    flooder.send("/preset/list")
    flooder.run(60_000) { !flooder.values("/preset/list/\(last)").isEmpty }
    #expect(!flooder.values("/preset/list/\(last)").isEmpty)
    #expect((1...2).contains(flooder.values("/presets/list").count))
    #expect((0...last).allSatisfy { !flooder.values("/presets/list/\($0)").isEmpty })
  }

  @Test("A thousand recalls in one datagram are all done, and another is answered in between")
  func recalls() {
    func generation() -> UInt32 { instrument.control.stage.scene[0].generation }
    let before = generation()
    flood(Array(repeating: Corpus.osc("/preset/next", ","), count: 1_000))
    #expect(generation() - before < 1_000)
    #expect(other.ask("/filter/cutoff") != nil)
    #expect(generation() - before < 1_000)
    other.run(120_000) { generation() - before == 1_000 }
    #expect(generation() - before == 1_000)
  }

  @Test("What is more than waits is dropped, counted and said once, but never the last value of a knob")
  func dropped() {
    let turn = Corpus.osc("/preset/next", ",")
    for step in 1...4 {
      let knobs = ["/filter/cutoff", "/part/2/level", "/osc/1/octave"].map {
        Corpus.osc($0, ",f") + Corpus.float(Float(step) / 4)
      }
      flood(Array(repeating: turn, count: 2_500) + knobs)
    }
    let dropped = instrument.control.health.oscDropped
    #expect(dropped > 4_000 && dropped < 10_000)
    #expect(instrument.log.filter { $0.contains("dropped") }.count == 1)
    #expect(other.ask("/status/osc/dropped") == .int(dropped))
    other.run(240_000) { instrument.surface.inbox.isEmpty }
    #expect(instrument.knob("/filter/cutoff") == 20_000)
    #expect(instrument.knob("/part/2/level") == 12 || instrument.knob("/part/2/level") == 6)
    #expect(instrument.knob("/osc/1/octave") == 3)
  }

  @Test("For a wrong address the nearest one is looked for when it is said, and only then")
  func nearest() {
    let began = monotonic()
    flood(Array(repeating: Corpus.osc("/filter/cutof", ","), count: 2_000))
    other.run(60_000) { instrument.surface.inbox.isEmpty }
    // As many at once, and in each second, as strangers are told of, and then a client.
    let most = 2 * (20 + Int(Double(monotonic() - began) * 1e-8) + 1)
    flooder.listen()
    let said = flooder.values("/error")
    #expect(said.first == .string("/filter/cutof is no address; did you mean /filter/cutoff?"))
    #expect(said.count >= 20 && said.count <= most, "\(said.count) of at most \(most)")
    #expect(instrument.surface.hintsSought == said.count)
  }
}
