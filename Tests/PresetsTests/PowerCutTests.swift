import Foundation
import Parameters
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// What is left when the power fails: at any moment every save that was called durable, and nothing damaged.
struct PowerCutTests {
  /// A folder with these files in it, as the next start finds them.
  private func folder(_ files: PowerCut.Files) -> Folder {
    let folder = Folder()
    for (name, bytes) in files { folder.file(name, bytes) }
    return folder
  }

  private func patch(_ number: Int) -> Patch {
    var patch = Patch.initial
    patch.filter.cutoff = Float(100 + number)
    return patch
  }

  /// The number of the preset in a slot; nil when nothing is there.
  private func number(_ library: Library, _ place: Slot) -> Int? {
    library[place].flatMap { library.patch(of: $0) }.map { Int($0.filter.cutoff) - 100 }
  }

  @Test("Whenever the power fails, what was called durable is there after the next start")
  func saves() throws {
    let live = Folder()
    let cut = PowerCut(live)
    let stepped = SteppedLibrary(live)
    stepped.run(at: 0)
    // Some on pages of their own, some over others, and one that is removed at last.
    let places = try [slot(1, 0), slot(1, 1), slot(1, 2)]
    let last = 9
    for number in 1...last {
      let place = places[number % 3]
      if number == last {
        try stepped.library.remove(place)
      } else {
        try stepped.library.save(patch(number), name: "Preset \(place.program)", slot: place)
        let long = Document(text: String(repeating: "filled \(number)\n", count: 500))
        try stepped.library.documents.save(long, .factory, "filling")
      }
      let told = stepped.run(at: Double(number))
      #expect(told.map(\.isDurable) == [true])
      // What the disk has for certain holds this save, and not only what it may have.
      let left = folder(cut.files)
      let after = SteppedLibrary(left)
      #expect(after.run(at: 0).isEmpty && left.damaged.isEmpty)
      #expect(self.number(after.library, place) == (number == last ? nil : number), "save \(number)")
      cut.mark = number
    }
    var seen: Set<[String: Data]> = []
    for moment in cut.moments where seen.insert(moment.files.mapValues { Data($0) }).inserted {
      let left = folder(moment.files)
      let after = SteppedLibrary(left)
      #expect(after.run(at: 0).isEmpty && left.damaged.isEmpty, "after save \(moment.mark)")
      for (index, place) in places.enumerated() {
        // The save that is under way is there or not.
        let saves = (1...last).filter { $0 % 3 == index }
        func expected(_ most: Int) -> Int? {
          saves.last { $0 <= most }.flatMap { $0 == last ? nil : $0 }
        }
        let found = number(after.library, place)
        #expect(
          found == expected(moment.mark) || found == expected(moment.mark + 1),
          "after save \(moment.mark): \(found.map(String.init) ?? "none") in \(place)")
      }
    }
    // Measured: 100; without syncs there would be none.
    #expect(seen.count > 30)
    // The journal's name is kept before the database is written to.
    #expect(cut.folderSyncs > 0)
  }

  @Test("Whenever the power fails in a rescue, the next start has what could be rescued")
  func rescue() throws {
    let live = Folder()
    do {
      let library = live.library()
      for number in 1...8 { try library.save(patch(number), name: "Preset \(number)") }
      #expect(library.stop(within: 60))
    }
    // Its tables are those of no pipit: all of it can be read.
    try Database(live.database, create: false).script(
      "ALTER TABLE documents RENAME COLUMN sum TO total", "test")
    let cut = PowerCut(live)
    let stepped = SteppedLibrary(live)
    #expect(stepped.run(at: 0).compactMap(\.note).count == 1)
    #expect(stepped.library.presets.count == 8)
    // The damaged file was not synced while it was observed, but it lay there before.
    let damaged = try #require(live.damaged.first)
    var files = cut.files
    files[damaged] = nil
    let left = folder(files)
    let after = SteppedLibrary(left)
    #expect(after.run(at: 0).isEmpty && after.library.presets.count == 8)
  }

  @Test("A connection that writes waits for others, and trusts nothing in the file")
  func connection() throws {
    let folder = Folder()
    func value(_ database: Database, _ name: String) throws -> Int {
      var value = -1
      try database.run("PRAGMA \(name)", [], "test") { value = $0.integer(0) }
      return value
    }
    #expect(try value(Database(folder.database, create: true), "busy_timeout") == 2_000)
    #expect(try value(Database(folder.database, create: true, busyTimeout: 70), "busy_timeout") == 70)
    #expect(Writer.retryInterval == 10_000_000_000)
  }

  @Test("A damaged file takes its journal along: it is not played back into the new one")
  func journal() throws {
    let folder = Folder()
    folder.file("presets.sqlite", [UInt8](repeating: 0x55, count: 8192))
    // One that SQLite leaves alone: its first byte is 0.
    let journal = [0] + [UInt8](repeating: 0xD9, count: 2000)
    folder.file("presets.sqlite-journal", journal)
    let stepped = SteppedLibrary(folder)
    #expect(stepped.run(at: 0).compactMap(\.note).count == 1)
    let aside = try #require(folder.damaged.first)
    #expect(contents(folder.path + "/" + aside + "-journal") == journal)
    #expect(contents(folder.database + "-journal") != journal)
  }

  @Test("A new rescue begins with nothing of one that was cut short")
  func staleRescue() throws {
    let folder = Folder()
    folder.file("presets.sqlite", [UInt8](repeating: 0x55, count: 8192))
    do {
      let other = Folder()
      let library = other.library()
      try library.save(.initial, name: "Stale")
      #expect(library.stop(within: 60))
      folder.file("presets.sqlite.rescued", contents(other.database))
    }
    folder.file("presets.sqlite.rescued-journal", [0, 1, 2, 3])
    let library = folder.library()
    #expect(library.presets.isEmpty && folder.damaged.count == 1)
    #expect(!folder.names.contains("presets.sqlite.rescued"))
    #expect(contents(folder.database + ".rescued-journal").isEmpty)
  }

  @Test("Two damaged files of one second are both kept")
  func twoDamaged() throws {
    let folder = Folder()
    for number in 1...3 {
      folder.file("presets.sqlite", [UInt8](repeating: UInt8(0x50 + number), count: 8192))
      let stepped = SteppedLibrary(folder)
      #expect(stepped.run(at: 0).compactMap(\.note).count == 1 && stepped.stop(at: 1))
      #expect(folder.damaged.count == number)
    }
    let kept = folder.damaged.map { contents(folder.path + "/" + $0).first }
    #expect(Set(kept) == [0x51, 0x52, 0x53])
  }
}
