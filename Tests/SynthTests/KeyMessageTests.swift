import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Tunings and messages about single keys: heard as pitch, and gone with whoever sent them.
@Suite("Tunings and messages for single keys") struct KeyMessageTests {
  private static func player(_ knobs: [(String, Float)] = []) -> Player {
    Player(.with([("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/release", 0.005)] + knobs))
  }

  /// The pitch from now on, in keys.
  private func heard(_ player: Player) -> Double {
    player.play(4_800)
    player.left = []
    player.play(4_800)
    return 69 + 12 * Glibc.log2(player.left.pitch(rate: 48_000) / 440)
  }

  /// A key alone, and when it has been let go.
  private func heard(_ player: Player, _ key: Int) -> Double {
    player.press(key)
    let heard = heard(player)
    player.lift(key)
    player.play(4_800)
    return heard
  }

  @Test("A pitch message for a key moves that key alone, and ends when its source is gone")
  func goneSource() {
    let player = Self.player()
    player.send(.keyPitch, note: 60, value: 3)
    #expect(abs(heard(player, 60) - 63) < 0.01 && abs(heard(player, 61) - 61) < 0.01)
    player.send(.sourceGone)
    #expect(abs(heard(player, 60) - 60) < 0.01)
  }

  @Test(
    "Volume or expression of 0.5 for one key scales that key alone to a quarter",
    arguments: [Event.Kind.keyVolume, .keyExpression])
  func keyLevel(_ kind: Event.Kind) {
    func peak(_ key: Int, _ value: Float) -> Float {
      let player = Self.player()
      player.send(kind, note: 81, value: value)
      player.press(key)
      player.play(4_800)
      return player.left.peak
    }
    #expect(abs(peak(81, 0.5) / peak(81, 1) - 0.25) < 0.001)
    #expect(peak(82, 0.5) == peak(82, 1) && peak(81, 0) == 0)
  }

  /// The peaks of both sides from now on.
  private static func peaks(_ player: Player) -> (left: Float, right: Float) {
    player.play(4_800)
    (player.left, player.right) = ([], [])
    player.play(4_800)
    return (player.left.peak, player.right.peak)
  }

  @Test("A pan message for one key moves that key alone, and hard left or right is 3 dB louder")
  func ownPan() {
    let player = Self.player()
    player.press(60)
    let middle = Self.peaks(player).left
    player.lift(60)
    player.play(4_800)
    for (value, left, right) in [(-1, 1.414, 0), (0, 1, 1), (1, 0, 1.414)] as [(Float, Float, Float)] {
      player.send(.keyPan, note: 60, value: value)
      for key in [60, 61] {
        player.press(key)
        let (peaks, isOwn) = (Self.peaks(player), key == 60)
        #expect(abs(peaks.left / middle - (isOwn ? left : 1)) < 0.01)
        #expect(abs(peaks.right / middle - (isOwn ? right : 1)) < 0.01)
        player.lift(key)
        player.play(4_800)
      }
    }
  }

  @Test("A pan message for a sounding key moves its voice to that side, and back to the middle")
  func soundingPan() {
    let player = Self.player()
    player.press(60)
    let middle = Self.peaks(player)
    player.send(.keyPan, note: 60, value: 1)
    let moved = Self.peaks(player)
    #expect(middle.left == middle.right && moved.left < 0.001)
    #expect(abs(moved.right / middle.right - 1.414) < 0.01)
    player.send(.keyPan, note: 60, value: 0)
    #expect(abs(Self.peaks(player).left / middle.left - 1) < 0.01)
  }

  @Test(
    "Key management 1 resets a key, 2 detaches its sounding note, and 3 detaches, then resets",
    arguments: [(1, 60, 60), (2, 63, 63), (3, 63, 60)] as [(Float, Double, Double)])
  func managedKey(_ message: (value: Float, sounding: Double, next: Double)) {
    let player = Self.player()
    player.send(.keyPitch, note: 60, value: 3)
    player.press(60)
    #expect(abs(heard(player) - 63) < 0.01)
    player.send(.keyManagement, note: 60, value: message.value)
    #expect(abs(heard(player) - message.sounding) < 0.01)
    player.lift(60)
    player.play(4_800)
    #expect(abs(heard(player, 60) - message.next) < 0.01)
  }

