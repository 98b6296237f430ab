import Parameters
import Presets
import Scenes
import Scratch
import Testing
@testable import Control
@testable import Surface

/// The initial sound, initial sections, and sections that are copied and pasted.
struct SectionNodeTests {
  private let folder = Folder()

  /// A player whose part 1 has a preset with two edited oscillators.
  private func player() -> Player {
    folder.file(
      "01-x.txt",
      "pipit preset 1\nname Glass\n/osc/1/wave square\n/osc/1/unison/value 5\n/osc/2/level/percent 80\n"
        + "/filter/cutoff/hz 300\n/filter/attack/seconds 0.5\n/sequence/step/3 7 100 50 2\n"
        + "/sequence/mode key\n/delay/on on\n/delay/feedback/percent 70\n")
    let player = Player(Library(database: nil, factory: folder.path, log: { _ in }))
    player.say("/preset/load", "Glass")
    return player
  }

  private func sound(_ player: Player, part: Int = 0) -> Patch { player.control.stage.scene[part].patch }

  @Test("INIT gives the initial sound, keeps what rings, and one UNDO brings all back")
  func whole() {
    let player = player()
    let (before, generation) = (sound(player), player.control.stage.scene[0].generation)
    player.say("/preset/init", 0)
    #expect(sound(player).isSame(as: before))
    player.say("/preset/init", 1)
    #expect(sound(player).isSame(as: .initial) && player.control.stage.scene[0].generation != generation)
    #expect(player["/preset/name"] == .string("Init") && player["/preset/edited"] == .int(0))
    #expect(player["/preset/program"] == .int(-1))
    player.say("/preset/undo", 1)
    #expect(sound(player).isSame(as: before) && player["/preset/name"] == .string("Glass"))
  }

  @Test("An initial section is an edit of that section alone, and one step")
  func section() {
    let player = player()
    player.say("/filter/resonance", 0.5)
    let (before, generation) = (sound(player), player.control.stage.scene[0].generation)
    player.say("/section/init", "filter")
    var expected = before
    expected.filter = Patch.initial.filter
    #expect(sound(player).isSame(as: expected))
    #expect(player.control.stage.scene[0].generation == generation)
    #expect(player["/preset/edited"] == .int(1))
    player.say("/preset/undo", 1)
    #expect(sound(player).isSame(as: before))
    player.say("/preset/redo", 1)
    #expect(sound(player).isSame(as: expected))
  }

  @Test("The steps of a sequence belong to its section")
  func steps() {
    let player = player()
    player.say("/section/copy", "sequence")
    player.say("/section/init", "sequence")
    #expect(sound(player).sequence[2] == SequenceStep() && sound(player).sequence.mode == 0)
    player.say("/part/2/section/paste", "sequence")
    #expect(sound(player, part: 1).sequence[2].note == 7 && sound(player, part: 1).sequence.mode > 0)
  }

  @Test("A section is pasted into another of its kind and into another part, each one step")
  func pasting() {
    let player = player()
    player.say("/section/copy", "osc 1")
    #expect(player["/section/copied"] == .string("osc-1 of part 1"))
    let before = sound(player)
    player.say("/section/paste", "osc 2")
    #expect(
      sound(player).oscillator2.unison == 5 && sound(player).oscillator2.level == before.oscillator1.level)
    #expect(sound(player).mixer.sync == before.mixer.sync && sound(player).mixer.index == before.mixer.index)
    player.say("/preset/undo", 1)
    #expect(sound(player).isSame(as: before))
    player.say("/part/4/section/paste")
    #expect(sound(player, part: 3).oscillator1.unison == 5)
    #expect(sound(player, part: 3).oscillator2.unison == Patch.initial.oscillator2.unison)
    player.say("/part/4/preset/undo", 1)
    #expect(sound(player, part: 3).isSame(as: .initial))
  }

  @Test("What was copied stays as it was when its part changes")
  func copied() {
    let player = player()
    player.say("/section/copy", "delay")
    player.say("/preset/init", 1)
    player.say("/section/paste")
    #expect(sound(player).effects.delay.on == 1 && sound(player).effects.delay.feedback == 0.7)
  }

  @Test("What does not fit, what is no section, and nothing to paste are refused, and change nothing")
  func refused() {
    let player = player()
    #expect(player.refusal("/section/paste")?.contains("nothing to paste") == true)
    player.say("/section/copy", "osc 1")
    let before = sound(player)
    let why = player.refusal("/section/paste", .string("filter"))
    #expect(why?.contains("cannot paste osc-1 into filter; it fits osc-1, osc-2") == true)
    #expect(player.refusal("/section/init", .string("flter"))?.contains("takes a section: osc") == true)
    #expect(player.refusal("/section/init")?.contains("takes a section") == true)
    #expect(player.refusal("/section/copy", .number(3)) != nil)
    #expect(sound(player).isSame(as: before))
    #expect(player["/section/copied"] == .string("osc-1 of part 1"))
  }

  @Test("A tablet hears of every knob that a paste has moved")
  func told() {
    let player = player()
    player.say("/here")
    player.say("/section/copy", "osc 1")
    player.pass(milliseconds: 1_000)
    player.forget()
    player.say("/section/paste", "osc 2")
    player.pass(milliseconds: 1_000)
    #expect(player.shown["/osc/2/unison/text"] == .string("5"))
  }
}
