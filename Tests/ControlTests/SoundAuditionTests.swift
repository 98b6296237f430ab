import EngineHarness
import Scenes
import Testing
@testable import Control

@Suite("An audition") struct SoundAuditionTests {
  @Test("plays all keys of the chord together")
  func chord() {
    let patch = Scene.with([("/osc/1/wave", 3), ("/amp/sustain", 1), ("/amp/attack", 0.3)])[0].patch
    let measure = SoundAudition(isLow: false).measure(patch)
    let keys = [48, 60, 64, 67]
    var scene = Scene.initial
    scene.master.level = -30
    scene[0].patch = patch
    let player = Player(scene, running: true)
    player.link.scene.service()
    for key in keys { player.press(key, velocity: 0.8) }
    player.play(96_000)
    for key in keys { player.release(key) }
    player.play(24_000)
    let loudness = LoudnessMeter.integrated(player.left, player.right) + 30
    // One of the four keys alone is 6 dB less.
    #expect(abs(measure.loudness - loudness) < 0.5, "\(measure.loudness) and \(loudness) LUFS")
  }

  @Test("hears what the wheel adds: the peak is that of the loudest stroke")
  func wheel() {
    let knobs: [(String, Float)] = [("/osc/1/wave", 3), ("/amp/sustain", 1), ("/amp/level", -12)]
    let wheel: [(String, Float)] = [("/mod/1/source", 14), ("/mod/1/target", 3), ("/mod/1/amount", 1)]
    let audition = SoundAudition(isLow: false)
    let (plain, louder) = (
      audition.measure(Scene.with(knobs)[0].patch), audition.measure(Scene.with(knobs + wheel)[0].patch)
    )
    #expect(louder.peak > plain.peak + 3, "\(louder.peak) and \(plain.peak) dBFS")
    #expect(abs(louder.loudness - plain.loudness) < 0.1, "the first stroke is played without the wheel")
  }
}
