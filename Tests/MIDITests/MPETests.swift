import EngineHarness
import Glibc
import MIDI
import Scenes
import Testing

/// What goes wrong with MPE elsewhere, each heard here as the pitch that is measured. A bend of 14 bits over 48 semitones
/// is right to 0.3 cents.
@Suite("MPE") struct MPETests {
  @Test("begins with the configuration message, and each finger bends its own note of a chord")
  func begins() {
    let keyboard = MPEKeyboard(members: nil)
    keyboard.zone(15)
    for (channel, key, bend) in [(2, 57, 0.5), (3, 61, -7.25), (4, 64, 12.0)] as [(UInt8, UInt8, Double)] {
      keyboard.bend(bend, on: channel)
      keyboard.press(key, on: channel)
    }
    #expect(keyboard.error(of: [-11.5, -15.25, 7]) < 0.5)
    keyboard.bend(-1, on: 3)
    #expect(keyboard.error(of: [-11.5, -9, 7]) < 0.5)
  }

  @Test("bends by 48 semitones until RPN 0 of any member says otherwise, for all of them")
  func range() {
    let keyboard = MPEKeyboard()
    keyboard.bend(24, on: 2)
    keyboard.press(57, on: 2)
    #expect(abs(keyboard.heard() - 12) < 0.005)
    keyboard.parameter(0, 24, on: 9)
    #expect(abs(keyboard.heard()) < 0.005)
    // The manager has one of its own.
    keyboard.bend(2, on: 1, range: 2)
    #expect(abs(keyboard.heard() - 2) < 0.005)
    keyboard.zone(15)
    keyboard.bend(24, on: 3)
    keyboard.press(57, on: 3)
    #expect(abs(keyboard.heard() - 12) < 0.005)
  }

  @Test("has the manager's pedal hold the notes of its members, and ignores pedals that members repeat")
  func pedal() {
    let keyboard = MPEKeyboard()
    keyboard.press(60, on: 2)
    keyboard.press(64, on: 3)
    keyboard.controller(64, 127, on: 1)
    for channel in 2...16 as ClosedRange<UInt8> { keyboard.controller(64, 0, on: channel) }
    keyboard.lift(60, on: 2)
    keyboard.lift(64, on: 3)
    #expect(keyboard.voices == 2)
    keyboard.controller(64, 0, on: 1)
    #expect(keyboard.voices == 0)
    keyboard.controller(64, 127, on: 5)
    keyboard.press(60, on: 5)
    keyboard.lift(60, on: 5)
    #expect(keyboard.voices == 0)
  }

