import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Notes that follow a finger.
struct SlideTests {
  private func player() -> Player {
    var scene = Scene.initial
    scene[0].patch.oscillator1.wave = 0
    scene[0].patch.filter.track = 0
    return Player(scene)
  }

  private func peak(_ samples: some Sequence<Float>) -> Float { samples.map(abs).max() ?? 0 }

  @Test("A note that glides by an octave sounds an octave higher")
  func notePitch() {
    let player = player()
    player.press(57)
    player.send(.notePitch, note: 57, value: 12)
    player.play(24_000)
    // 440 Hz; Player.pitch counts zero crossings.
    #expect(abs(player.left.pitch(rate: 48_000) - 440) < 2)
  }

  @Test("A note whose gain is 0 from its start is silent from its first sample, and comes without a step")
  func noteGain() {
    let player = player()
    player.press(57)
    player.send(.noteGain, note: 57, value: 0)
    player.play(4_800)
    #expect(peak(player.left) == 0)
    player.send(.noteGain, at: 4_800, note: 57, value: 1)
    player.play(4_800)
    let loud = Array(player.left[7_200...])
    #expect(peak(loud) > 0.02)
    let steps = zip(player.left, player.left.dropFirst()).map { $1 - $0 }
    // The largest step is that of the sine itself at full level: 2π 220 / 48,000 of its peak.
    #expect(peak(steps) < 1.1 * 0.0288 * peak(loud))
  }

  @Test("Only the note that is meant follows, and senseless values harm nothing")
  func others() {
    let (one, other) = (player(), player())
    for player in [one, other] { player.press(57) }
    one.send(.notePitch, note: 58, value: 12)
    one.send(.noteGain, source: 1, note: 57, value: 0)
    one.send(.notePitch, note: 57, value: .nan)
    one.send(.noteGain, note: 200, value: 0)
    one.play(4_800)
    other.play(4_800)
    #expect(one.left == other.left)
    one.send(.notePitch, note: 57, value: 1e30)
    one.send(.noteGain, note: 57, value: -1e30)
    one.play(4_800)
    #expect(one.left.allSatisfy { $0.isFinite })
  }
}