  @Test("The pitch of a single stroke lasts until a key pitch message, and not to the next stroke")
  func singleStroke() {
    let player = Self.player()
    player.send(.strokePitch, note: 60, value: 5)
    player.press(60)
    #expect(abs(heard(player) - 65) < 0.01)
    player.send(.keyPitch, note: 60, value: -2)
    #expect(abs(heard(player) - 58) < 0.01)
    player.send(.keyPitch, note: 60, value: 0)
    player.lift(60)
    player.play(4_800)
    #expect(abs(heard(player, 60) - 60) < 0.01)
  }

  /// A key of a finger that is struck again has another voice, since its pitch may be another.
  @Test("A key that is struck again gets a new voice once its source has sent a key pitch")
  func restruckKey() {
    for isMoved in [false, true] {
      let player = Self.player([("/amp/release", 1)])
      if isMoved { player.send(.keyPitch, note: 72, value: 1) }
      player.press(60)
      player.play(4_800)
      player.press(60)
      player.play(64)
      #expect(player.voiceNumbers.count == (isMoved ? 2 : 1))
    }
  }

  @Test(
    "Master, key and scale tuning reach 12 semitones down and up, the scale in all octaves",
    arguments: [-12, -2, 12] as [Float])
  func tuningRange(_ semitones: Float) {
    let player = Self.player()
    player.send(.masterTuning, value: semitones)
    #expect(abs(heard(player, 69) - 69 - Double(semitones)) < 0.01)
    player.send(.masterTuning, value: 0)
    player.send(.keyTuning, note: 69, value: semitones)
    #expect(abs(heard(player, 69) - 69 - Double(semitones)) < 0.01)
    let tunings = SourceTunings()
    tunings.tune(Event(frame: 0, kind: .scaleTuning, target: 3, note: 9, value: semitones))
    for key in 0...127 as ClosedRange<UInt8> {
      var note = Note(Event(frame: 0, kind: .noteOn, target: 3, note: key, value: 1), part: 0)
      #expect(tunings.shift(note) == (key % 12 == 9 ? semitones : 0), "\(key)")
      note.zoneManager = 4
      #expect(tunings.shift(note) == 0)
    }
  }

  private static func tuning(_ semitones: Double) -> KeyTuning {
    KeyTuning(octaves: (0..<128).map { (Double($0) - 69 + semitones) / 12 })
  }

  @Test("Retuning a part by half a semitone during a glide shifts the glide by as much") func retunedGlide() {
    var scene = Scene.with([("/play/mode", 2), ("/play/glide", 0.5), ("/osc/1/wave", 0)])
    let (player, tuning) = (Player(scene, running: true), Self.tuning(0.5))
    player.press(48)
    player.play(4_800)
    player.press(60)
    player.play(4_800)
    func key() -> Float { 69 + 12 * player.engine.pitch(of: 0) }
    let before = key()
    #expect(before < 59)
    scene[0].tuning.change(to: tuning)
    player.link.scene.publish(scene, tunings: [tuning])
    player.play(16)
    #expect(abs(key() - before - 0.5) < 0.1)
    player.play(96_000)
    #expect(abs(key() - 60.5) < 1e-4)
  }

  @Test("In legato mode a held key that does not sound takes a new tuning too") func retunedHeldKey() {
    var scene = Scene.with([("/play/mode", 2), ("/osc/1/wave", 0), ("/filter/cutoff", 20_000)])
    let (player, tuning) = (Player(scene, running: true), Self.tuning(-0.3))
    player.press(60)
    player.press(64)
    #expect(abs(heard(player) - 64) < 0.01)
    scene[0].tuning.change(to: tuning)
    player.link.scene.publish(scene, tunings: [tuning])
    #expect(abs(heard(player) - 63.7) < 0.01)
    player.lift(64)
    #expect(abs(heard(player) - 59.7) < 0.01)
  }

  @Test("A MIDI glide time of 0 turns off the sound's glide, and a route of 128 reaches part 8")
  func endsOfMessages() {
    let player = Self.player([("/play/glide", 1)])
    player.send(.glide, value: 1)
    player.send(.glideTime, value: 0)
    player.press(48)
    player.play(480)
    player.press(72)
    player.play(480)
    let pitches = player.voiceNumbers.map {
      player.engine.pitch(of: $0)
    }
    #expect(pitches.map { ($0 * 12).rounded() + 69 }.sorted() == [48, 72])
    player.send(.route, source: 2, target: 5, value: 128)
    player.press(60, source: 2, target: 5)
    player.play(64)
    let notes = player.voiceNumbers.map { player.engine.note($0) }
    #expect(notes.filter { $0.source == 2 }.map(\.part) == [7])
  }
}
