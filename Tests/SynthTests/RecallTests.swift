import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("Preset recall") struct RecallTests {
  private static func other(_ index: Int) -> Patch {
    var patch = Patch.initial
    patch.oscillator1.wave = Float(index % 5)
    patch.filter.cutoff = [200, 15_000, 900][index % 3]
    patch.amplifier.level = [-20, 6, 0][index % 3]
    patch.amplifier.envelope.release = 0.01
    return patch
  }

  @Test("A held chord keeps its sound to the bit through 30 recalls") func heldChord() {
    func render(recalls: Bool) -> [UInt32] {
      var scene = Scene.with([("/osc/2/level", 0.5), ("/osc/2/fine", 7), ("/lfo/1/cutoff", 1)])
      let player = Player(scene)
      for note in [40, 47, 52, 56, 59, 64, 68, 71] { player.press(note) }
      player.play(100)
      for index in 0..<30 {
        if recalls {
          scene[0].patch = Self.other(index)
          scene[0].generation += 1
          player.link.scene.publish(scene)
        }
        player.play(100)
      }
      return player.left.bits
    }
    #expect(isSame(render(recalls: true), render(recalls: false)))
  }

  @Test("After a recall the held note ends on release and the next note has the new sound") func nextNote() {
    var scene = Scene.with([("/osc/1/wave", 0), ("/amp/release", 0.01)])
    let player = Player(scene)
    player.press(69)
    player.play(2_000)
    scene[0].patch.oscillator1.octave = 1
    scene[0].generation += 1
    player.link.scene.publish(scene)
    player.lift(69)
    player.play(3_000)
    #expect(player.voices == 0)
    player.left = []
    player.press(69)
    player.play(4_800)
    #expect(abs(Array(player.left[1_200...]).pitch(rate: 48_000) - 880) < 0.5)
  }

  @Test("A held note follows an edit of the cutoff without a step") func cutoffEdit() {
    var scene = Scene.with([("/osc/1/wave", 2), ("/filter/cutoff", 20_000)])
    let player = Player(scene)
    player.press(45)
    player.play(2_400)
    let before = Array(player.left.suffix(1_200))
    scene[0].patch.filter.cutoff = 100
    player.link.scene.publish(scene)
    player.left = []
    player.play(4_800)
    #expect(player.left.largestStep <= before.largestStep * 1.05)
    #expect(Array(player.left.suffix(1_200)).peak < before.peak * 0.7)
  }

  @Test("A waveform change under a held note is a crossfade without a click") func waveformChange() {
    var scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 3_000)])
    let player = Player(scene)
    player.press(45)
    player.play(2_400)
    for wave in [Waveform.triangle, .saw, .sine] {
      let before = Array(player.left.suffix(1_200)).largestStep
      scene[0].patch.oscillator1.wave = wave.choice
      player.link.scene.publish(scene)
      player.left = []
      player.play(3_600)
      let after = Array(player.left.suffix(1_200)).largestStep
      #expect(player.left.largestStep <= max(before, after) * 1.3)
    }
  }
}
