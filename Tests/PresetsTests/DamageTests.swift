import Foundation
import Scratch
import Synth
import Testing

@testable import Presets
@testable import Storage

/// Databases that no pipit has written: each is set aside with a sentence, and playing and saving go on.
struct DamageTests {
  private func filled(_ count: Int = 12) throws -> Folder {
    let folder = Folder()
    let library = folder.library()
    for number in 0..<count { try library.save(randomPatch(UInt64(number)), name: "Preset \(number)") }
    #expect(library.stop(within: 30))
    return folder
  }

  /// Whatever lies there, it can be saved to, and what was saved is there at the next start. What was told.
  private func isUsable(_ folder: Folder, _ what: Comment) throws -> [Report] {
    let stepped = SteppedLibrary(folder)
    let reports = stepped.run(at: 0)
    try stepped.library.save(.initial, name: "After")
    #expect(stepped.run(at: 1).contains { $0.isDurable }, what)
    #expect(stepped.stop(at: 2), what)
    #expect(folder.library().named("After") != nil, what)
    return reports
  }

  /// What is done to a database, and how many of twelve presets can be read of it then. Apart from the test: Swift 6.0.3
  /// crashes on it there.
  private static let strangeDatabases: [(statements: String, kept: Int)] = [
    ("PRAGMA user_version = -3", 12), ("PRAGMA user_version = -2147483648", 12),
    ("PRAGMA user_version = 0", 12), ("PRAGMA user_version = 1", 12), ("DROP TABLE documents", 0),
    ("ALTER TABLE documents RENAME COLUMN text TO words", 0),
    ("ALTER TABLE documents RENAME TO other; CREATE VIEW documents AS SELECT 1 AS kind", 0),
    (
      """
      DROP TABLE documents; CREATE TABLE presets (name TEXT); CREATE TABLE songs (title TEXT);
      PRAGMA user_version = 0
      """, 0
    ),
  ]

  @Test(
    "A database that says or holds what no pipit's does is set aside, and what can be read of it is kept",
    arguments: strangeDatabases)
  func strange(statements: String, kept: Int) throws {
    let folder = try filled()
    try Database(folder.database, create: false).script(statements, "test")
    // A command only reads: an error, no crash.
    #expect(throws: StoreError.self) { try Store(folder.database, writes: false).load(DocumentKind.all) }
    let notes = try isUsable(folder, "\(statements)").compactMap(\.note)
    #expect(notes.count == 1 && notes[0].contains("was damaged; it is now"))
    #expect(folder.damaged.count == 1)
    #expect(folder.library().presets.count == kept + 1)
  }

  @Test(
    "A rescue keeps a text with the sign for an unreadable letter, and drops one with an unreadable letter")
  func letters() throws {
    let folder = Folder()
    let library = folder.library()
    let text = "pipit preset 1\n# as \u{FFFD} was written\n"
    #expect(try library.importText(text, name: "Kept \u{FFFD}").preset.name == "Kept \u{FFFD}")
    try library.save(.initial, name: "Lost")
    #expect(library.stop(within: 30))
    let database = try Database(folder.database, create: false)
    try database.script(
      "UPDATE documents SET text = CAST(text || X'E282' AS TEXT) WHERE name = 'Lost'; PRAGMA user_version = -3",
      "test")
    _ = try isUsable(folder, "letters")
    let rescued = folder.library()
    #expect(rescued.named("Kept \u{FFFD}")?.text == text && rescued.named("Lost") == nil)
  }

  @Test("A file with bytes that were turned anywhere never ends the program, and can be saved to")
  func turned() throws {
    let first = try filled()
    let whole = contents(first.database)
    var random = SeededRandom(11)
    var aside = 0
    for round in 0..<60 {
      let folder = Folder()
      var bytes = whole
      // The header and the table of tables are where most can go wrong.
      let range = round % 2 == 0 ? 0..<600 : 0..<bytes.count
      for _ in 0...round % 5 {
        bytes[Int.random(in: range, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      folder.file("presets.sqlite", bytes)
      _ = try? Store(folder.database, writes: false).load(DocumentKind.all)
      let reports = SteppedLibrary(folder).run(at: 0)
      // A version that is higher than any is a newer pipit's, as far as anyone can tell.
      if reports.contains(where: { $0.failure?.description.contains("newer pipit") == true }) { continue }
      _ = try isUsable(folder, "round \(round)")
      aside += folder.damaged.count
    }
    print("60 damaged databases: \(aside) set aside")
    #expect(aside >= 10)
  }
}
