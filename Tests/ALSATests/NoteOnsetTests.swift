import EngineHarness
import Parameters
import Scenes
import Scratch
import Testing
@testable import ALSA

/// What `pipit latency` finds in what comes back by a cable.
@Suite("Note onsets") struct NoteOnsetTests {
  /// The note that is played, from its first frame.
  private static let sound: [Float] = {
    let player = Player(.with([("/amp/attack", 0), ("/filter/cutoff", 16_000)]))
    player.press(69, velocity: 1)
    player.play(960)
    return player.left
  }()

  @Test(
    "The onset of a note is found at its exact frame at any level and polarity",
    arguments: [Float(1), 0.1, -0.3, 0.01])
  func anyLevel(gain: Float) throws {
    let onset = NoteOnset(of: Self.sound)
    for delay in [0, 1, 240, 5_000] {
      let heard = [Float](repeating: 0, count: delay) + Self.sound.map { $0 * gain }
      #expect(onset.frame(in: heard[...], noise: 0) == delay)
    }
  }

  @Test("The onset of a note is found within 10 frames in cable noise, and none in noise alone")
  func cableNoise() throws {
    let onset = NoteOnset(of: Self.sound)
    var random = SeededRandom(1)
    let noise = (0..<10_000).map { _ in Float.random(in: -0.004...0.004, using: &random) }
    var heard = noise
    for (frame, sample) in Self.sound.enumerated() { heard[3_000 + frame] += sample * 0.2 }
    let found = try #require(onset.frame(in: heard[...], noise: 0.004))
    // 48 kHz: within a fifth of a millisecond.
    #expect(abs(found - 3_000) <= 10)
    #expect(onset.frame(in: noise[...], noise: 0.004) == nil)
    #expect(onset.frame(in: noise.map { $0 * 0.1 }[...], noise: 0) == nil)
  }
}
