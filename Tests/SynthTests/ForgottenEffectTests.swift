import EngineHarness
import Testing
@testable import Scenes
@testable import Synth

/// What effects have forgotten of the sound that they heard: all of it.
@Suite("Cleared effects") struct ForgottenEffectTests {
  private static func noise(_ count: Int, seed: UInt32 = 1, mean: Float = 0) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296 + mean
    }
  }

  /// Knobs with which every effect says something.
  private static var knobs: EffectKnobs {
    var all = Scene.with(RackEffect.all.flatMap(\.knobs))[0].patch.effects
    (all.delay.time, all.delay.highpass, all.delay.lowpass) = (0.001, 100, 5_000)
    (all.delay.feedback, all.delay.saturation) = (0.9, 0.7)
    (all.drive.gain, all.drive.shape, all.drive.tone, all.drive.mix) = (18, 1, 3_000, 0.7)
    all.drive.tilt = 3
    (all.equalizer.low.frequency, all.equalizer.low.gain) = (100, 6)
    (all.equalizer.bell1.frequency, all.equalizer.bell1.q) = (300, 1)
    (all.equalizer.bell2.frequency, all.equalizer.bell2.gain, all.equalizer.bell2.q) = (1_000, 12, 5)
    (all.equalizer.bell3.frequency, all.equalizer.bell3.q) = (3_000, 1)
    all.equalizer.high.frequency = 9_000
    (all.reverb.size, all.reverb.decay, all.reverb.low, all.reverb.high) = (0.5, 2, 0.5, 0.5)
    (all.reverb.modulation, all.reverb.width) = (0.5, 1)
    (all.compressor.threshold, all.compressor.ratio) = (-40, 4)
    (all.compressor.attack, all.compressor.release) = (0.001, 0.5)
    (all.phaser.stages, all.phaser.rate, all.phaser.frequency) = (12, 1, 300)
    (all.phaser.depth, all.phaser.feedback) = (0.5, -0.9)
    (all.chorus.rate, all.chorus.depth) = (1, 1)
    (all.rotary.speed, all.rotary.rate, all.rotary.inertia) = (2, 1, 1)
    (all.rotary.horn, all.rotary.spread) = (0.5, 1)
    (all.flanger.rate, all.flanger.depth, all.flanger.delay) = (2, 0.7, 0.005)
    (all.flanger.feedback, all.flanger.spread) = (-0.9, 0.5)
    return all
  }

  @Test(
    "An effect that was cleared after loud noise with a DC offset keeps silence exactly silent",
    arguments: 0..<EffectKnobs.count)
  func clearedEffect(_ index: Int) {
    var all = Self.knobs
    withUnsafePointer(to: &all) { knobs in
      let effect = Effect(index, rate: 48_000)
      defer { effect.deallocate() }
      let aim = EffectAim(knobs, to: knobs, tempo: 2, share: 1, isSettled: false)
      func play(_ left: [Float], _ right: [Float]) -> (left: [Float], right: [Float]) {
        playInTicks(left, right, aim: { _ in effect.aim(aim, frames: 16, continues: false) }) {
          effect.process($0, $1, frames: $2)
        }
      }
      effect.snap(aim, within: false)
      let loud = play(Self.noise(9_600, mean: 0.4), Self.noise(9_600, seed: 7, mean: -0.3))
      #expect(loud.left.peak > 0.1)
      var calls = 1
      while !effect.clearPiece() { calls += 1 }
      #expect(calls < 200)
      // As the rack does. The others must not need it, since it would hide what the equalizer remembers.
      if case .drive = effect { effect.snap(aim, within: false) }
      let silence = [Float](repeating: 0, count: 9_600)
      let after = play(silence, silence)
      #expect(after.left.allSatisfy { $0 == 0 } && after.right.allSatisfy { $0 == 0 })
    }
  }
}
