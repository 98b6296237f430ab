import Scenes
import Scratch
import Storage
import Testing
@testable import Presets

/// Tags, favorites and descriptions of presets, and the search for them.
struct DescriptionTests {
  private let folder = Folder()

  /// A library with three factory presets.
  private func library(_ database: String? = nil) -> Library {
    folder.file(
      "factory/01-soft-pad.txt",
      "pipit preset 1\nname Soft Pad\ncategory pads\ntags soft, warm\nauthor pipit\n/lfo/1/rate/hz 3\n")
    folder.file("factory/02-lead.txt", "pipit preset 1\nname Bright Lead\ncategory leads\ntags bright\n")
    folder.file("factory/bench.txt", "pipit preset 1\nname Bench\ntags soft\n")
    return Library(database: database, factory: folder.path + "/factory") { Issue.record("\($0)") }
  }

  private func names(_ library: Library, _ words: String) -> [String] {
    library.search(PresetQuery(words)).presets.map(\.name)
  }

  @Test("A text says category, tags, author, favorite and description, wherever their lines stand")
  func texts() {
    let about = PresetAbout(
      text: "pipit preset 1\n/lfo/1/rate/hz 3\ncategory pads\r\n  tags Soft ,warm, soft,\n# author nobody\n"
        + "author A\nabout Slow and wide\nfavorite on")
    #expect(about.category == .pads && about.tags == ["soft", "warm"] && about.author == "A")
    #expect(about.description == "Slow and wide" && about.isFavorite)
    let text = PresetText.describing("pipit preset 1\ntags old\n# kept\n/lfo/1/rate/hz 3\n", about)
    #expect(PresetAbout(text: text) == about && text.contains("# kept\n/lfo/1/rate/hz 3\n"))
    #expect(PresetText.describing(text, PresetAbout()) == "pipit preset 1\n# kept\n/lfo/1/rate/hz 3\n")
  }

  @Test("Another description of a user preset is no version; undo and the next start know it")
  func amended() throws {
    let library = library(folder.database)
    let slot = try #require(try library.save(.initial, name: "Mine").slot)
    var patch = Patch.initial
    patch.filter.cutoff = 100
    try library.save(patch, name: "Mine")
    let changes = try library.recording { () throws(DocumentError) in
      for number in 1...9 {
        var about = PresetAbout()
        about.tags = ["number \(number)"]
        about.isFavorite = true
        try library.describe(library[slot]!, about)
      }
    }
    #expect(library.documents.history(.preset, slot.key).earlier.count == 1)
    #expect(library.about(try #require(library[slot])).tags == ["number 9"])
    #expect(library.patch(of: try #require(library[slot]))?.filter.cutoff == 100)
    for change in changes.reversed() { #expect(library.undo(change)) }
    #expect(library.about(try #require(library[slot])) == PresetAbout())
    for change in changes { #expect(library.redo(change)) }
    #expect(library.stop(within: 60))
    let next = Library(database: folder.database, factory: nil, writes: false) { _ in }
    #expect(next.about(try #require(next[slot])).tags == ["number 9"])
    #expect(next.about(try #require(next[slot])).isFavorite)
  }

  @Test(
    "Tags and favorites of factory presets are in the database; their files stay, and undo takes them back")
  func marks() throws {
    do {
      let library = library(folder.database)
      let pad = try library.find("Soft Pad")
      var about = library.about(pad)
      about.isFavorite = true
      about.tags = ["evening"]
      let changes = try library.recording { () throws(DocumentError) in try library.describe(pad, about) }
      #expect(library.about(pad) == about && names(library, "favorite") == ["Soft Pad"])
      #expect(library.undo(changes[0]) && library.about(pad).tags == ["soft", "warm"])
      #expect(library.redo(changes[0]) && library.about(pad) == about)
      about.author = "Me"
      #expect(throws: DocumentError.self) { try library.describe(pad, about) }
      #expect(library.stop(within: 60))
    }
    #expect(names(library(folder.database), "tag:evening") == ["Soft Pad"])
    let library = library(folder.database)
    try library.describe(library.find("Soft Pad"), PresetAbout(text: library.find("Soft Pad").text))
    #expect(library.documents[all: .mark].isEmpty)
  }

  @Test("All words must match, anywhere or in their field; names that begin so come first")
  func search() throws {
    let library = library()
    try library.save(.initial, name: "Pad of Glass")
    try library.save(.initial, name: "Notepad")
    let user = try library.find("Notepad")
    var about = PresetAbout()
    about.tags = ["lead", "wide"]
    about.author = "Jane Doe"
    about.isFavorite = true
    try library.describe(user, about)
    #expect(names(library, "pad") == ["Pad of Glass", "Soft Pad", "Notepad"])
    #expect(names(library, "PAD soft") == ["Soft Pad"])
    #expect(names(library, "lead") == ["Bright Lead", "Notepad"])
    #expect(names(library, "tag:lead") == ["Notepad"] && names(library, "tag:ead").isEmpty)
    #expect(
      names(library, "category:pad") == ["Soft Pad"] && names(library, "author:doe note") == ["Notepad"])
    #expect(names(library, "favorite") == ["Notepad"] && names(library, "name:pad favorite").isEmpty)
    #expect(names(library, "soft") == ["Soft Pad", "Bench"])
    #expect(names(library, "") == library.presets.map(\.name) + ["Bench"])
    #expect(names(library, "nowhere").isEmpty && names(library, "name:").count == 5)
    let first = library.search(PresetQuery("pad"), most: 1)
    #expect(first.count == 3 && first.presets.map(\.name) == ["Pad of Glass"])
    // What was renamed since is found by its new name.
    try library.rename(#require(user.slot), to: "Ledger")
    #expect(names(library, "ledg") == ["Ledger"] && names(library, "notepad").isEmpty)
  }

  @Test(
    "A save keeps what describes the preset; a new one takes it from its origin, but for author and favorite")
  func saves() throws {
    let library = library()
    let pad = try library.find("Soft Pad")
    let new = try library.saveNew(.initial, current: pad.slot, origin: "Soft Pad")
    #expect(library.about(new).category == .pads && library.about(new).tags == ["soft", "warm"])
    #expect(library.about(new).author == nil)
    var about = library.about(new)
    about.author = "Me"
    about.isFavorite = true
    try library.describe(new, about)
    var patch = Patch.initial
    patch.filter.cutoff = 100
    let again = try library.save(patch, current: new.slot)
    #expect(again.slot == new.slot && library.about(again) == about)
    let named = try library.save(patch, name: "Other", current: new.slot)
    #expect(library.about(named).author == nil && !library.about(named).isFavorite)
    #expect(library.about(named).tags == ["soft", "warm"] && library.about(pad).author == "pipit")
  }

  @Test("Tags are a list, or additions and removals")
  func tags() throws {
    #expect(try Library.tags(["a"], edit: "B, c") == ["b", "c"] && Library.tags(["a"], edit: "").isEmpty)
    #expect(try Library.tags(["a", "b"], edit: "+c, -a,+b") == ["c", "b"])
    #expect(try Library.tags(["a", "b"], edit: "-a") == ["b"])
    #expect(throws: DocumentError.self) { try Library.tags([], edit: "+a, b") }
  }
}
