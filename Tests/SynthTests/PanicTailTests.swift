import EngineHarness
import Scenes
import Synth
import Testing

/// A panic ends what old sounds have left in their effects, too.
@Suite("Panic and effect tails") struct PanicTailTests {
  private static let short: [(String, Float)] = [("/amp/release", 0.02), ("/filter/release", 0.02)]

  @Test(
    "A panic ends the reverb or delay tail of a sound that a preset recall has replaced",
    arguments: [
      [("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 8), ("/reverb/high", 1)],
      [("/delay/on", 1), ("/delay/mix", 0.5), ("/delay/time", 0.1), ("/delay/feedback", 0.9)],
    ] as [[(String, Float)]])
  func recalledTail(effect: [(String, Float)]) {
    let player = Player(.with(Self.short + effect))
    player.press(57)
    player.play(4_800)
    player.lift(57)
    player.play(4_800)
    var dry = Scene.with(Self.short)
    dry[0].generation = 1
    player.link.scene.publish(dry)
    player.play(4_800)
    player.left = []
    player.play(4_800)
    #expect(player.left.peak > 0.002)
    player.send(.panic)
    player.play(1_200)
    player.left = []
    player.play(9_600)
    #expect(player.left.peak < 1e-6)
  }
}
