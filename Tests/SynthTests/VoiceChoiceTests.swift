import EngineHarness
import Parameters
import Testing

@testable import Synth

/// Which voice gives way, and how long one fades.
@Suite struct VoiceChoiceTests {
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

  /// The bass goes before the one voice that plays all keys of a part, if there are no others.
  @Test func theOneVoiceOfAPartGoesLast() {
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

  /// Of one key that two hands hold as the bass, the newer voice is spared.
  @Test func ofTwoBassesTheNewerIsSpared() {
    let player = Player(Self.scene())
    player.press(40)
    player.press(40, source: 1)
    player.press(60)
    player.play(64)
    #expect(Self.victim(player).map { $0 == (40, 0) } == true)
  }

  /// A note that was let go as soon as it was struck has its attack before it: any tail goes sooner, however loud.
  @Test func aTailGoesBeforeANoteThatHasNotSounded() {
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

  /// All sound off takes 20 ms, a panic and a stolen voice 4.
  @Test func howLongAVoiceFades() {
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

  /// What goes on from a restrike to the next value takes 15 ms, without a corner.
  @Test func aVelocityGoesOnInFifteenMilliseconds() {
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

  /// A key that is slurred to without a glide is there in 15 ms.
  @Test(arguments: [Event.Kind.legato, nil]) func aSlurGoesOnAndIsNotStruck(_ pedal: Event.Kind?) {
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

  /// One block that took many times as long lets no voice go; a second one does, and one that took a little longer.
  @Test func oneBlockThatIsHeldUpIsNoSignOfASlowMachine() {
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
