import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What a player's device sets by parameter numbers: heard as pitch.
@Suite("Bend range and tuning by parameter numbers") struct BendRangeTests {
  private static func player(_ knobs: [(String, Float)] = []) -> Player {
    Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000)] + knobs))
  }

  /// Semitones from A 440 that sound from now on.
  private func heard(_ player: Player) -> Double {
    player.play(7_200)
    player.left = []
    player.play(4_800)
    return 12 * Glibc.log2(player.left.pitch(rate: 48_000) / 440)
  }

  @Test("A bend range of 12 semitones applies at once to a held note and to the next note")
  func aRangeSoundsAtOnceOnAHeldNoteAndTheNext() {
    let player = Self.player()
    player.press(69)
    player.send(.bend, value: 1)
    #expect(abs(heard(player) - 2) < 0.01)
    player.send(.bendRange, value: 12)
    #expect(abs(heard(player) - 12) < 0.01)
    player.send(.bend, value: -0.5)
    #expect(abs(heard(player) + 6) < 0.01)
    player.lift(69)
    player.send(.allSoundOff)
    player.play(2_400)
    player.press(69)
    #expect(abs(heard(player) + 6) < 0.01)
    player.send(.bendRange, value: -1)
    #expect(abs(heard(player) + 1) < 0.01)
  }

  @Test("A bend range set by a device survives recalls and controller resets until the device is gone")
  func itIsTheDevicesAndNotThePatchs() {
    var scene = Scene.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/play/bend", 5)])
    let player = Player(scene)
    player.send(.bendRange, value: 12)
    player.send(.bend, value: 1)
    scene[0].generation += 1
    player.link.scene.publish(scene)
    player.press(69)
    #expect(abs(heard(player) - 12) < 0.01)
    // Another keyboard has the patch's, and so has the pad of a tablet.
    player.send(.allSoundOff)
    player.send(.bend, source: 1, value: 1)
    player.press(69, source: 1)
    #expect(abs(heard(player) - 5) < 0.01)
    player.send(.sourceGone, source: 1)
    player.play(24_000)
    player.send(.resetControllers)
    player.send(.bend, value: 1)
    player.press(69)
    #expect(abs(heard(player) - 12) < 0.01)
    player.send(.bend, source: 16, target: Event.part(0), value: 1)
    #expect(abs(heard(player) - 17) < 0.01)
    player.send(.sourceGone)
    player.send(.bend, value: 1)
    player.send(.bend, source: 16, target: Event.part(0), value: 0)
    player.play(24_000)
    player.press(69)
    #expect(abs(heard(player) - 5) < 0.01)
  }

  @Test("Tuning by -12.5 semitones applies to one channel and survives a controller reset")
  func aChannelIsTunedFromItsKeys() {
    let player = Self.player()
    player.press(69)
    player.send(.tuning, value: -12.5)
    #expect(abs(heard(player) + 12.5) < 0.01)
    player.send(.resetControllers)
    #expect(abs(heard(player) + 12.5) < 0.01)
    player.send(.tuning, target: 1, value: 7)
    #expect(abs(heard(player) + 12.5) < 0.01)
    player.send(.tuning, value: 0)
    #expect(abs(heard(player)) < 0.01)
  }
}
