import EngineHarness
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// The effects of a sound as a player hears them: their tails, what a recall leaves of them, and when they rest.
@Suite("Effect rack") struct RackTests {
  private static let short: [(String, Float)] = [("/amp/release", 0.02), ("/filter/release", 0.02)]
  private static let room: [(String, Float)] = [
    ("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 1.5), ("/reverb/high", 1),
  ]
  private static let echo: [(String, Float)] = [
    ("/delay/on", 1), ("/delay/mix", 0.5), ("/delay/time", 0.1), ("/delay/feedback", 0.5),
  ]
  private static let bent: [(String, Float)] = [("/drive/on", 1), ("/drive/gain", 18)]
  private static let bells: [(String, Float)] = [("/eq/on", 1), ("/eq/2/gain", 6)]
  private static let swinging: [(String, Float)] = [("/chorus/on", 1)]
  private static let swept: [(String, Float)] = [("/phaser/on", 1), ("/phaser/rate", 2)]
  private static let pressed: [(String, Float)] = [("/compressor/on", 1), ("/compressor/threshold", -30)]
  private static let spun: [(String, Float)] = [("/rotary/on", 1), ("/rotary/speed", 2)]
  private static let combed: [(String, Float)] = [("/flanger/on", 1), ("/flanger/rate", 2)]
  private static let all = bent + bells + swinging + echo + room + swept + pressed + spun + combed

  /// A short note, and what is heard after it.
  private static func struck(_ player: Player, _ note: Int = 57) {
    player.press(note)
    player.play(4_800)
    player.lift(note)
  }

  @Test("Reverb and delay are heard after the note has ended", arguments: [room, echo])
  func effectTails(_ effect: [(String, Float)]) {
    func tail(_ knobs: [(String, Float)]) -> Float {
      let player = Player(.with(Self.short + knobs))
      Self.struck(player)
      player.play(9_600)
      player.left = []
      player.play(4_800)
      return player.left.peak
    }
    #expect(tail([]) == 0)
    #expect(tail(effect) > 0.002)
  }

  @Test("Settings of effects that are off or at a mix of 0 do not change a bit") func inactiveEffects() {
    func render(_ knobs: [(String, Float)]) -> [UInt32] {
      let player = Player(.with(Self.short + knobs))
      Self.struck(player)
      player.play(2_400)
      return player.left.bits + player.right.bits
    }
    let off: [(String, Float)] = [
      ("/eq/on", 1), ("/eq/mix", 0), ("/reverb/mix", 1), ("/delay/mix", 1), ("/chorus/mix", 1),
      ("/phaser/mix", 1), ("/phaser/feedback", 0.9), ("/compressor/ratio", 20), ("/compressor/source", 9),
      ("/rotary/speed", 2), ("/rotary/spread", 0), ("/flanger/mix", 1), ("/flanger/feedback", 0.9),
      ("/rack/order", 3),
    ]
    let isTheSame = isSame(render(off), render([]))
    #expect(isTheSame)
  }

  @Test("A recall does not change a bit of the effect tails of the previous sound") func tailUnderRecall() {
    func render(recall: Bool) -> [UInt32] {
      var scene = Scene.with(Self.short + Self.all)
      let player = Player(scene)
      Self.struck(player)
      if recall {
        scene[0].patch = .initial
        scene[0].generation += 1
        player.link.scene.publish(scene)
      }
      player.play(9_600)
      return player.left.bits
    }
    let isTheSame = isSame(render(recall: true), render(recall: false))
    #expect(isTheSame)
  }

  @Test("Effects rest once their tail is inaudible, and sound again with the next note")
  func restingEffects() {
    let player = Player(
      .with(Self.short + [("/reverb/on", 1), ("/reverb/mix", 0.5), ("/reverb/decay", 0.2)]))
    let sound = player.engine.sounds
    Self.struck(player)
    #expect(sound.pointee.rack.rings)
    player.play(2 * 48_000)
    #expect(!sound.pointee.isSounding)
    player.left = []
    Self.struck(player)
    player.play(2_400)
    #expect(player.left.peak > 0.05)
    #expect(sound.pointee.rack.rings)
  }

  @Test("A reverb that is switched off and on again holds no old sound") func reverbSwitch() {
    var scene = Scene.with(Self.short + Self.room + [("/reverb/decay", 20)])
    let player = Player(scene)
    Self.struck(player)
    for on: Float in [0, 1] {
      scene[0].patch.effects.reverb.on = on
      player.link.scene.publish(scene)
      player.left = []
      player.play(9_600)
    }
    #expect(player.left.peak == 0)
    player.left = []
    Self.struck(player)
    player.play(4_800)
    #expect(Array(player.left.suffix(2_400)).peak > 0.002)
  }

  @Test("After 40 recalls in a row all ending racks are freed once their tails are over")
  func repeatedRecalls() {
    var scene = Scene.with(Self.short + Self.room + [("/reverb/decay", 0.3)])
    let player = Player(scene, running: true)
    for index in 0..<40 {
      scene[0].generation += 1
      player.link.scene.publish(scene)
      Self.struck(player, 40 + index)
    }
    #expect(player.link.scene.ringingCount > 0)
    #expect(player.link.scene.ringingCount <= 2 * Limits.endingRacks)
    for _ in 0..<40 {
      player.play(4_800)
      player.link.scene.service()
    }
    #expect(player.link.scene.ringingCount == 0)
    #expect(player.link.scene.retiredCount == 0)
  }

  /// Effects that are where they were aimed at are not aimed again while no knob is on its way: that must be no other sound
  /// than of those that are. A knob of each jumps, a size and a time that are faded to among them, and then the tempo.
  @Test("Skipping the knob updates of settled effects does not change a bit") func settledEffects() {
    func render(rest: Bool) -> [UInt32] {
      let prepared = PreparedEffects(rate: 48_000)
      var knobs = Scene.with(Self.all + [("/delay/sync", 9), ("/delay/change", 1)])[0].patch.effects
      prepared.prepare(knobs)
      let (wet, tick) = (RackBuffers(), RackBuffers())
      defer {
        wet.deallocate()
        tick.deallocate()
      }
      var (rack, random, heard) = (Rack(), SeededRandom(7), [UInt32]())
      rack.begin(prepared.effects)
      for index in 0..<6_000 {
        let moves = index % 1_000 == 999
        if moves { Self.turn(&knobs, index / 1_000) }
        for i in 0..<Limits.controlFrames {
          tick.left[i] = Float.random(in: -0.3...0.3, using: &random)
          tick.right[i] = Float.random(in: -0.3...0.3, using: &random)
        }
        let tempo: Float = index < 4_500 ? 2 : 2.5
        withUnsafePointer(to: knobs) { knobs in
          let way = EffectAim(knobs, to: knobs, tempo: tempo, share: 0.05, isSettled: rest && !moves)
          rack.process(tick.left, tick.right, wet, way, frames: 16, ahead: 16)
        }
        for i in 0..<Limits.controlFrames { heard += [tick.left[i].bitPattern, tick.right[i].bitPattern] }
      }
      rack.release()
      rack.deallocate()
      return heard
    }
    let isTheSame = isSame(render(rest: true), render(rest: false))
    #expect(isTheSame)
  }

  private static func turn(_ knobs: inout EffectKnobs, _ step: Int) {
    switch step {
    case 0:
      (knobs.equalizer.bell2.gain, knobs.delay.feedback, knobs.reverb.decay) = (-6, 0.8, 4)
      (knobs.phaser.stages, knobs.phaser.feedback) = (9, -0.9)
      (knobs.flanger.delay, knobs.flanger.feedback) = (0.006, -0.9)
    case 1:
      (knobs.equalizer.low.gain, knobs.delay.pingPong, knobs.reverb.size) = (3, 1, 0.3)
      (knobs.compressor.attack, knobs.compressor.source) = (0.001, 3)
      (knobs.rotary.speed, knobs.rotary.spread, knobs.rotary.horn) = (1, 0.3, 0.8)
    case 2:
      (knobs.equalizer.bell2.frequency, knobs.delay.sync, knobs.reverb.width) = (3_000, 0, 0.2)
      knobs.order = 3
    case 3: (knobs.equalizer.bell2.gain, knobs.delay.saturation, knobs.reverb.freeze) = (0, 1, 1)
    default: (knobs.delay.lowpass, knobs.delay.sync, knobs.reverb.freeze) = (2_000, 9, 0)
    }
  }

  @Test(
    "Each effect gives the same bits at block sizes from 1 to 480 frames",
    arguments: [bent, bells, swinging, echo, room, swept, pressed, spun, combed])
  func blockSizes(_ effect: [(String, Float)]) {
    func render(_ block: Int) -> [UInt32] {
      let player = Player(.with(Self.short + effect))
      player.press(57, at: 100)
      player.press(64, at: 777)
      player.lift(57, at: 1_234)
      player.play(2_400, block: block)
      return player.left.bits + player.right.bits
    }
    let whole = render(64)
    for block in [1, 7, 48, 480] {
      let isTheSame = isSame(render(block), whole)
      #expect(isTheSame, "blocks of \(block)")
    }
  }

  @Test("A panic ends the tails of chorus, delay and reverb", arguments: [swinging, echo, room])
  func panicTails(_ effect: [(String, Float)]) {
    let player = Player(.with(Self.short + effect))
    Self.struck(player)
    player.send(.panic)
    player.play(1_200)
    player.left = []
    player.play(9_600)
    #expect(player.left.peak < 1e-6)
  }
}
