import EngineHarness
import Parameters
import Scratch
import Testing
@testable import Presets
@testable import Scenes
@testable import Synth

@Test(
  "A key of each factory preset that is held for a minute: when it has rung out no voice and no sound is left",
  arguments: 0..<4)
func heldMinuteOfTheBank(quarter: Int) throws {
  // The lowest rate there is: what ends does so in seconds, not in frames.
  let rate = Limits.rates.lowerBound
  let presets = try factoryBank()
  let count = presets.count / 4
  for (preset, patch) in sample(presets[quarter * count..<(quarter + 1) * count]) {
    var scene = Scene.initial
    scene[0].patch = patch
    let player = Player(scene, rate: Double(rate))
    player.press(72)
    player.render(64, blocks: 60 * rate / 64)
    player.release(72)
    var seconds = 0
    repeat {
      player.render(64, blocks: rate / 64)
      seconds += 1
    } while seconds < 30 && player.voices + Int(player.link.meters[.sounds]) > 0
    #expect(player.voices == 0 && player.link.meters[.sounds] == 0, "\(preset.name)")
  }
}
