import Parameters
import Presets
import Scenes
import Scratch
import Testing
@testable import Control
@testable import Surface

/// The names of the macros, which the preset holds and tablets show.
struct MacroNodeTests {
  private let folder = Folder()

  private func player() -> Player {
    folder.file(
      "01-x.txt",
      "pipit preset 1\nname Glass\nmacro 1 Brightness\nmacro 4 Space and air\n/macro/3/percent 25\n")
    return Player(Library(database: nil, factory: folder.path, log: { _ in }))
  }

  @Test("Tablets show the names of the recalled preset, and a number where it has none")
  func shown() {
    let player = player()
    player.say("/preset/load", "Glass")
    #expect(player["/macro/1/name"] == .string("Brightness"))
    #expect(player["/macro/2/name"] == .string("Macro 2"))
    #expect(player["/macro/4/name"] == .string("Space and air"))
    #expect(player["/macro/3/text"] == .string("25 %"))
    player.say("/focus", 2)
    #expect(player["/macro/1/name"] == .string("Macro 1"))
  }

  @Test("A name is written into the player's preset and told to tablets, and undo takes it back")
  func naming() throws {
    let player = player()
    player.say("/preset/load", "Glass")
    #expect(player.refusal("/macro/2/name", .string("Grit"))?.contains("is a factory preset") == true)
    player.say("/preset/save/new", "Mine")
    player.say("/macro/2/name", "Grit")
    #expect(player["/macro/2/name"] == .string("Grit"))
    #expect(player["/macro/1/name"] == .string("Brightness"))
    let text = try player.control.presets.text(of: "Mine")
    #expect(text.contains("macro 1 Brightness\nmacro 2 Grit\nmacro 4 Space and air\n"))
    #expect(try PresetText.read(text, names: NameRegister()).warnings.isEmpty)
    player.say("/part/3/preset/load", "Mine")
    player.say("/focus", 3)
    #expect(player["/macro/2/name"] == .string("Grit"))
    player.say("/focus", 1)
    player.say("/macro/1/name", "")
    #expect(player["/macro/1/name"] == .string("Macro 1"))
    player.say("/preset/undo", 1)
    #expect(player["/macro/1/name"] == .string("Brightness"))
  }

  @Test("A tablet hears the names of the preset that it recalls")
  func told() {
    let player = player()
    player.say("/here")
    player.pass(milliseconds: 1_000)
    player.forget()
    player.say("/preset/load", "Glass")
    player.pass(milliseconds: 1_000)
    #expect(player.shown["/macro/1/name"] == .string("Brightness"))
  }

  @Test("A line that names no macro is a warning, and the rest is read")
  func wrong() throws {
    let reading = try PresetText.read(
      "pipit preset 1\nmacro 5 Far\nmacro Near\nmacro 2\nmacro 3 Here\n/macro/3/percent 50\n",
      names: NameRegister())
    #expect(reading.warnings.count == 3)
    #expect(reading.about.macros == ["", "", "Here", ""] && reading.patch.macro3 == 0.5)
  }
}
