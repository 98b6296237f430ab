import EngineHarness
import Testing
@testable import Scenes
@testable import Synth

/// A sound that becomes stereo under a note.
@Suite("A change from mono to stereo") struct StereoStartTests {
  /// The right side goes on where the left one is, through the stages in front of the filter.
  @Test(
    "A sound that becomes stereo under a held note has no step on either side",
    arguments: [
      [], [("/filter/highpass", 500)], [("/filter/drive", 4)], [("/filter/drive", 12)],
      [("/filter/drive", 24)],
      [("/filter/drive", 12), ("/filter/highpass", 500)], [("/filter/resonance", 0.8)],
      [("/filter/character", 1)],
      [("/filter/fm", 1)],
    ] as [[(String, Float)]])
  func rightSide(_ knobs: [(String, Float)]) {
    var scene = Scene.with(
      [("/osc/1/wave", 0), ("/osc/1/unison", 2), ("/osc/1/spread", 0), ("/amp/sustain", 1)] + knobs)
    let player = Player(scene, running: true)
    player.press(50, velocity: 1)
    player.play(9_600)
    // A mono passage behind a stereo one, so that the right side has kept something old.
    for spread in [0.05, 0, 0.05] as [Float] {
      let before = max(
        Array(player.left.suffix(4_800)).largestStep, Array(player.right.suffix(4_800)).largestStep)
      (player.left, player.right) = (Array(player.left.suffix(1)), Array(player.right.suffix(1)))
      scene.turn([("/osc/1/spread", spread)])
      player.link.scene.publish(scene)
      player.play(14_400)
      #expect(player.left.largestStep < 1.3 * before, "left, spread \(spread)")
      #expect(player.right.largestStep < 1.3 * before, "right, spread \(spread)")
    }
  }
}
