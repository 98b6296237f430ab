import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// What the player does to presets: names, the trash, and changes that are taken back.
struct EditTests {
  private func cutoff(_ library: Library, _ slot: Slot) -> Float? {
    library[slot].flatMap { library.patch(of: $0) }?.filter.cutoff
  }

  private func patch(_ cutoff: Float) -> Patch {
    var patch = Patch.initial
    patch.filter.cutoff = cutoff
    return patch
  }

  @Test("A new preset's name follows from the one that its sound had, and is nobody's yet")
  func names() throws {
    let folder = Folder()
    folder.file("factory/01-glass.txt", "pipit preset 1\nname Glass\n")
    let library = Library(database: nil, factory: folder.path + "/factory", log: { _ in })
    #expect(library.nextName("Glass") == "Glass 2")
    #expect(library.nextName("Bass") == "Bass")
    #expect(library.nextName("") == "Sound")
    #expect(try library.saveNew(.initial, origin: "Glass").name == "Glass 2")
    #expect(library.nextName("glass") == "glass 3" && library.nextName("Glass 2") == "Glass 3")
    #expect(try library.saveNew(.initial, name: "Mine", origin: "Glass").name == "Mine")
    // Twice from the factory's: the first is called like it, the second follows.
    #expect(try library.save(.initial, current: slot(0, 0)).name == "Glass")
    #expect(try library.save(.initial, current: slot(0, 0)).name == "Glass 3")
    let long = String(repeating: "ß", count: 32)
    try library.save(.initial, name: long)
    #expect(library.nextName(long) == String(repeating: "ß", count: 31) + " 2")
    #expect(library.nextName("Year 1984") == "Year 1984")
  }

  @Test("The player's presets can be renamed, others not, and no two to one name")
  func rename() throws {
    let folder = Folder()
    folder.file("factory/01-glass.txt", "pipit preset 1\nname Glass\n")
    let library = Library(database: nil, factory: folder.path + "/factory", log: { _ in })
    let place = try #require(try library.save(patch(100), name: "One").slot)
    try library.save(patch(200), name: "Two")
    try library.rename(place, to: "  Eins ")
    #expect(library[place]?.name == "Eins" && cutoff(library, place) == 100)
    try library.rename(place, to: "EINS")
    #expect(library[place]?.name == "EINS")
    for (slot, name, why) in [
      (try slot(0, 0), "Other", "\"Glass\" is a factory preset"), (place, "two", "Own 2 is named \"two\""),
      (place, "\u{7}", "takes a name"), (try slot(1, 9), "Other", "no preset in Own 10"),
    ] {
      #expect {
        try library.rename(slot, to: name)
      } throws: { error in
        "\(error)".contains(why)
      }
    }
  }

  @Test("What is removed lies in the trash, over a restart too, until it is brought back")
  func trash() throws {
    let folder = Folder()
    do {
      let library = folder.library()
      for number in 1...3 { try library.save(patch(Float(number) * 100), name: "Preset \(number)") }
      try library.remove(slot(1, 1))
      #expect(throws: DocumentError.self) { try library.remove(slot(1, 1)) }
      #expect(library.stop(within: 60))
    }
    let library = folder.library()
    #expect(library.listing.trash.map(\.name) == ["Preset 2"])
    for name in ["preset 2", "Pre", "1/1"] {
      #expect(try library.removed(name)?.name == "Preset 2", "\(name)")
    }
    for name in ["", "2", "1/0", "Other"] { #expect(try library.removed(name) == nil, "\(name)") }
    // Its place is kept for it.
    #expect(try library.save(.initial, name: "New").slot == slot(1, 3))
    try library.restore(slot(1, 1))
    #expect(library.listing.trash.isEmpty)
    #expect(cutoff(library, try slot(1, 1)) == 200)
    #expect(throws: DocumentError.self) { try library.restore(slot(1, 1)) }
    // Several that begin so are named.
    for program in 0...1 { try library.remove(slot(1, program)) }
    #expect(throws: NoSuchPreset(name: "preset", candidates: ["Preset 1", "Preset 2"])) {
      _ = try library.removed("preset")
    }
    #expect(library.stop(within: 60))
  }

  @Test("Changes are taken back and done again exactly, and nothing that was saved is lost")
  func changes() throws {
    let folder = Folder()
    let library = folder.library()
    let place = try slot(1, 0)
    var changes: [DocumentChange] = []
    func edit(_ body: () throws(DocumentError) -> Void) throws { changes += try library.recording(body) }
    for number in 1...9 {
      let patch = patch(Float(number) * 100)
      try edit { () throws(DocumentError) in try library.save(patch, name: "Preset \(number)", slot: place) }
    }
    try edit { () throws(DocumentError) in try library.remove(place) }
    try edit { () throws(DocumentError) in try library.restore(place) }
    #expect(changes.count == 11)
    let all = changes.map { change in change.after?.name }
    for _ in 0..<2 {
      for change in changes.reversed() {
        #expect(library[place]?.name == change.after?.name)
        #expect(library.undo(change))
      }
      #expect(library[place] == nil && library.listing.trash.count == 1)
      for (change, name) in zip(changes, all) {
        #expect(library.redo(change))
        #expect(library[place]?.name == name)
      }
    }
    #expect(cutoff(library, place) == 900)
    #expect(library.history(place).earlier.map(\.name) == ["Preset 6", "Preset 7", "Preset 8"])
    // What is not there as it was left is not touched.
    try library.save(patch(5_000), name: "Of another part", slot: place)
    #expect(!library.undo(try #require(changes.last)))
    #expect(cutoff(library, place) == 5_000)
    #expect(library.stop(within: 60))
  }

  @Test("On a slow disk changes are gathered longer, so that it is not written to all the time")
  func slowDisk() throws {
    for (writeSeconds, gathered) in [(0.01, 1.0), (0.1, 2), (3, 5)] {
      let folder = Folder()
      let stepped = SteppedLibrary(folder, writeSeconds: writeSeconds)
      stepped.run(at: 0)
      func written() -> Int? {
        Library(database: folder.database, factory: nil, writes: false) { Issue.record("\($0)") }
          .session?.focus
      }
      stepped.library.save(Session(focus: 3))
      stepped.run(at: 10)
      stepped.run(at: 11)
      #expect(written() == 3)
      stepped.library.save(Session(focus: 4))
      stepped.run(at: 20)
      stepped.run(at: 20 + gathered - 0.001)
      #expect(written() == 3, "\(writeSeconds)")
      stepped.run(at: 20 + gathered)
      #expect(written() == 4, "\(writeSeconds)")
    }
  }
}