  @Test("adds the manager's bend once")
  func manager() {
    let keyboard = MPEKeyboard()
    keyboard.bend(1, on: 1, range: 2)
    keyboard.bend(3, on: 2)
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard() - 4) < 0.005)
    keyboard.bend(-2, on: 1, range: 2)
    #expect(abs(keyboard.heard() - 1) < 0.005)
  }

  @Test("leaves nothing bent when a zone comes or goes")
  func zones() {
    let keyboard = MPEKeyboard()
    keyboard.press(69, on: 2)
    keyboard.bend(5, on: 2)
    keyboard.bend(1, on: 1, range: 2)
    keyboard.zone(0)
    #expect(keyboard.voices == 0)
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard()) < 0.005)
    // As far as the patch has it, on its own channel.
    keyboard.bend(2, on: 2, range: 2)
    #expect(abs(keyboard.heard() - 2) < 0.005)
    keyboard.zone(7)
    #expect(keyboard.voices == 0)
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard()) < 0.005)
  }

  @Test("keeps one key on two channels apart")
  func unison() {
    let keyboard = MPEKeyboard()
    keyboard.press(69, on: 2)
    keyboard.press(69, on: 3)
    keyboard.bend(4, on: 3)
    #expect(keyboard.error(of: [0, 4]) < 0.5)
    keyboard.lift(69, on: 3)
    #expect(abs(keyboard.heard()) < 0.005)
    keyboard.bend(-4, on: 3)
    #expect(abs(keyboard.heard()) < 0.005)
    keyboard.lift(69, on: 2)
    #expect(keyboard.voices == 0)
  }

  @Test("begins a note where its finger is: where it was said last, until the zone is new")
  func beginnings() {
    let keyboard = MPEKeyboard()
    keyboard.press(69, on: 2)
    keyboard.bend(-3, on: 2)
    keyboard.lift(69, on: 2)
    #expect(keyboard.voices == 0)
    // A sequencer leaves out the bend that is as before.
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard() + 3) < 0.005)
    keyboard.lift(69, on: 2)
    #expect(keyboard.voices == 0)
    keyboard.press(69, on: 3)
    #expect(abs(keyboard.heard()) < 0.005)
    keyboard.lift(69, on: 3)
    #expect(keyboard.voices == 0)
    // Whoever makes the zone says nothing of before.
    keyboard.zone(15)
    keyboard.press(69, on: 2)
    #expect(abs(keyboard.heard()) < 0.005)
    keyboard.lift(69, on: 2)
    #expect(keyboard.voices == 0)
    // What comes before the note is its own, from the first sample on.
    keyboard.bend(7, on: 2)
    keyboard.player.play(480)
    keyboard.player.left = []
    keyboard.press(69, on: 2)
    keyboard.player.play(1_200)
    let first = 12 * log2(keyboard.player.left.pitch(rate: 48_000) / 440)
    #expect(abs(first - 7) < 0.1, "\(first)")
  }

  @Test("leaves a note that rings on to the manager alone")
  func tails() {
    let keyboard = MPEKeyboard([("/amp/release", 20)])
    keyboard.bend(4, on: 2)
    keyboard.press(69, on: 2)
    keyboard.player.play(9_600)
    keyboard.lift(69, on: 2)
    keyboard.bend(0, on: 2)
    #expect(abs(keyboard.heard() - 4) < 0.005)
    keyboard.bend(1, on: 1, range: 2)
    #expect(abs(keyboard.heard() - 5) < 0.005)
    keyboard.bend(-12, on: 2)
    keyboard.press(57, on: 2)
    #expect(keyboard.error(of: [5, -23]) < 0.5)
  }

  @Test(
    "has the pressure of a finger press on its own note, once where its key sends pressure too",
    arguments: [ModulationSource.pressure, .keyPressure])
  func pressure(source: ModulationSource) {
    // As a source of the matrix: all of it is an octave.
    let index = ModulationSource.names.firstIndex(of: source.rawValue) ?? 0
    let keyboard = MPEKeyboard([
      ("/mod/1/source", Float(index)), ("/mod/1/target", 1), ("/mod/1/amount", 1), ("/lfo/1/wheel", 0),
    ])
    keyboard.press(57, on: 2)
    keyboard.press(76, on: 3)
    keyboard.pressure(127, on: 3)
    #expect(keyboard.error(of: [-12, 19]) < 0.5)
    keyboard.pressure(64, on: 2)
    keyboard.pressure(0, on: 3)
    #expect(keyboard.error(of: [-6, 7]) < 0.5)
    keyboard.send(0xA1, 57, 64)
    #expect(keyboard.error(of: [-6, 7]) < 0.5)
    if source == .keyPressure { return }
    // The manager's is added, up to all of it.
    keyboard.pressure(32, on: 1)
    #expect(keyboard.error(of: [-3, 10]) < 0.5)
    keyboard.pressure(127, on: 1)
    #expect(keyboard.error(of: [0, 19]) < 0.5)
  }

  @Test("has the slide of a finger from 74, in 7 bits or 14, from its middle on, and leaves the knob alone")
  func timbre() {
    let index = ModulationSource.names.firstIndex(of: "timbre") ?? 0
    let keyboard = MPEKeyboard([("/mod/1/source", Float(index)), ("/mod/1/target", 1), ("/mod/1/amount", 1)])
    keyboard.press(57, on: 2)
    keyboard.press(76, on: 3)
    #expect(keyboard.error(of: [-6, 13]) < 0.5)
    keyboard.controller(74, 127, on: 2)
    keyboard.controller(74, 32, on: 3)
    #expect(keyboard.error(of: [0, 10]) < 0.5)
    keyboard.controller(106, 64, on: 3)
    // Of 16,384: 32 · 128 + 64.
    let slide: Double = 12.0 * 4_160 / 16_384
    #expect(keyboard.error(of: [0, 7 + slide]) < 0.5)
    #expect(keyboard.commands.isEmpty)
    keyboard.controller(74, 100, on: 1)
    #expect(keyboard.commands == [.controller])
  }

  @Test("gives a voice that is stolen to the finger that steals it")
  func stolen() {
    let keyboard = MPEKeyboard()
    let others = (UInt8(0)..<128).map { (key: $0, channel: $0 % 2 == 0 ? 2 : 3) as (UInt8, UInt8) }
    keyboard.bend(-5, on: 2)
    keyboard.bend(-7, on: 3)
    for (key, channel) in others { keyboard.press(key, on: channel) }
    keyboard.bend(2, on: 4)
    keyboard.press(69, on: 4)
    keyboard.player.play(480)
    #expect(keyboard.player.link.meters[.stolen] == 1)
    for (key, channel) in others { keyboard.lift(key, on: channel) }
    #expect(keyboard.voices == 1)
    #expect(abs(keyboard.heard() - 2) < 0.005)
    keyboard.bend(5, on: 2)
    keyboard.bend(5, on: 3)
    #expect(abs(keyboard.heard() - 2) < 0.005)
    keyboard.bend(-1, on: 4)
    #expect(abs(keyboard.heard() + 1) < 0.005)
  }

  @Test(
    "goes back to a held key, its channel and where its finger is, with one voice for all", arguments: [1, 2])
  func mono(mode: Float) {
    let keyboard = MPEKeyboard([("/play/mode", mode)])
    keyboard.bend(1, on: 2)
    keyboard.press(69, on: 2)
    keyboard.bend(3, on: 3)
    keyboard.press(69, on: 3)
    #expect(abs(keyboard.heard() - 3) < 0.005)
    // The finger that does not sound moves meanwhile.
    keyboard.bend(-2, on: 2)
    #expect(abs(keyboard.heard() - 3) < 0.005)
    keyboard.lift(69, on: 3)
    #expect(abs(keyboard.heard() + 2) < 0.005)
    keyboard.bend(-4, on: 2)
    #expect(abs(keyboard.heard() + 4) < 0.005)
    keyboard.lift(69, on: 2)
    #expect(keyboard.voices == 0)
  }

  @Test("jumps with the key, and glides from where the last finger was")
  func glide() {
    // With a glide of no time the bend of the finger before is gone at once.
    let jumping = MPEKeyboard([("/play/mode", 2)])
    jumping.bend(12, on: 2)
    jumping.press(57, on: 2)
    jumping.player.play(9_600)
    jumping.press(69, on: 3)
    jumping.player.left = []
    jumping.player.play(1_200)
    #expect(abs(12 * log2(jumping.player.left.pitch(rate: 48_000) / 440)) < 0.1)
    let gliding = MPEKeyboard([("/play/mode", 2), ("/play/glide", 4)])
    gliding.bend(9, on: 2)
    gliding.press(57, on: 2)
    gliding.player.play(9_600)
    gliding.press(69, on: 3)
    gliding.player.left = []
    gliding.player.play(1_200)
    #expect(abs(12 * log2(gliding.player.left.pitch(rate: 48_000) / 440) + 3) < 0.3)
  }

  @Test("has the range of the device, whatever preset comes")
  func presets() {
    var scene = Scene.with(MPEKeyboard.sine + [("/play/bend", 12)])
    let keyboard = MPEKeyboard([("/play/bend", 5)])
    keyboard.bend(24, on: 2)
    keyboard.press(57, on: 2)
    #expect(abs(keyboard.heard() - 12) < 0.005)
    scene[0].generation += 1
    keyboard.player.link.scene.publish(scene)
    #expect(abs(keyboard.heard() - 12) < 0.005)
    keyboard.lift(57, on: 2)
    keyboard.bend(24, on: 3)
    keyboard.press(57, on: 3)
    #expect(abs(keyboard.heard() - 12) < 0.005)
    keyboard.send(0xB0, 120, 0)
    // Nor does the end of all notes undo it.
    keyboard.player.send(.panic)
    keyboard.bend(24, on: 4)
    keyboard.press(57, on: 4)
    #expect(abs(keyboard.heard() - 12) < 0.005)
  }

  @Test("makes a zone again only when it is asked for one")
  func dataEntry() {
    let keyboard = MPEKeyboard()
    keyboard.bend(3, on: 2)
    keyboard.press(69, on: 2)
    // After the null; to a fine half; a step; on a channel that manages nothing; of a maker's parameter.
    keyboard.controller(6, 0, on: 1)
    for (number, value) in [(101, 0), (100, 6), (38, 3), (96, 0), (97, 0)] as [(UInt8, UInt8)] {
      keyboard.controller(number, value, on: 1)
    }
    keyboard.controller(100, 127, on: 1)
    keyboard.controller(101, 127, on: 1)
    keyboard.parameter(6, 0, on: 5)
    for (number, value) in [(99, 0), (98, 6), (6, 0)] as [(UInt8, UInt8)] {
      keyboard.controller(number, value, on: 1)
    }
    #expect(abs(keyboard.heard() - 3) < 0.005)
    keyboard.zone(0)
    #expect(keyboard.voices == 0)
  }

  @Test("is plain MIDI where it is off: the same bits, whatever the device says of zones")
  func off() {
    func play(_ prepare: (MPEKeyboard) -> Void) -> (MPEKeyboard, [UInt32]) {
      let keyboard = MPEKeyboard([("/amp/release", 2), ("/play/bend", 7)], members: nil)
      prepare(keyboard)
      keyboard.bend(7, on: 3, range: 7)
      keyboard.press(57, on: 2)
      keyboard.press(61, on: 3)
      keyboard.controller(1, 90, on: 3)
      keyboard.controller(64, 127, on: 3)
      keyboard.controller(74, 90, on: 3)
      keyboard.send(0xC2, 5)
      keyboard.player.play(4_800)
      keyboard.lift(57, on: 2)
      keyboard.lift(61, on: 3)
      // A wheel reaches what rings on.
      keyboard.bend(-7, on: 3, range: 7)
      keyboard.parameter(0, 12, on: 3)
      keyboard.player.play(9_600)
      return (keyboard, keyboard.player.left.bits)
    }
    let (plain, bits) = play { _ in }
    #expect(plain.commands == [.controller, .program])
    plain.controller(1, 0, on: 3)
    #expect(plain.error(of: [-20]) < 0.5)
    let (off, same) = play {
      $0.choose(.off)
      $0.zone(15)
    }
    #expect(off.commands == plain.commands && isSame(bits, same))
    // A zone that has gone leaves nothing behind.
    let (ended, again) = play {
      $0.zone(15)
      $0.zone(0)
    }
    #expect(ended.commands == plain.commands && isSame(bits, again))
  }

  @Test(
    "plays a note that no finger moves as plain MIDI does, in any polyphony and with unison",
    arguments: [
      [], [("/play/mode", 1)], [("/play/mode", 2), ("/play/glide", 0.1)], [("/osc/1/unison", 5)],
    ] as [[(String, Float)]])
  func resting(knobs: [(String, Float)]) {
    func play(_ channels: [UInt8], members: UInt8?) -> [UInt32] {
      let keyboard = MPEKeyboard(knobs, members: members)
      for (channel, key) in zip(channels, [57, 61, 64, 69, 45] as [UInt8]) {
        keyboard.press(key, on: channel)
        keyboard.player.play(2_000)
      }
      keyboard.controller(64, 127, on: 1)
      for (channel, key) in zip(channels, [57, 61, 64, 69, 45] as [UInt8]) {
        keyboard.lift(key, on: channel)
        keyboard.player.play(1_000)
      }
      keyboard.bend(-1, on: 1, range: 2)
      keyboard.player.play(4_000)
      keyboard.controller(64, 0, on: 1)
      keyboard.player.play(4_000)
      return keyboard.player.left.bits
    }
    let one = play([1, 1, 1, 1, 1], members: 15)
    #expect(isSame(one, play([2, 3, 4, 16, 5], members: 15)))
    #expect(isSame(one, play([2, 3, 2, 4, 4], members: 3)))
  }
}
