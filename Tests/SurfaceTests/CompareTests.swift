import Presets
import Scenes
import Scratch
import Testing
@testable import Control
@testable import Surface

/// The stored sound plays in the place of the edited one, and everything else returns first.
struct CompareTests {
  private let folder = Folder()

  /// A player whose part 1 has a preset of their own, with an edited cutoff.
  private func player() -> Player {
    folder.file("01-x.txt", "pipit preset 1\nname Glass\n/filter/cutoff/hz 300\n")
    let player = Player(Library(database: nil, factory: folder.path, log: { _ in }))
    player.say("/preset/load", "Glass")
    player.say("/preset/save/new", "Mine")
    player.say("/filter/cutoff/hz", 1_000)
    return player
  }

  private func cutoff(_ player: Player) -> Float { player.control.stage.scene[0].patch.filter.cutoff }

  /// A press, later than a packet that the network may have duplicated.
  private func press(_ player: Player, _ address: String = "/preset/compare") {
    player.pass(milliseconds: 300)
    player.say(address, 1)
  }

  @Test("COMPARE plays the stored sound as a recall with its lamp lit, and a second press the edited one")
  func there() {
    let player = player()
    player.say("/here")
    player.pass(milliseconds: 1_000)
    let generation = player.control.stage.scene[0].generation
    press(player)
    player.pass(milliseconds: 500)
    #expect(cutoff(player) == 300 && player.control.stage.scene[0].generation == generation + 1)
    #expect(player.shown["/preset/comparing"] == .int(1))
    #expect(player.shown["/filter/cutoff/text"] == .string("300 Hz"))
    #expect(player["/preset/edited"] == .int(1))
    player.say("/preset/compare", 0)
    #expect(cutoff(player) == 300)
    press(player)
    player.pass(milliseconds: 500)
    #expect(cutoff(player) == 1_000 && player.shown["/preset/comparing"] == .int(0))
  }

  @Test("A duplicated packet is one press")
  func duplicate() {
    let player = player()
    for _ in 0..<2 { player.say("/preset/compare", 1) }
    #expect(cutoff(player) == 300)
  }

  @Test("It is no step of the history")
  func history() {
    let player = player()
    press(player)
    press(player)
    press(player)
    player.say("/preset/undo", 1)
    #expect(cutoff(player) == 300 && player["/preset/comparing"] == .int(0))
    #expect(player["/preset/edited"] == .int(0))
    player.say("/preset/redo", 1)
    #expect(cutoff(player) == 1_000)
  }

  @Test("A touched knob returns to the edited sound and moves there; so does a step of the sequence")
  func touched() {
    let player = player()
    press(player)
    player.say("/filter/resonance", 0.5)
    #expect(cutoff(player) == 1_000 && player.control.stage.scene[0].patch.filter.resonance == 0.5)
    #expect(player["/preset/comparing"] == .int(0))
    press(player)
    #expect(cutoff(player) == 300)
    player.say("/sequence/step/1", "7 100 50 1")
    #expect(cutoff(player) == 1_000)
  }

  @Test("Knobs of the mixer and of other parts do not return")
  func others() {
    let player = player()
    press(player)
    player.say("/level", 0.5)
    player.say("/part/2/filter/cutoff", 0.1)
    #expect(cutoff(player) == 300 && player["/preset/comparing"] == .int(1))
  }

  @Test("A save stores the edited sound, and a copy to another part copies it")
  func saved() {
    let player = player()
    press(player)
    player.say("/preset/copy/part", 2)
    #expect(player.control.stage.scene[1].patch.filter.cutoff == 1_000)
    press(player)
    player.say("/preset/save")
    #expect(cutoff(player) == 1_000 && player["/preset/edited"] == .int(0))
    player.say("/preset/load", "Glass")
    player.say("/preset/load", "Mine")
    #expect(cutoff(player) == 1_000)
  }

  @Test("A recall ends it, and UNDO brings the edited sound back")
  func recalled() {
    let player = player()
    press(player)
    player.say("/preset/load", "Glass")
    #expect(player["/preset/comparing"] == .int(0))
    player.say("/preset/undo", 1)
    #expect(cutoff(player) == 1_000)
  }

  @Test("The session keeps the edited sound")
  func session() {
    let player = player()
    press(player)
    _ = player.control.finish(within: 1)
    #expect(player.control.library.session?.scene[0].patch.filter.cutoff == 1_000)
    #expect(cutoff(player) == 300)
  }

  @Test("Without an edit or without a preset there is nothing to compare")
  func nothing() {
    let player = player()
    player.say("/preset/undo", 1)
    player.pass(milliseconds: 300)
    #expect(player.refusal("/preset/compare", .number(1))?.contains("the sound is as stored") == true)
    #expect(player.refusal("/part/5/preset/compare", .number(1))?.contains("no stored sound") == true)
  }
}
