import Presets
import Scenes
import Scratch
import System
import Testing
@testable import Control
@testable import Surface

/// Tags, favorites, searches, versions and places of presets by their addresses.
struct PresetDescriptionNodeTests {
  private let folder = Folder()

  /// A player with two presets of the factory's.
  private func player() -> Player {
    folder.file(
      "01-x.txt",
      "pipit preset 1\nname Glass\ncategory pads\ntags cold\nauthor pipit\n/filter/cutoff/hz 100\n")
    folder.file("02-x.txt", "pipit preset 1\nname Bass\ncategory basses\n/filter/cutoff/hz 200\n")
    return Player(Library(database: nil, factory: folder.path, log: { _ in }))
  }

  private func lines(_ player: Player, _ address: String, _ words: String...) -> [String] {
    player.harness.transport.answers.removeAll()
    player.say(address, words.map { .string($0) })
    return player.harness.transport.answers.map(\.value).map { value in
      switch value {
      case .string(let text): text
      case .int(let number): "\(number)"
      case .float(let number): "\(number)"
      case .truth(let isTrue): isTrue ? "1" : "0"
      }
    }
  }

  @Test("A search answers with the number and the lines of what it finds, as many as asked for")
  func search() {
    let player = player()
    #expect(
      lines(player, "/presets/search", "cold") == ["1", "0\t0\tfactory\t\tGlass\t0\tpads\tcold\tpipit\t"])
    #expect(lines(player, "/presets/search", "category:bass").first == "1")
    #expect(lines(player, "/presets/search").count == 3 && lines(player, "/presets/search", "zz") == ["0"])
    #expect(lines(player, "/presets/search", "", "1").count == 2)
    #expect(player.refusal("/presets/search", .string(""), .string("x")) != nil)
    #expect(lines(player, "/presets/facts", "glass") == ["0\t0\tfactory\t\tGlass\t0\tpads\tcold\tpipit\t"])
    #expect(player.refusal("/presets/facts", .string("nobody")) != nil)
  }

  @Test("The preset of a part is marked and tagged, seen by other parts with it, and undo takes that back")
  func part() {
    let player = player()
    player.say("/part/2/preset/load", "Glass")
    player.say("/part/3/preset/load", "Glass")
    player.say("/part/2/preset/favorite", 1)
    player.say("/part/2/preset/tag", "+wide")
    #expect(player["/part/3/preset/favorite"] == .int(1))
    #expect(player["/part/3/preset/tag"] == .string("cold, wide"))
    #expect(lines(player, "/presets/search", "favorite wide").first == "1")
    player.say("/part/2/preset/undo", 1)
    #expect(player["/part/3/preset/tag"] == .string("cold") && player["/part/3/preset/favorite"] == .int(1))
    player.say("/part/2/preset/undo", 1)
    #expect(player["/part/3/preset/favorite"] == .int(0))
    #expect(player.refusal("/part/4/preset/favorite", .number(1))?.contains("no preset in the part") == true)
  }

  @Test("Presets are tagged, marked and described by their names; a factory preset keeps its author")
  func names() {
    let player = player()
    player.say("/preset/save/new", "Mine")
    #expect(lines(player, "/presets/tag", "mine", "Dark, low") == ["\"Mine\" has the tags dark, low"])
    #expect(lines(player, "/presets/favorite", "mine") == ["\"Mine\" is a favorite"])
    #expect(lines(player, "/presets/describe", "mine", "category", "basses").count == 1)
    #expect(lines(player, "/presets/describe", "mine", "author", "Me").count == 1)
    #expect(lines(player, "/presets/describe", "mine", "about", "Play it low").count == 1)
    #expect(
      lines(player, "/presets/facts", "mine")
        == ["1\t0\tuser\t\tMine\t1\tbasses\tdark, low\tMe\tPlay it low"])
    #expect(lines(player, "/presets/describe", "mine", "author") == ["\"Mine\" has no author now"])
    #expect(lines(player, "/presets/favorite", "mine", "0") == ["\"Mine\" is no favorite"])
    #expect(
      player.refusal("/presets/describe", .string("mine"), .string("category"), .string("cats"))?.contains(
        "one of basses") == true)
    #expect(
      player.refusal("/presets/describe", .string("Glass"), .string("author"), .string("Me"))?.contains(
        "factory preset") == true)
    #expect(lines(player, "/presets/versions", "mine").count == 2)
    player.say("/preset/undo", 1)
    #expect(lines(player, "/presets/facts", "mine").first?.contains("\t1\tbasses") == true)
  }

  @Test("Versions are listed, read, compared in words, and brought back; undo takes that back")
  func versions() {
    let player = player()
    player.say("/filter/cutoff/hz", 1_200)
    player.say("/preset/save/new", "Mine")
    player.say("/filter/cutoff/hz", 300)
    player.say("/preset/save")
    player.say("/presets/tag", "mine", "dark")
    let versions = lines(player, "/presets/versions", "mine")
    #expect(versions.count == 3 && versions[0] == "2" && versions[1].hasPrefix("0\t"))
    let saved = versions[2].split(separator: "\t")
    #expect(saved[0] == "1" && (Int(saved[1]) ?? 0) > 1_700_000_000 && saved[2] == "Mine")
    #expect(lines(player, "/presets/version", "mine", "1").first?.contains("/filter/cutoff/hz 1200") == true)
    #expect(
      lines(player, "/presets/diff", "mine", "1") == [
        "2", "tags\tcold\tdark", "/filter/cutoff\t1.20 kHz\t300 Hz",
      ])
    #expect(lines(player, "/presets/diff", "mine", "0", "0") == ["0"])
    #expect(player.refusal("/presets/diff", .string("mine"), .number(4))?.contains("no version 4") == true)
    #expect(player.refusal("/presets/versions", .string("Glass"))?.contains("factory preset") == true)
    #expect(lines(player, "/presets/bring", "mine", "1") == ["version 1 of \"Mine\" is back in Own 1"])
    #expect(lines(player, "/presets/diff", "mine", "1").last == "/filter/cutoff\t300 Hz\t1.20 kHz")
    #expect(player["/preset/edited"] == .int(1))
    player.say("/preset/undo", 1)
    #expect(lines(player, "/presets/version", "mine", "0").first?.contains("/filter/cutoff/hz 300") == true)
    #expect(lines(player, "/presets/versions", "mine").first == "2" && player["/preset/edited"] == .int(0))
    player.say("/preset/redo", 1)
    #expect(lines(player, "/presets/version", "mine", "0").first?.contains("/filter/cutoff/hz 1200") == true)
    #expect(player.refusal("/presets/bring", .string("mine"), .number(0)) != nil)
  }

  @Test("A preset moves to a free place or exchanges it with another; parts follow, back and forth")
  func move() {
    let player = player()
    for name in ["A", "B"] {
      player.say("/preset/save/new", name)
      player.say("/part/2/preset/load", name)
    }
    #expect(lines(player, "/presets/move", "a", "1/1") == ["\"A\" is in Own 2, \"B\" in Own 1"])
    #expect(player["/part/2/preset/program"] == .int(0) && player["/part/2/preset/name"] == .string("B"))
    #expect(lines(player, "/presets/move", "a", "5/7") == ["\"A\" is in Bank 5 8"])
    player.say("/preset/undo", 1)
    player.say("/preset/undo", 1)
    #expect(lines(player, "/presets/facts", "1/0").first?.contains("\tA\t") == true)
    #expect(player["/part/2/preset/program"] == .int(1) && player["/part/2/preset/edited"] == .int(0))
    player.say("/preset/redo", 1)
    player.say("/preset/redo", 1)
    #expect(lines(player, "/presets/facts", "5/7").first?.contains("\tA\t") == true)
    #expect(player["/part/2/preset/program"] == .int(0) && player["/part/2/preset/name"] == .string("B"))
    #expect(lines(player, "/presets/trash") == ["0"])
    for place in ["0/3", "128/0", "x"] {
      #expect(player.refusal("/presets/move", .string("a"), .string(place)) != nil)
    }
    #expect(player.refusal("/presets/move", .string("Glass"), .string("1/9")) != nil)
  }

  @Test("A text of several presets is imported in one step, and each is reported by its line")
  func bundle() throws {
    let player = player()
    let text = "pipit preset 1\nname A\n/nowhere 1\n\npipit preset 1\nname B\nslot 3 4\npipit preset 1\n"
    #expect(
      lines(player, "/presets/import", text) == [
        "\"A\" is in Own 1; line 3: \"/nowhere 1\": no such knob", "\"B\" is in Bank 3 5",
        "line 8: the text has no line with a name",
      ])
    let bundle = player.control.library.listing.userBundle
    #expect(PresetText.split(bundle).count == 2 && bundle.contains("slot 3 4\n"))
    player.say("/preset/undo", 1)
    #expect(lines(player, "/presets/list").count == 3)
    func imported() throws -> [ImportedPreset] {
      var imported: Result<[ImportedPreset], RequestRefused>?
      player.control.imports.start(FileContents(Array(bundle.utf8))) { imported = $0 }
      return try #require(try imported?.get())
    }
    let report = try imported()
    #expect(report.map(\.name) == ["A", "B"] && report.allSatisfy { !$0.isReplacement })
    #expect(try imported().filter(\.isReplacement).count == 2)
    #expect(try player.control.presets.bundle(["glass"]).contains("name Glass\nslot 0 0\n"))
  }

  @Test("The sound of a part is copied to another with its preset, as a step of that part")
  func copies() {
    let player = player()
    player.say("/part/1/preset/load", "Glass")
    player.say("/part/1/filter/cutoff/hz", 150)
    player.say("/part/1/preset/copy/part", 5)
    #expect(player["/part/5/filter/cutoff/hz"] == .float(150))
    #expect(player["/part/5/preset/name"] == .string("Glass") && player["/part/5/preset/edited"] == .int(1))
    player.say("/part/5/preset/undo", 1)
    #expect(player["/part/5/preset/name"] == .string(""))
    #expect(player.refusal("/part/1/preset/copy/part", .number(9)) != nil)
  }

  @Test("The slots show what a search finds, page by page, and the banks again without words")
  func page() {
    let player = player()
    for number in 1...20 { player.say("/preset/save/new", "Bell \(number)") }
    player.say("/preset/search", "bell")
    #expect(
      player["/preset/search"] == .string("bell") && player["/preset/page"] == .string("bell: 1-16 of 20"))
    #expect(player["/preset/slot/1/name"] == .string("Bell 1"))
    player.say("/preset/page/next", 1)
    #expect(player["/preset/page"] == .string("bell: 17-20 of 20"))
    player.say("/part/3/preset/load", "Glass")
    player.say("/focus", 3)
    player.say("/preset/slot/2", 1)
    #expect(player["/part/3/preset/name"] == .string("Bell 18"))
    #expect(player["/preset/slot/2/current"] == .int(1) && player["/preset/slot/5/name"] == .string(""))
    player.say("/preset/page/next", 1)
    player.say("/presets/rename", "Bell 1", "Zither")
    #expect(player["/preset/page"] == .string("bell: 1-16 of 19"))
    #expect(player["/preset/slot/1/name"] == .string("Bell 2"))
    #expect(player.refusal("/preset/copy/1")?.contains("show a search") == true)
    player.say("/preset/search", "zz")
    #expect(player["/preset/page"] == .string("zz: none"))
    player.say("/preset/search", "")
    #expect(player["/preset/page"] == .string("Own 17-32") && player["/preset/search"] == .string(""))
    // A copy needs places.
    player.say("/preset/search", "bell")
    player.say("/preset/copy", 1)
    #expect(player["/preset/search"] == .string(""))
  }
}
