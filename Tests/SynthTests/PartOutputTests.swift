import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Outputs of the parts") struct PartOutputTests {
  /// The keys of the first three parts, loud enough for the limiter.
  private func play(_ outputs: String, muted: [Int] = [], pairs: Int? = nil, frames: Int = 9_600) throws
    -> OutputsPlayer
  {
    var scene = Scene.with([
      ("/osc/1/wave", 2), ("/osc/1/level", 1), ("/amp/level", 12), ("/master/level", 3),
    ])
    for part in 0..<3 {
      scene[part].patch = scene[0].patch
      scene[part].strip.level = 6
      scene[part].strip.mute = muted.contains(part) ? 1 : 0
    }
    let player = OutputsPlayer(scene, outputs: try #require(PartOutputs(outputs)), pairs: pairs)
    for (part, note) in [45, 57, 64].enumerated() {
      player.press(note, at: 100 * part, target: Event.part(part), velocity: 1)
    }
    player.play(frames, block: 100)
    return player
  }

  @Test("A text such as 1-2,3-4,7-8 gives each part an output pair, and invalid texts are refused")
  func outputText() throws {
    let outputs = try #require(PartOutputs("1-2, 3-4,7-8"))
    #expect((0..<Limits.parts).map { outputs.pair($0) } == [0, 1, 3, 0, 0, 0, 0, 0])
    #expect(outputs.count == 4 && outputs.description == "1-2,3-4,7-8")
    #expect(PartOutputs("1-2") == PartOutputs() && PartOutputs().count == 1)
    #expect(PartOutputs("1-2,1-2")?.description == "1-2")
    #expect(PartOutputs("5-6,5-6,5-6,5-6,5-6,5-6,5-6,5-6")?.count == 3)
    for text in [
      "", "1", "2-3", "1-2,", ",", "3-4-", "9-10", "1-2;3-4", "1-2,1-2,1-2,1-2,1-2,1-2,1-2,1-2,1-2",
    ] {
      #expect(PartOutputs(text) == nil, "\(text)")
    }
  }

  @Test("A part on outputs 5-6 is silent on 1-2 and sounds the same, limiter included, on 5-6")
  func separateOutput() throws {
    let before = try play("1-2", muted: [1, 2])
    let moved = try play("5-6", muted: [1, 2])
    #expect(before.left.peak > 0.9)
    #expect(moved.left.peak == 0 && moved.right.peak == 0)
    #expect(moved.further[0].left.peak == 0 && moved.further[0].right.peak == 0)
    // Limited and late as on the first.
    #expect(isSame(moved.further[1].left.bits, before.left.bits))
    #expect(isSame(moved.further[1].right.bits, before.right.bits))
    #expect(moved.link.meters.takePeak() == before.link.meters.takePeak())
  }

  @Test("Each output pair sounds as if the parts on other pairs were muted") func independentPairs() throws {
    let player = try play("1-2,3-4,1-2")
    let (first, second) = (try play("1-2", muted: [1]), try play("1-2", muted: [0, 2]))
    #expect(isSame(player.left.bits, first.left.bits) && isSame(player.right.bits, first.right.bits))
    #expect(isSame(player.further[0].left.bits, second.left.bits))
    #expect(isSame(player.further[0].right.bits, second.right.bits))
  }

  @Test("Without buffers for further outputs, all parts play on the first pair")
  func missingBuffers() throws {
    let (all, player) = (try play("1-2"), try play("3-4,5-6,7-8", pairs: 1))
    #expect(all.left.peak > 0.9)
    #expect(isSame(player.left.bits, all.left.bits) && isSame(player.right.bits, all.right.bits))
  }

  @Test("The master equalizer acts on the first output pair only") func equalizerPair() {
    let knobs: [(String, Float)] = [("/osc/1/wave", 2), ("/master/eq/gain", 20), ("/master/eq/bypass", 0)]
    func heard(_ scene: Scene, _ outputs: String) -> OutputsPlayer {
      let player = OutputsPlayer(scene, outputs: PartOutputs(outputs) ?? PartOutputs())
      player.press(69)
      player.play(4_800)
      return player
    }
    let direct = heard(.with([knobs[0]]), "1-2")
    #expect(!isSame(heard(.with(knobs), "1-2").left.bits, direct.left.bits))
    #expect(isSame(heard(.with(knobs), "3-4").further[0].left.bits, direct.left.bits))
  }

  // Another card plays meanwhile: what is in the limiter is not heard when the outputs are back.
  @Test("Sound left in the limiter of further outputs is not heard when the outputs return")
  func returningOutputs() throws {
    let player = try play("3-4")
    #expect(player.further[0].left.suffix(48).map(abs).max() ?? 0 > 0.1)
    let further = player.furtherOutputs
    player.furtherOutputs = ExtraOutputs()
    player.send(.panic)
    player.play(48_000)
    player.furtherOutputs = further
    player.play(4_800)
    #expect(player.further[0].left.suffix(4_800).allSatisfy { $0 == 0 })
    player.press(45, target: Event.part(0), velocity: 1)
    player.play(4_800)
    #expect(player.further[0].left.suffix(2_400).map(abs).max() ?? 0 > 0.1)
  }

  @Test("A NaN silences its own output pair, is reported, and leaves the other pair untouched")
  func nonFinitePair() throws {
    var masters = ExtraMasters(rate: 48_000, outputs: try #require(PartOutputs("1-2,3-4,5-6")))
    let outputs = ExtraOutputs(pairs: 3, frames: 64)
    defer { outputs.deallocate() }
    for pair in 1...2 {
      outputs.left(pair).update(repeating: 0.25, count: 64)
      outputs.right(pair).update(repeating: 0.25, count: 64)
    }
    outputs.left(1)[5] = .nan
    let isSound = masters.process(outputs, from: 0, frames: 64, tickOffset: 0, Master())
    #expect(!isSound)
    #expect((0..<64).allSatisfy { outputs.left(1)[$0] == 0 && outputs.right(1)[$0] == 0 })
    // 48 frames late.
    #expect((0..<64).allSatisfy { outputs.left(2)[$0] == ($0 < 48 ? 0 : 0.25) })
    let goesOn = masters.process(outputs, from: 0, frames: 64, tickOffset: 0, Master())
    #expect(goesOn)
  }
}
