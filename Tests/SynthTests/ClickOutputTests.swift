import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Where the click is heard, and whether a recording contains it.
@Suite("The outputs of the click") struct ClickOutputTests {
  /// A note and the click, as the outputs and a recording have them.
  private func play(
    _ outputs: String, _ knobs: [(String, Float)], pairs: Int? = nil, block: Int = 100
  ) throws -> (player: OutputsPlayer, heard: [AudioRing.Frame]) {
    // Its sides differ, so that neither is taken for the other.
    let wide: [(String, Float)] = [("/osc/1/unison", 3), ("/osc/1/spread", 1)]
    let player = OutputsPlayer(.with(wide + knobs), outputs: try #require(PartOutputs(outputs)), pairs: pairs)
    player.link.outputRing.open(frames: 60_000)
    player.press(57, at: 300)
    player.play(60_000, block: block)
    var heard = [AudioRing.Frame](repeating: .zero, count: 60_000)
    let count = heard.withUnsafeMutableBufferPointer { player.link.outputRing.read(from: 0, into: $0) }
    #expect(count == 60_000)
    return (player, heard)
  }

  private func isRecorded(_ heard: [AudioRing.Frame], _ player: Player) -> Bool {
    isSame(heard.map { $0[0] }.bits, player.left.bits) && isSame(heard.map { $0[1] }.bits, player.right.bits)
  }

  @Test("No recording contains it unless asked, wherever it is heard", arguments: ["1-2", "1-2,click=3-4"])
  func recordings(outputs: String) throws {
    let without = try play(outputs, [])
    #expect(isRecorded(without.heard, without.player))
    #expect(!isSame(without.player.left.bits, without.player.right.bits))
    let with = try play(outputs, [("/click/on", 1)], block: 37)
    #expect(isRecorded(with.heard, without.player))
    let clicked = try play("1-2", [("/click/on", 1)]).player
    #expect(!isSame(clicked.left.bits, without.player.left.bits))
    let asked = try play(outputs, [("/click/on", 1), ("/click/record", 1)])
    #expect(isRecorded(asked.heard, clicked))
  }

  @Test("are those that the option names for it, or those of its knob, if the card has them")
  func pairs() throws {
    let (silent, clicked) = (try play("1-2", []).player, try play("1-2", [("/click/on", 1)]).player)
    let cases: [(outputs: String, knob: Float, pairs: Int?, pair: Int)] = [
      ("click=3-4", 0, nil, 1), ("1-2,1-2,5-6,click=3-4", 0, nil, 1), ("1-2,click=3-4", 1, nil, 0),
      ("1-2,7-8", 3, nil, 2), ("click=3-4", 4, nil, 0), ("click=3-4", 0, 1, 0), ("1-2,5-6", 0, nil, 0),
    ]
    for (outputs, knob, pairs, pair) in cases {
      let player = try play(outputs, [("/click/on", 1), ("/click/output", knob)], pairs: pairs).player
      let first = pair == 0 ? clicked : silent
      #expect(isSame(player.left.bits, first.left.bits), "\(outputs) \(knob)")
      for (index, further) in player.further.enumerated() {
        let peak = max(further.left.peak, further.right.peak)
        #expect(index + 1 == pair ? peak > 0.2 : peak == 0, "\(outputs) \(knob) \(index)")
      }
    }
  }

  @Test("A stroke ends on the outputs and at the level that it began with")
  func change() {
    let outputs = PartOutputs("click=3-4") ?? PartOutputs()
    let player = OutputsPlayer(.with([("/click/on", 1)]), outputs: outputs)
    player.play(64)
    player.link.scene.publish(
      .with([("/click/on", 1), ("/click/output", 1), ("/click/level", 0), ("/click/record", 1)]))
    player.play(23_000)
    #expect(player.left.peak == 0 && player.further[0].left.peak < 0.26)
    player.link.scene.publish(.with([("/click/on", 1), ("/click/output", 1), ("/click/level", 0)]))
    player.play(23_000)
    #expect(player.left.peak > 0.9 && player.further[0].left.suffix(23_000).allSatisfy { $0 == 0 })
  }

  @Test("The option names the outputs of the click behind those of the parts")
  func option() throws {
    let outputs = try #require(PartOutputs("1-2, 3-4, click = 5-6"))
    #expect(outputs.click == 2 && outputs.count == 3 && outputs.pair(1) == 1)
    #expect(outputs.description == "1-2,3-4,click=5-6")
    #expect(PartOutputs("click=3-4")?.description == "1-2,click=3-4")
    #expect(PartOutputs("click=1-2") == PartOutputs())
    #expect(PartOutputs("1-2,1-2,1-2,1-2,1-2,1-2,1-2,7-8,click=3-4")?.count == 4)
    for text in ["click", "click=", "click=2-3", "click=3-4,1-2", "1-2,,click=3-4", "click=3-4,click=5-6"] {
      #expect(PartOutputs(text) == nil, "\(text)")
    }
  }
}
