import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// A reset leaves nothing of what was played, and a part that is given other channels nothing of those it had.
@Suite("Reset, channel changes and meters of the engine") struct EngineResetTests {
  /// Two parts on outputs of their own, with all that the engine remembers from note to note: glides, the tempo, numbers
  /// left to chance.
  private static var scene: Scene {
    var scene = Scene.with([
      ("/play/glide", 0.1), ("/lfo/1/sync", 12), ("/lfo/1/mode", 2), ("/lfo/1/pitch", 100),
      ("/osc/1/random", 1),
      ("/osc/1/drift", 20), ("/amp/level", 12), ("/level", 6), ("/noise/level", 0.2), ("/tempo", 120),
    ])
    scene[1] = scene[0]
    scene[1].strip.channel = 2
    scene[0].strip.channel = 1
    return scene
  }

  @Test("After a reset the engine plays a phrase with the same bits as when it was new")
  func phraseAfterReset() throws {
    func phrase(_ player: OutputsPlayer) -> [UInt32] {
      (player.left, player.right, player.further) = ([], [], [([], [])])
      for (index, note) in [50, 57, 62].enumerated() {
        player.press(note, at: 3 + 500 * index)
        player.press(note, at: 3 + 500 * index, target: 1)
      }
      player.play(2_000)
      return player.left.bits + player.right.bits + player.further[0].left.bits
    }
    let player = OutputsPlayer(Self.scene, outputs: try #require(PartOutputs("1-2,3-4")))
    let first = phrase(player)
    // Everything moves, and so loud that both limiters work.
    player.send(.sustain, value: 1)
    player.send(.balance, value: 0.8)
    player.send(.legato, value: 1)
    player.send(.bend, target: 1, value: -1)
    for note in 0..<Limits.voices + 8 {
      player.press(note % 128, source: note / 128)
      player.press(note % 128, target: 1)
    }
    var other = Self.scene
    other.master.tempo = 77
    other.master.level = 6
    player.link.scene.publish(other)
    player.play(3_000)
    #expect(player.link.meters[.stolen] > 0)
    for _ in 0..<20 { player.engine.reportLoad(share: 3) }
    #expect(player.link.meters[.limit] < UInt64(Limits.voices))
    player.link.scene.publish(Self.scene)
    player.play(1_000)
    player.engine.reset()
    #expect(player.engine.frame == 0)
    #expect(isSame(phrase(player), first))
    #expect(player.link.meters[.stolen] == 0)
    player.engine.reportLoad(share: 0.01)
    #expect(player.link.meters[.limit] == UInt64(Limits.voices))
  }

  @Test("Balance and expression on a channel stop acting on a part that no longer hears the channel")
  func leftChannel() {
    var scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0)])
    let player = Player(scene)
    player.press(81)
    player.play(4_800)
    let (left, right) = (Array(player.left.suffix(960)).peak, Array(player.right.suffix(960)).peak)
    player.send(.balance, source: 1, target: 4, value: 1)
    player.send(.expression, source: 1, target: 4, value: 0.5)
    player.play(9_600)
    #expect(Array(player.left.suffix(960)).peak < 1e-5)
    #expect((Array(player.right.suffix(960)).peak / right - 0.25).magnitude < 0.01)
    scene[0].strip.channel = 1
    player.link.scene.publish(scene)
    player.play(9_600)
    #expect((Array(player.left.suffix(960)).peak / left - 1).magnitude < 0.01)
    #expect((Array(player.right.suffix(960)).peak / right - 1).magnitude < 0.01)
    // And so where a route takes the channel away, and gives it back.
    scene[0].strip.channel = 0
    player.link.scene.publish(scene)
    player.play(9_600)
    player.send(.route, source: 1, target: 4, value: 2)
    player.play(9_600)
    #expect((Array(player.left.suffix(960)).peak / left - 1).magnitude < 0.01)
    player.send(.route, source: 1, target: 4, value: -1)
    player.play(9_600)
    #expect(Array(player.left.suffix(960)).peak < 1e-5)
    // A panic brings both to rest, and a device that goes takes its switches along.
    player.send(.panic)
    player.play(9_600)
    player.press(81)
    player.play(9_600)
    #expect((Array(player.left.suffix(960)).peak / left - 1).magnitude < 0.01)
    player.send(.legato, source: 1, value: 1)
    player.press(83)
    player.play(960)
    #expect(player.voices == 1)
    player.send(.sourceGone, source: 1)
    player.press(85)
    player.play(960)
    #expect(player.voices == 2)
  }

  @Test("The meters count frames, blocks and sounds, and the most voices even within a block")
  func meterCounts() {
    let player = Player(.with([("/amp/release", 0.005)]))
    player.play(1_000, block: 100)
    #expect(player.link.meters[.frames] == 1_000 && player.link.meters[.blocks] == 10)
    for note in [60, 64, 67] { player.press(note) }
    player.send(.allSoundOff, at: 1_032)
    player.play(64)
    // Those that have come and gone within a block too.
    #expect(player.link.meters[.voices] == 0 && player.link.meters[.mostVoices] == 3)
    #expect(player.link.meters[.sounds] == 1)
  }

  @Test(
    "Key 69 sounds within 0.02 Hz of a concert pitch of 415, 440 or 466 Hz",
    arguments: [415, 440, 466] as [Float])
  func concertPitch(_ hertz: Float) {
    let player = Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/master/tune", hertz)]))
    player.press(69)
    player.play(14_400)
    #expect(abs(Array(player.left[4_800...]).pitch(rate: 48_000) - Double(hertz)) < 0.02)
  }
}
