import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Which voice gives way, and how long one fades.
@Suite("Choice of the stolen voice, and fade times") struct VoiceChoiceTests {
  private static func scene(_ knobs: [(String, Float)] = []) -> Scene {
    var scene = Scene.with([("/amp/release", 10), ("/amp/attack", 0.001)] + knobs)
    scene[1] = scene[0]
    scene[0].strip.channel = 1
    scene[1].strip.channel = 2
    return scene
  }

  /// The key that would be stolen now.
  private static func victim(_ player: Player) -> (key: UInt8, source: UInt8)? {
    guard let voice = player.engine.victim() else { return nil }
    let note = player.engine.note(voice)
    return (note.key, note.source)
  }

  @Test("The voice of a mono part is stolen last, after even the bass of a polyphonic part") func monoPart() {
    var scene = Self.scene()
    scene[1].patch.play.mode = 1
    let player = Player(scene)
    player.press(40, target: 1)
    player.play(64)
    #expect(Self.victim(player)?.key == 40)
    player.press(60)
    player.play(64)
    #expect(Self.victim(player)?.key == 60)
    player.press(72)
    player.play(64)
    #expect(Self.victim(player)?.key == 72)
  }

  @Test("If two devices hold the same bass key, its newer voice is spared from stealing") func doubledBass() {
    let player = Player(Self.scene())
    player.press(40)
    player.press(40, source: 1)
    player.press(60)
    player.play(64)
    #expect(Self.victim(player).map { $0 == (40, 0) } == true)
  }

  @Test("A release tail is stolen before a note without length whose attack is still to come")
  func tailFirst() {
    let player = Player(Self.scene([("/amp/attack", 1)]))
    player.press(50)
    player.play(60_000)
    player.lift(50)
    player.press(60)
    player.lift(60)
    player.play(64)
    #expect(Self.victim(player)?.key == 50)
    // Of two tails the quieter.
    player.press(70)
    player.play(9_600)
    player.lift(70)
    player.play(64)
    #expect(Self.victim(player)?.key == 70)
  }

  @Test("All sound off fades a voice in 20 ms, a panic in 4 ms") func fadeTimes() {
    for (kind, frames) in [(Event.Kind.allSoundOff, 960), (.panic, 192)] {
      let player = Player(Self.scene())
      player.press(60)
      player.play(4_800)
      player.send(kind)
      player.play(frames - 64)
      #expect(player.voices == 0 && player.voiceNumbers.count == 1, "\(kind)")
      player.play(128)
      #expect(player.voiceNumbers.isEmpty, "\(kind)")
    }
  }

  @Test("A restrike moves the velocity to its new value in 15 ms along a smooth curve") func velocityRamp() {
    let player = Player(Self.scene())
    player.press(60, velocity: 1)
    player.play(4_800)
    player.press(60, velocity: 0.2)
    var values: [Float] = []
    for _ in 0..<50 {
      player.play(16)
      values.append(
        player.engine.source(.velocity, of: 0))
    }
    // The value is that of the end of the tick.
    for (tick, value) in values.enumerated() {
      let x = max(0, 1 - Float(tick + 1) * 16 / 720)
      #expect(abs(value - (0.2 + 0.8 * x * x * (3 - 2 * x))) < 0.02, "tick \(tick): \(value)")
    }
  }

  @Test(
    "A slur without a glide reaches its pitch in 15 ms and keeps the first velocity",
    arguments: [Event.Kind.legato, nil])
  func slurredKey(_ pedal: Event.Kind?) {
    let player = Player(Self.scene([("/osc/1/wave", 0), ("/play/mode", pedal == nil ? 2 : 0)]))
    if let pedal { player.send(pedal, value: 1) }
    player.press(60, velocity: 0.9)
    player.play(4_800)
    player.press(72, velocity: 0.1)
    var bias: [Float] = []
    for _ in 0..<50 {
      player.play(16)
      bias.append(player.engine.groups[0].block.state.pointee.stroke.bias[0])
    }
    for (tick, value) in bias.enumerated() {
      let x = max(0, 1 - Float(tick + 1) * 16 / 720)
      #expect(abs(value + x * x * (3 - 2 * x)) < 0.02, "tick \(tick): \(value)")
    }
    let velocity = player.engine.source(.velocity, of: 0)
    #expect(velocity == 0.9 && player.voices == 1)
  }

  @Test("One block that is far too slow sheds no voices; a second one does, or one a little slower")
  func heldUpBlock() {
    var budget = Budget()
    for _ in 0..<100 { budget.learn(share: 0.2, groups: 16, seconds: 0.0013) }
    #expect(budget.isWhole)
    budget.learn(share: 0.95, groups: 16, seconds: 0.0013)
    #expect(budget.isWhole)
    budget.learn(share: 0.95, groups: 16, seconds: 0.0013)
    #expect(!budget.isWhole)
    var slow = Budget()
    for _ in 0..<100 { slow.learn(share: 0.6, groups: 16, seconds: 0.0013) }
    let before = slow.groups
    slow.learn(share: 0.85, groups: 16, seconds: 0.0013)
    #expect(slow.groups < before, "\(before), \(slow.groups)")
  }
}
