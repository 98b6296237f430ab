import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What a device says of all that it plays: heard as pitch and level.
@Suite("MIDI tuning and master messages") struct SourceTuningTests {
  private static func player() -> Player {
    Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/release", 0.005)]))
  }

  /// Semitones from A 440, and decibels, from now on.
  private func heard(_ player: Player) -> (pitch: Double, level: Double) {
    player.play(7_200)
    player.left = []
    player.play(4_800)
    let pitch = 12 * Glibc.log2(player.left.pitch(rate: 48_000) / 440)
    return (pitch, 20 * log10(Double(player.left.peak)))
  }

  /// A key alone, and when it has been let go.
  private func pitch(_ player: Player, _ key: Int, source: Int = 0, target: UInt8 = 0) -> Double {
    player.press(key, source: source, target: target)
    let pitch = heard(player).pitch
    player.lift(key, source: source, target: target)
    player.play(4_800)
    return pitch
  }

  @Test("A key tuning moves the sounding and later notes of its device until the device is gone")
  func aKeyIsTunedWhereItSoundsAndTheNextTime() {
    let player = Self.player()
    player.press(69)
    player.send(.keyTuning, note: 69, value: 0.31)
    player.send(.keyTuning, note: 70, value: -0.5)
    #expect(abs(heard(player).pitch - 0.31) < 0.005)
    player.lift(69)
    player.play(4_800)
    #expect(abs(pitch(player, 70) - 0.5) < 0.005)
    #expect(abs(pitch(player, 69, target: 7) - 0.31) < 0.005)
    // Other keys and another device are as they were.
    #expect(abs(pitch(player, 71) - 2) < 0.005)
    #expect(abs(pitch(player, 69, source: 1)) < 0.005)
    player.send(.resetControllers)
    #expect(abs(pitch(player, 69) - 0.31) < 0.005)
    player.send(.sourceGone)
    #expect(abs(pitch(player, 69)) < 0.005)
  }

  @Test("A scale tuning tunes one tone in all octaves of its channel, and the last message counts")
  func aToneIsTunedInAllOctavesOfItsChannel() {
    let player = Self.player()
    player.send(.scaleTuning, target: 2, note: 9, value: -0.25)
    player.press(69, target: 2)
    #expect(abs(heard(player).pitch + 0.25) < 0.005)
    player.send(.scaleTuning, target: 2, note: 9, value: 0.25)
    #expect(abs(heard(player).pitch - 0.25) < 0.005)
    player.lift(69, target: 2)
    player.play(4_800)
    #expect(abs(pitch(player, 57, target: 2) + 11.75) < 0.005)
    #expect(abs(pitch(player, 69, target: 3)) < 0.005)
    // What was set last counts.
    player.send(.keyTuning, note: 69, value: 0)
    #expect(abs(pitch(player, 69, target: 2)) < 0.005)
    #expect(abs(pitch(player, 81, target: 2) - 12.25) < 0.005)
  }

  @Test("Master tuning moves all notes of its device; master volume also those of other devices")
  func theMastersAreOfAllThatADevicePlays() {
    let player = Self.player()
    player.press(69, target: 5)
    let full = heard(player).level
    player.send(.masterTuning, value: 3.5)
    player.send(.masterVolume, value: 0.5)
    let changed = heard(player)
    #expect(abs(changed.pitch - 3.5) < 0.005 && abs(changed.level - full + 12.04) < 0.05)
    player.lift(69, target: 5)
    player.play(4_800)
    // A slider that sends it is a device of its own: it makes the others softer too, but tunes none.
    player.press(69, source: 1)
    let other = heard(player)
    #expect(abs(other.pitch) < 0.005 && abs(other.level - full + 12.04) < 0.05)
    player.send(.sourceGone)
    #expect(abs(heard(player).level - full) < 0.05)
  }

  @Test("A GM reset clears pedal, tuning and bend of its device and sets volume to 100 of 127")
  func aDeviceIsSetUpAnew() {
    let player = Self.player()
    player.press(69)
    let full = heard(player).level
    player.send(.sustain, value: 1)
    player.send(.tuning, value: 2)
    player.send(.masterTuning, value: 2)
    player.send(.keyTuning, note: 69, value: 2)
    player.send(.bendRange, value: 12)
    player.send(.bend, value: 1)
    player.send(.volume, value: 0)
    player.press(69, source: 1)
    player.send(.setUp, value: 100.0 / 127)
    player.play(4_800)
    // The other device's plays on.
    #expect(player.voices == 1)
    player.lift(69, source: 1)
    player.play(4_800)
    player.press(69)
    let heard = heard(player)
    #expect(abs(heard.pitch) < 0.005 && abs(heard.level - full - 40 * log10(100.0 / 127)) < 0.05)
    player.send(.bend, value: 1)
    #expect(abs(self.heard(player).pitch - 2) < 0.005)
  }

  @Test("Out-of-range values, channels and sources give finite output and no fault") func invalidNumbers() {
    let player = Self.player()
    player.press(69)
    for kind in [
      Event.Kind.keyTuning, .scaleTuning, .masterTuning, .masterVolume, .masterBalance, .setUp, .tuning,
      .bendRange,
    ] {
      for value in [Float.nan, .infinity, 1e30, -1e30] {
        for target in [0, 15, 16, 23, 255] as [UInt8] {
          for source in [0, 15, 16, 31, 255] {
            player.send(kind, source: source, target: target, note: 127, value: value)
          }
        }
      }
      player.play(640)
    }
    #expect((player.left + player.right).allSatisfy { $0.isFinite } && player.link.meters[.faults] == 0)
  }
}
