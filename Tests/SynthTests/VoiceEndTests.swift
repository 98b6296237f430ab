import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// A voice ends where its amplifier has come to nothing for good, held or not.
@Suite("End of decayed voices") struct VoiceEndTests {
  private static func pluck(_ knobs: [(String, Float)] = []) -> Scene {
    .with([("/amp/decay", 0.1), ("/amp/sustain", 0), ("/amp/release", 0.1)] + knobs)
  }

  @Test(
    "A held voice ends when its envelope has decayed to nothing, at any curve and speed",
    arguments: [-1, -0.5, 0, 1] as [Float])
  func decayedVoice(curve: Float) {
    let speeds: [[(String, Float)]] = [
      [], [("/amp/speed", 1)], [("/amp/speed", -1)], ModulationTests.slot(1, .wheel, .ampSpeed, 0.5),
    ]
    for speed in speeds {
      let player = Player(Self.pluck(speed + [("/amp/curve", curve)]))
      player.press(60)
      player.play(960)
      #expect(player.voices == 1)
      player.play(3 * 48_000)
      #expect(player.voices == 0 && player.groups == 0 && player.sounds == 0, "\(speed)")
      player.lift(60)
      player.play(64)
      player.press(60)
      player.play(64)
      #expect(player.voices == 1 && player.heldKeys == [60])
    }
  }

  /// Let go after so many decay times that a Float has hardly anything left, and from its sustain.
  @Test("A released voice ends at an envelope speed of 0.5, from full sustain and from silence")
  func releasedVoice() {
    // A route onto the sustain, which brings nothing: while it is held the voice waits for more.
    for knobs in [[("/amp/sustain", 1)], ModulationTests.slot(1, .wheel, .ampSustain, 0.5)] {
      let player = Player(Self.pluck(knobs + [("/amp/speed", 0.5)]))
      player.press(60)
      player.play(3 * 48_000)
      #expect(player.voices == 1)
      player.lift(60)
      player.play(9_600)
      #expect(player.voices == 0 && player.sounds == 0)
    }
  }

  @Test("A held voice goes on while a loop, a wheel or a slow attack can raise its level again")
  func risingVoice() {
    let loop = Player(Self.pluck([("/amp/loop", 1), ("/amp/speed", 1)]))
    loop.press(60)
    loop.play(3 * 48_000)
    #expect(loop.voices == 1 && Array(loop.left.suffix(24_000)).peak > 0.01)

    let wheel = Player(Self.pluck(ModulationTests.slot(1, .wheel, .ampSustain, 1)))
    wheel.press(60)
    wheel.play(3 * 48_000)
    #expect(wheel.voices == 1 && Array(wheel.left.suffix(4_800)).peak < 1e-6)
    wheel.send(.wheel, value: 1)
    wheel.play(48_000)
    #expect(Array(wheel.left.suffix(4_800)).peak > 0.01)

    // An attack that begins so slowly that its first steps are below what ends a fall.
    let slow = Player(Self.pluck([("/amp/attack", 10), ("/amp/curve", -1), ("/amp/speed", -4)]))
    slow.press(60, velocity: 1)
    slow.play(48_000)
    #expect(slow.voices == 1 && slow.lanes.pointee.envelope.to[0] > 0)
  }

  // MARK: - What its key does then

  /// The next key of one voice that has died away under held keys: a stroke sounds, a slur does not, as it would not if
  /// the voice were still there; and a key that comes up brings nothing back.
  @Test(
    "A mono voice that has decayed sounds again for a stroke, not for a slur or a released key",
    arguments: [Float(1), 2])
  func monoStroke(mode: Float) {
    for priority in [Float(0), 1, 2] {
      let player = Player(Self.pluck([("/play/mode", mode), ("/play/priority", priority)]))
      for key in [64, 62, 66] { player.press(key) }
      player.play(2 * 48_000)
      #expect(player.voiceNumbers.isEmpty)
      // Back to another of those that are held.
      let sounding = [66, 62, 66][Int(priority)]
      player.lift(sounding)
      player.play(4_800)
      #expect(player.voiceNumbers.isEmpty)
      // A key that does not sound by its priority strikes nothing.
      player.press(63)
      let strikes = mode == 1 && priority != 2
      #expect(player.held() == (strikes ? [63] : []))
      player.play(48_000)
      for key in [62, 63, 64, 66] { player.lift(key) }
      player.play(4_800)
      player.press(60)
      #expect(player.held() == [60])
    }
  }

  @Test("Without envelope retrigger, a tied stroke of a decayed mono voice is silent") func tiedStroke() {
    let player = Player(Self.pluck([("/play/mode", 1), ("/amp/retrigger", 0)]))
    player.press(60)
    player.play(48_000)
    player.press(64)
    #expect(player.held() == [])
    player.lift(60)
    player.lift(64)
    player.press(64)
    #expect(player.held() == [64])
  }

  /// A recall brings another sound, which the keys that are held have not died away in.
  @Test("After a recall, a released key gives way to the held key although the old voice had decayed")
  func recallAfterDecay() {
    var scene = Self.pluck([("/play/mode", 2)])
    let player = Player(scene)
    for key in [60, 64] { player.press(key) }
    player.play(48_000)
    #expect(player.voiceNumbers.isEmpty)
    scene[0].generation += 1
    player.link.scene.publish(scene)
    player.lift(64)
    #expect(player.held() == [60])
  }

  @Test("A note off resets the pressure of an MPE channel whose voice has ended, but not its bend")
  func mpePressure() {
    let player = Player(Self.pluck())
    player.send(.mpeZone, note: 15)
    player.press(60, target: 1)
    player.send(.bend, target: 1, value: 1)
    player.send(.pressure, target: 1, value: 1)
    player.play(48_000)
    #expect(player.voiceNumbers.isEmpty)
    player.lift(60, target: 1)
    player.press(60, target: 1)
    player.play(4_800)
    #expect(player.lanes.pointee.notePitch.value[0] == 4)
    #expect(player.engine.controllers.channel(0, 1).pointee.pressure == 0)
  }
}
