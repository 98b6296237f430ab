import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The effects that a scene brings with it: for which rate they are made, what they cost, what moves their mixes.
@Suite("Prepared effects") struct PreparedEffectTests {
  @Test("A new sample rate makes new effects once, and the engine keeps them") func sampleRateChange() {
    let managed = ManagedScene(.with([("/reverb/on", 1), ("/reverb/mix", 0.5)]))
    let audio = managed.audioSide
    func users() -> UInt { audio.take().part(0).pointee.effects.users }
    let first = users()
    managed.service()
    #expect(first != 0 && users() == first)
    audio.setRate(96_000)
    managed.service()
    let second = users()
    #expect(second != 0 && second != first)
    managed.service()
    #expect(users() == second)
  }

  /// In quarters of a group of voices: what the budget of the machine counts.
  @Test("Each effect that is on adds its own cost to the work of the rack") func effectCosts() {
    func cost(_ knobs: EffectKnobs) -> Int {
      let prepared = PreparedEffects(rate: 48_000)
      prepared.prepare(knobs)
      let (wet, tick) = (RackBuffers(), RackBuffers())
      defer {
        wet.deallocate()
        tick.deallocate()
      }
      var rack = Rack()
      rack.begin(prepared.effects)
      withUnsafePointer(to: knobs) {
        let way = EffectAim($0, to: $0, tempo: 2, share: 1, isSettled: true)
        rack.process(tick.left, tick.right, wet, way, frames: 16, ahead: 16)
      }
      let work = rack.work
      rack.release()
      rack.deallocate()
      #expect(!prepared.isUsed)
      return work
    }
    func knobs(_ effects: [RackEffect]) -> EffectKnobs {
      Scene.with(effects.flatMap { $0.mixed(0.5) })[0].patch.effects
    }
    var sum = 0
    for effect in RackEffect.all {
      let made = Effect(effect.index, rate: 48_000)
      defer { made.deallocate() }
      #expect(made.work > 0 && cost(knobs([effect])) == made.work, "\(effect)")
      sum += made.work
    }
    #expect(cost(knobs(RackEffect.all)) == sum && cost(knobs([])) == 0)
  }

  @Test(
    "A macro that is routed to the drive mix at 0.5 sounds as the mix knob at 0.5",
    arguments: [
      (ModulationSource.macro1, "/macro/1"), (.macro2, "/macro/2"), (.macro3, "/macro/3"),
      (.macro4, "/macro/4"),
    ])
  func macroMix(_ source: ModulationSource, _ address: String) {
    func play(_ knobs: [(String, Float)]) -> [Float] {
      ModulationTests.play([("/drive/on", 1), ("/drive/gain", 24)] + knobs, frames: 2_400).left
    }
    let slot = ModulationTests.slot(1, source, .driveMix, 1)
    let moved = play(slot + [("/drive/mix", 0), (address, 0.5)])
    let knob = play([("/drive/mix", 0.5)])
    #expect(zip(moved, knob).allSatisfy { abs($0 - $1) < 1e-5 })
    #expect(zip(moved, play([("/drive/mix", 0)])).contains { abs($0 - $1) > 0.01 })
  }

  @Test(
    "At a mix of 0.5, added effects keep dry and wet in full; replacing effects have half of each",
    arguments: [(0, 1, 0), (0.25, 1, 0.5), (0.5, 1, 1), (0.75, 0.5, 1), (1, 0, 1)] as [(Float, Float, Float)])
  func mixLevels(_ level: (mix: Float, dry: Float, wet: Float)) {
    var knobs = EffectKnobs()
    (knobs.drive.on, knobs.equalizer.on, knobs.equalizer.mix) = (1, 1, level.mix)
    (knobs.chorus.on, knobs.chorus.mix, knobs.delay.on, knobs.delay.mix) = (1, level.mix, 1, level.mix)
    (knobs.reverb.on, knobs.reverb.mix) = (1, level.mix)
    (knobs.rotary.on, knobs.rotary.mix) = (1, level.mix)
    let added = SIMD2(level.dry, level.wet)
    #expect(knobs.chorus.levels == added && knobs.delay.levels == added)
    #expect(knobs.reverb.levels == added)
    let replaced = SIMD2(1 - level.mix, level.mix)
    #expect(knobs.equalizer.levels == replaced && knobs.rotary.levels == replaced)
    #expect(knobs.drive.levels == SIMD2(0, 1))
    let off = EffectKnobs()
    #expect(off.chorus.levels == SIMD2(1, 0) && off.drive.levels == SIMD2(1, 0))
  }

  private static let ringing: [(String, Float)] = [
    ("/amp/release", 0.02), ("/amp/velocity", 1), ("/drive/on", 1), ("/eq/on", 1), ("/chorus/on", 1),
    ("/delay/on", 1),
    ("/delay/mix", 0.5), ("/delay/time", 0.1), ("/delay/feedback", 0.9), ("/reverb/on", 1),
    ("/reverb/mix", 0.5), ("/reverb/decay", 10),
  ]

  @Test(
    "An engine reset or a fault ends all effect tails, and the effects sound again afterwards",
    arguments: [true, false])
  func resetAndFault(_ isReset: Bool) {
    let player = Player(.with(Self.ringing))
    player.press(57)
    player.play(4_800)
    player.lift(57)
    player.play(9_600)
    player.left = []
    player.play(960)
    #expect(player.left.peak > 0.01)
    if isReset { player.engine.reset() } else { player.engine.silence() }
    // What is in the limiter comes out yet.
    player.play(64)
    (player.left, player.right) = ([], [])
    player.play(48_000)
    #expect(player.left.peak < 1e-6 && player.right.peak < 1e-6)
    // The softest note wakes none of it.
    player.press(57, velocity: 0.02)
    player.play(14_400)
    player.lift(57)
    player.play(4_800)
    #expect(player.left.peak < 0.003 && player.right.peak < 0.003, "\(player.left.peak)")
    player.left = []
    player.press(57)
    player.play(4_800)
    player.lift(57)
    player.play(9_600)
    #expect(Array(player.left.suffix(960)).peak > 0.01)
  }
}
