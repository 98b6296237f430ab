import Foundation
import Glibc
import Scenes
import Scratch
import Testing
@testable import Presets
@testable import Storage

/// The earlier versions of presets: when they were saved, what differs, and that none is lost.
struct VersionTests {
  private let folder = Folder()

  private func sound(_ cutoff: Float) -> Patch {
    var patch = Patch.initial
    patch.filter.cutoff = cutoff
    return patch
  }

  @Test("A version knows when it was saved, after a restart and a rescue too; one of an older file does not")
  func times() throws {
    do {
      let database = try Database(folder.database, create: true)
      try database.migrate(Array(Migrations.all.prefix(2)))
      try database.script(
        "INSERT INTO documents VALUES ('preset', '1/0', 0, 'Mine', 'pipit preset 1\n/filter/cutoff/hz 300\n')",
        "test")
    }
    let place = try slot(1, 0)
    let before = time(nil)
    do {
      let library = folder.library()
      #expect(library.versions(place).map(\.saved) == [nil])
      try library.save(sound(400), slot: place)
      #expect(library.stop(within: 60))
    }
    func expectTimes(_ library: Library) throws {
      let versions = library.versions(place)
      #expect(versions.map(\.age) == [0, 1] && versions.map(\.preset.name) == ["Mine", "Mine"])
      #expect(versions.last?.saved == nil)
      let saved = try #require(versions.first?.saved)
      #expect((before...time(nil)).contains(saved))
    }
    try expectTimes(folder.library())
    // The index of the table, which nothing is rescued from.
    try folder.edit { $0.replaceSubrange(2 * 4096..<3 * 4096, with: Data(repeating: 0xA5, count: 4096)) }
    let rescued = folder.library()
    try expectTimes(rescued)
    // Other tags are no save.
    let saved = rescued.versions(place).first?.saved
    var about = PresetAbout()
    about.tags = ["x"]
    try rescued.describe(#require(rescued[place]), about)
    #expect(rescued.versions(place).first?.saved == saved && rescued.versions(place).count == 2)
    #expect(rescued.stop(within: 60))
    #expect(try folder.library().about(#require(folder.library()[place])).tags == ["x"])
  }

  @Test("Bringing versions back, in any order, loses none; the mark as a favorite stays")
  func restore() throws {
    let library = folder.library()
    let place = try slot(1, 0)
    for cutoff in 1...5 { try library.save(sound(Float(cutoff * 100)), name: "Mine", slot: place) }
    var about = PresetAbout()
    about.isFavorite = true
    try library.describe(#require(library[place]), about)
    func cutoffs(_ library: Library) -> [Float] {
      library.versions(place).map { library.patch(of: $0.preset)?.filter.cutoff ?? 0 }
    }
    #expect(cutoffs(library) == [500, 400, 300, 200, 100])
    let changes = try library.recording { () throws(DocumentError) in try library.restore(place, age: 3) }
    #expect(cutoffs(library) == [200, 500, 400, 300, 100])
    #expect(library.about(try #require(library[place])).isFavorite)
    #expect(library.undo(changes[0]) && library.patch(of: library[place]!)?.filter.cutoff == 500)
    #expect(Set(cutoffs(library)) == [100, 200, 300, 400, 500])
    #expect(library.redo(changes[0]) && cutoffs(library).first == 200)
    for age in [4, 2, 1, 3] { try library.restore(place, age: age) }
    #expect(Set(cutoffs(library)) == [100, 200, 300, 400, 500])
    let now = cutoffs(library)
    #expect(throws: DocumentError.self) { try library.restore(place, age: 5) }
    #expect(throws: DocumentError.self) { try library.restore(place, age: 0) }
    #expect(library.stop(within: 60))
    #expect(cutoffs(folder.library()) == now)
  }

  @Test("A preset moves with its versions; an exchange is written as a whole, and undone")
  func move() throws {
    let library = folder.library()
    let (one, two) = (try slot(1, 0), try slot(1, 1))
    for name in ["A", "B"] {
      try library.save(sound(100), name: name)
      try library.save(sound(200), name: name)
    }
    let changes = try library.recording { () throws(DocumentError) in try library.move(one, to: two) }
    #expect(library[one]?.name == "B" && library[two]?.name == "A" && library.versions(two).count == 2)
    #expect(library.undo(changes[0]) && library[one]?.name == "A" && library.redo(changes[0]))
    #expect(library.stop(within: 60))
    let next = folder.library()
    #expect(next[one]?.name == "B" && next.versions(one).count == 2 && next[two]?.name == "A")
    try next.move(two, to: slot(9, 9))
    #expect(try next[two] == nil && next.listing.trash.isEmpty && next.find("9/9").name == "A")
    #expect(next.stop(within: 60))
    #expect(try folder.library().versions(slot(9, 9)).count == 2)
  }

  @Test("A difference is in words with units, and exact where the words are alike")
  func differences() {
    func preset(_ name: String, _ lines: String) -> Preset {
      Preset(slot: nil, name: name, text: "pipit preset 1\n" + lines, isFactory: false)
    }
    let one = preset("A", "/filter/cutoff/hz 300\n/osc/1/wave saw\n")
    let library = Library(database: nil, factory: nil, log: { _ in })
    #expect(library.differences(from: one, to: one).isEmpty)
    let other = preset("B", "category pads\nfavorite on\n/filter/cutoff/hz 300.01\n/osc/1/wave square\n")
    let found = library.differences(from: one, to: other).map { "\($0.address): \($0.before) -> \($0.after)" }
    #expect(found.prefix(3) == ["name: A -> B", "category:  -> pads", "favorite: off -> on"])
    #expect(found.contains("/osc/1/wave: saw -> square"))
    #expect(found.contains("/filter/cutoff: 300 -> 300.01") && found.count == 5, "\(found)")
  }

  @Test("The index of presets that is kept is the one that would be made")
  func index() throws {
    for number in 1...3 {
      folder.file("factory/0\(number)-x.txt", "pipit preset 1\nname N\(number % 2)\n")
    }
    let library = Library(database: nil, factory: folder.path + "/factory") { Issue.record("\($0)") }
    var random = SystemRandomNumberGenerator()
    for _ in 0..<400 {
      let place = try slot(Int.random(in: 0...2, using: &random), Int.random(in: 0...40, using: &random))
      if Bool.random(using: &random) {
        try library.put(Document(name: "N\(Int.random(in: 0...9, using: &random))", text: ""), in: place)
      } else {
        try library.put(nil, in: place)
      }
      _ = library.search(PresetQuery("n"))
    }
    let (slots, pages, names) = (library.index.slots, library.index.pages, library.index.names)
    let found = library.search(PresetQuery("")).presets.map(\.name)
    library.updateIndex()
    #expect(slots == library.index.slots && pages == library.index.pages && names == library.index.names)
    #expect(found == library.search(PresetQuery("")).presets.map(\.name))
  }
}
