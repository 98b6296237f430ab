import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What becomes of a sound that a recall has replaced while its effects ring: it ends, and where there are too many the
/// quietest goes.
@Suite("Effect tails of replaced sounds") struct EndingSoundTests {
  private static let short: [(String, Float)] = [
    ("/amp/release", 0.02), ("/filter/release", 0.02), ("/amp/velocity", 1),
  ]
  private static let room: [(String, Float)] = [
    ("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 0.5), ("/reverb/freeze", 1),
  ]
  private static let echo: [(String, Float)] = [
    ("/delay/on", 1), ("/delay/mix", 0.5), ("/delay/time", 0.02), ("/delay/feedback", 1.1),
  ]

  private static func recall(_ player: Player, _ scene: inout Scene) {
    scene[0].generation += 1
    player.link.scene.publish(scene)
  }

  @Test(
    "A frozen reverb and growing echoes of a replaced sound fade out within 4 s of the recall",
    arguments: [room, echo, room + echo])
  func endlessTails(_ effects: [(String, Float)]) {
    var scene = Scene.with(Self.short + effects)
    let player = Player(scene)
    if effects[0].0 == "/reverb/on" {
      // What is frozen has come in before.
      scene[0].patch.effects.reverb.freeze = 0
      player.link.scene.publish(scene)
    }
    player.press(57)
    player.play(4_800)
    player.lift(57)
    player.play(480)
    scene[0].patch.effects.reverb.freeze = 1
    player.link.scene.publish(scene)
    player.play(9_600)
    player.left = []
    player.play(4_800)
    let held = player.left.peak
    scene[0].patch.effects = EffectKnobs()
    Self.recall(player, &scene)
    player.play(4 * 48_000, block: 480)
    player.left = []
    player.play(4_800)
    #expect(held > 0.01 && player.left.peak < 0.001 * held, "\(held), \(player.left.peak)")
    player.play(6 * 48_000, block: 480)
    #expect(player.sounds == 0)
  }

  /// The tails that ring on, by the generation that they began with, and whether each has been cut.
  private static func tails(_ player: Player) -> [UInt32: Bool] {
    var tails: [UInt32: Bool] = [:]
    for index in 0..<Limits.sounds {
      let sound = player.engine.sounds + index
      if sound.pointee.isEnding, sound.pointee.rack.rings {
        tails[sound.pointee.generation] = sound.pointee.rack.isCut
      }
    }
    return tails
  }

  @Test("A ninth tail cuts the quietest of the tails that ring, and a panic ends all of them")
  func quietestTail() {
    var scene = Scene.with(
      Self.short + [("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 20), ("/reverb/high", 1)])
    let player = Player(scene, running: true)
    let first = scene[0].generation
    let quiet = 3
    for index in 0...Limits.endingRacks {
      player.press(57, velocity: index == quiet ? 0.2 : 0.9)
      player.play(2_400)
      player.lift(57)
      player.play(2_400)
      #expect(Self.tails(player).count == index && !Self.tails(player).values.contains(true))
      Self.recall(player, &scene)
      player.play(64)
    }
    #expect(Self.tails(player)[first + UInt32(quiet)] == true)
    player.play(480)
    #expect(Self.tails(player).count == Limits.endingRacks)
    #expect(Self.tails(player)[first + UInt32(quiet)] == nil)
    // A panic ends them all, for good.
    player.send(.panic)
    player.play(960)
    #expect(Self.tails(player).isEmpty)
    player.left = []
    player.play(4_800)
    #expect(player.left.peak < 1e-6)
  }
}
