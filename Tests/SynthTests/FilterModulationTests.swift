import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The filter's knobs as targets of the matrix.
@Suite("Filter knobs as modulation targets") struct FilterModulationTests {
  @Test(
    "A modulation slot that moves a filter knob sounds like the knob set to the same value",
    arguments: [
      (ModulationTarget.resonance, "/filter/resonance", 0.2, 0.7, 0.5), (.mode, "/filter/mode", 1, 3, 0.5),
      (.drive, "/filter/drive", 6, 18, 0.5), (.resonance, "/filter/resonance", 0.5, 1, 0.5),
    ] as [(ModulationTarget, String, Float, Float, Float)])
  func aSlotIsTheKnob(
    _ knob: (target: ModulationTarget, address: String, from: Float, to: Float, amount: Float)
  ) {
    let base: [(String, Float)] = [("/filter/cutoff", 900), ("/amp/velocity", 0)]
    let plain = Player(Scene.with(base + [(knob.address, knob.to)]))
    var scene = Scene.with(base + [(knob.address, knob.from)])
    scene[0].patch.slot1.source = ModulationTests.choice(.velocity as ModulationSource)
    scene[0].patch.slot1.target = Float(knob.target.index)
    scene[0].patch.slot1.amount = knob.amount
    let moved = Player(scene)
    for player in [plain, moved] {
      player.press(48, velocity: 1)
      player.play(2_400)
    }
    let difference = zip(plain.left, moved.left).map { abs($0 - $1) }.max() ?? 1
    #expect(plain.left.peak > 0.05 && difference < 1e-4, "\(knob.address): \(difference)")
  }
}
