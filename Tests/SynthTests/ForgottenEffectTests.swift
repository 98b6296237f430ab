import EngineHarness
import Testing

@testable import Synth

/// What effects have forgotten of the sound that they heard: all of it.
@Suite struct ForgottenEffectTests {
  private static func noise(_ count: Int, seed: UInt32 = 1, mean: Float = 0) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296 + mean
    }
  }

  /// One effect with its knobs, as the rack plays it.
  private final class Effect {
    let knobs = UnsafeMutablePointer<EffectKnobs>.allocate(capacity: 1)
    var aim: (UnsafePointer<EffectKnobs>) -> Void = { _ in }
    var process: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>, Int) -> Void = { _, _, _ in }
    var forget: () -> Bool = { true }
    var snap: (UnsafePointer<EffectKnobs>) -> Void = { _ in }
    var free: () -> Void = {}

    init() {
      var all = EffectKnobs()
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
      (all.phaser.stages, all.phaser.rate, all.phaser.frequency) = (12, 1, 300)
      (all.phaser.depth, all.phaser.feedback) = (0.5, -0.9)
      knobs.initialize(to: all)
    }

    deinit {
      free()
      knobs.deallocate()
    }

    func play(_ left: [Float], _ right: [Float]) -> (left: [Float], right: [Float]) {
      playInTicks(left, right, aim: { _ in aim(UnsafePointer(knobs)) }, process: process)
    }

    static func drive() -> Effect {
      let (one, effect) = (Effect(), UnsafeMutablePointer<EffectDrive>.allocate(capacity: 1))
      effect.initialize(to: EffectDrive(rate: 48_000))
      one.snap = { effect.pointee.snap($0.drive, $0.drive) }
      one.aim = { effect.pointee.aim($0.drive, $0.drive, frames: 16) }
      one.process = { effect.pointee.process($0, $1, frames: $2) }
      one.forget = { effect.pointee.forget() }
      one.free = {
        effect.pointee.deallocate()
        effect.deallocate()
      }
      return one
    }

    static func equalizer() -> Effect {
      let (one, effect) = (Effect(), UnsafeMutablePointer<FiveBandEqualizer>.allocate(capacity: 1))
      effect.initialize(to: FiveBandEqualizer(rate: 48_000))
      effect.pointee.snap(UnsafePointer(one.knobs).equalizer)
      one.aim = { effect.pointee.aim($0.equalizer, $0.equalizer, frames: 16) }
      one.process = { effect.pointee.process($0, $1, frames: $2) }
      one.forget = { effect.pointee.forget() }
      one.free = {
        effect.pointee.deallocate()
        effect.deallocate()
      }
      return one
    }

    static func delay() -> Effect {
      let (one, effect) = (Effect(), UnsafeMutablePointer<Delay>.allocate(capacity: 1))
      effect.initialize(to: Delay(rate: 48_000))
      one.snap = { effect.pointee.snap($0.delay, tempo: 2) }
      one.aim = { effect.pointee.aim($0.delay, $0.delay, tempo: 2, frames: 16) }
      one.process = { effect.pointee.process($0, $1, frames: $2) }
      one.forget = { effect.pointee.forget() }
      one.free = {
        effect.pointee.deallocate()
        effect.deallocate()
      }
      return one
    }

    static func phaser() -> Effect {
      let (one, effect) = (Effect(), UnsafeMutablePointer<Phaser>.allocate(capacity: 1))
      effect.initialize(to: Phaser(rate: 48_000))
      one.snap = { effect.pointee.snap($0.phaser, tempo: 2) }
      one.aim = { effect.pointee.aim($0.phaser, $0.phaser, tempo: 2, frames: 16) }
      one.process = { effect.pointee.process($0, $1, frames: $2) }
      one.forget = { effect.pointee.forget() }
      one.free = {
        effect.pointee.deallocate()
        effect.deallocate()
      }
      return one
    }

    static func reverb() -> Effect {
      let (one, effect) = (Effect(), UnsafeMutablePointer<Reverb>.allocate(capacity: 1))
      effect.initialize(to: Reverb(rate: 48_000))
      effect.pointee.control.snap(UnsafePointer(one.knobs).reverb, UnsafePointer(one.knobs).reverb)
      one.aim = { effect.pointee.control.aim($0.reverb, $0.reverb, frames: 16) }
      one.process = { effect.pointee.process($0, $1, frames: $2) }
      one.forget = { effect.pointee.forget() }
      one.free = {
        effect.pointee.deallocate()
        effect.deallocate()
      }
      return one
    }
  }

  /// An effect that has forgotten what it heard says nothing of it: silence stays silence. It was loud, and not around 0.
  @Test(arguments: ["drive", "equalizer", "phaser", "delay", "reverb"])
  func whatHasForgottenIsSilent(_ name: String) {
    let effect =
      switch name {
      case "drive": Effect.drive()
      case "equalizer": Effect.equalizer()
      case "phaser": Effect.phaser()
      case "delay": Effect.delay()
      default: Effect.reverb()
      }
    effect.snap(effect.knobs)
    let loud = effect.play(Self.noise(9_600, mean: 0.4), Self.noise(9_600, seed: 7, mean: -0.3))
    #expect(loud.left.peak > 0.1)
    var calls = 1
    while !effect.forget() { calls += 1 }
    #expect(calls < 200)
    effect.snap(effect.knobs)
    let silence = [Float](repeating: 0, count: 9_600)
    let after = effect.play(silence, silence)
    #expect(after.left.allSatisfy { $0 == 0 } && after.right.allSatisfy { $0 == 0 })
  }
}
