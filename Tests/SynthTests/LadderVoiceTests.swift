import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The ladder in the voices of an instrument; `CharacterVoiceTests` has what all characters share.
@Suite("Ladder filter in voices") struct LadderVoiceTests {
  @Test("A voice's self-oscillating ladder is in tune to 1 cent and near full level within 10 ms")
  func voiceSelfOscillation() {
    let player = Player(
      Scene.with([
        ("/osc/1/level", 0), ("/osc/2/level", 0), ("/filter/character", 1), ("/filter/resonance", 1),
        ("/filter/cutoff", 440), ("/filter/track", 0), ("/amp/sustain", 1),
      ]))
    player.press(60)
    player.play(48_000)
    let cents = 1_200 * log2(FilterRingingTests.frequency(Array(player.left.suffix(32_768)), near: 440) / 440)
    let (first, last) = (Array(player.left.prefix(480)).peak, Array(player.left.suffix(4_800)).peak)
    print("ladder voice: \(cents) cents, begins at \(first) of \(last)")
    #expect(abs(cents) < 1 && first > 0.7 * last && last > 0.03)
  }
}
