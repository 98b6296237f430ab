import Foundation
import Scratch
import System
import Testing

@testable import Presets
@testable import Storage

/// A database as version 0.1 left it.
private func version01(_ folder: Folder, presets: Int = 3) throws {
  let database = try Database(folder.database, create: true)
  try database.script(
    """
    PRAGMA journal_mode = TRUNCATE;
    CREATE TABLE presets (
      bank INTEGER NOT NULL, program INTEGER NOT NULL, age INTEGER NOT NULL,
      name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (bank, program, age));
    CREATE TABLE factory (bank INTEGER, program INTEGER, name TEXT NOT NULL, text TEXT NOT NULL);
    CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), text NOT NULL);
    CREATE TABLE clients (id INTEGER PRIMARY KEY CHECK (id = 1), text NOT NULL);
    PRAGMA user_version = 1;
    INSERT INTO factory VALUES (0, 0, 'Warm Bass', 'pipit preset 1'), (0, 5, 'Lead', 'pipit preset 1'),
      (NULL, NULL, 'Bench', 'pipit preset 1');
    INSERT INTO session VALUES (1, 'pipit session 1\nfocus 4\npreset 4 1 0\n/part/4/lfo/1/rate/hz 7\n');
    INSERT INTO clients VALUES (1, 'pipit clients 1\n192.168.1.20 heard 1763724000\n');
    INSERT INTO presets VALUES (7, 7, 1, 'Removed', 'pipit preset 1\n');
    """, "test")
  try database.transaction("test") { () throws(StoreError) in
    for number in 0..<presets {
      for age in 0..<5 {
        try database.run(
          "INSERT INTO presets VALUES (?, ?, ?, ?, ?)",
          [
            .integer(1 + number / 128), .integer(number % 128), .integer(age),
            .text("Sound \(number) of age \(age)"),
            .text("pipit preset 1\n/lfo/1/rate/hz \(1 + age)\n" + String(repeating: "# filled\n", count: 60)),
          ], "test")
      }
    }
  }
}

private func version(_ folder: Folder) throws -> Int {
  try Database(folder.database, create: false).migrationsDone()
}

/// Expects everything that `version01` wrote.
private func expectAll(_ library: Library, presets: Int = 3) throws {
  #expect(library.presets.count == 2 + presets)
  for number in 0..<presets {
    let place = try slot(1 + number / 128, number % 128)
    let history = library.history(place)
    #expect(history.current?.name == "Sound \(number) of age 0")
    #expect(history.earlier.map(\.name) == (1..<5).reversed().map { "Sound \(number) of age \($0)" })
    #expect(library.patch(of: try #require(library[place]))?.lfo.shape.rate == 1)
  }
  let lead = try #require(library[slot(0, 5)])
  #expect(lead.name == "Lead" && lead.isFactory)
  #expect(library.named("bench")?.isFactory == true)
  #expect(library.session?.focus == 3 && library.session?.presets[3] == Slot(bank: 1, program: 0))
  #expect(library.session?.scene[3].patch.lfo.shape.rate == 7)
  #expect(library.documents[.clients]?.text.contains("192.168.1.20") == true)
  #expect(library.history(try slot(7, 7)).earlier.map(\.name) == ["Removed"])
}

struct MigrationTests {
  @Test(
    "A database of version 0.1 is migrated with everything in it: presets, undo, session, clients, factory")
  func everything() throws {
    let folder = Folder()
    try version01(folder)
    let stepped = SteppedLibrary(folder) { Issue.record("\($0)") }
    #expect(stepped.run(at: 0).isEmpty)
    try expectAll(stepped.library)
    #expect(try stepped.library.undo(slot(1, 2))?.name == "Sound 2 of age 1")
    #expect(try stepped.library.undo(slot(7, 7))?.name == "Removed")
    #expect(stepped.stop(at: 0))
    #expect(try version(folder) == Migrations.all.count)
    #expect(try folder.library()[slot(1, 2)]?.name == "Sound 2 of age 1")
    var tables: [String] = []
    try Database(folder.database, create: false).run(
      "SELECT name FROM sqlite_master WHERE type = 'table'", [], "test"
    ) { tables.append($0.text(0)) }
    #expect(tables == ["documents"])
  }

  @Test(
    "Whatever lies in the place of the clients of version 0.1, everything else is migrated",
    arguments: [
      "DROP TABLE clients", "DROP TABLE clients; CREATE TABLE clients (something BLOB)",
      "DROP TABLE clients; CREATE VIEW clients AS SELECT 1",
      """
      DROP TABLE clients; CREATE TABLE clients (id, text);
      INSERT INTO clients VALUES (1, x'ff00fe'), (2, NULL), (1, 7)
      """,
    ])
  func strangeClients(sql: String) throws {
    let folder = Folder()
    try version01(folder)
    try Database(folder.database, create: false).script(sql, "test")
    let library = folder.library()
    #expect(library.presets.count == 5 && library.documents.isRead)
    #expect(library.documents[.clients] == nil)
    try library.documents.save(Document(text: "one"), .clients)
    try library.save(.initial, name: "After")
    #expect(library.stop(within: 60))
    #expect(folder.library().presets.count == 6 && folder.library().documents[.clients]?.text == "one")
    #expect(folder.damaged.isEmpty)
  }

  @Test("Steps are taken in order, each once; one that fails leaves nothing behind and is tried again")
  func steps() throws {
    let folder = Folder()
    try version01(folder)
    let database = try Database(folder.database, create: false)
    let third = Migration(name: "a third", statements: "CREATE TABLE third (x); INSERT INTO third VALUES (1)")
    let broken = Migration(
      name: "a fourth",
      statements: "CREATE TABLE fourth (x); DELETE FROM documents; INSERT INTO nowhere VALUES (1)")
    #expect {
      try database.migrate(Migrations.all + [third, broken])
    } throws: { error in
      "\(error)".hasPrefix(
        "could not bring the presets to a fourth in \(folder.database): no such table: nowhere")
    }
    #expect(try database.userVersion == Migrations.all.count + 1)
    let fourth = Migration(
      name: "a fourth",
      statements: "CREATE TABLE fourth (x); INSERT INTO fourth SELECT count(*) FROM documents")
    try database.migrate(Migrations.all + [third, fourth])
    try database.migrate(Migrations.all + [third, fourth])
    var counts: [Int] = []
    try database.run("SELECT x FROM third UNION ALL SELECT x FROM fourth", [], "test") {
      counts.append($0.integer(0))
    }
    // 15 presets and earlier versions and a removed one, 3 of the factory, session and clients.
    #expect(counts == [1, 21])
  }

  @Test("Killed at any moment of a migration, the file is the old one or the new one, with everything in it")
  func kill9() throws {
    let count = 300
    let old = Folder()
    try version01(old, presets: count)
    let bytes = contents(old.database)
    let saver = URL(
      fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    ).deletingLastPathComponent().appendingPathComponent("saver")
    // How many were killed before anything was written, in the midst of it, and after it.
    var (before, midst, after) = (0, 0, 0)
    var round = 0
    // A busy machine may let few be killed in the midst.
    let end = monotonic() + 120_000_000_000
    while round < 40 || (midst < 5 && monotonic() < end) {
      let folder = Folder()
      folder.file("presets.sqlite", bytes)
      let process = Process()
      process.executableURL = saver
      process.arguments = [folder.database]
      process.standardOutput = FileHandle.nullDevice
      try process.run()
      // From before its first write to after its last, however fast the machine is: the moments differ in time, and the
      // journal is there for less than a moment.
      let journal = folder.database + "-journal"
      while round % 4 != 0 && contents(journal).isEmpty && process.isRunning { usleep(100) }
      usleep(UInt32(round % 20) * 3_000)
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
      if contents(folder.database) == bytes && contents(journal).isEmpty {
        before += 1
      } else if !contents(journal).isEmpty {
        midst += 1
      } else {
        after += 1
      }
      let library = SteppedLibrary(folder)
      #expect(library.run(at: 0).isEmpty)
      try expectAll(library.library, presets: count)
      #expect(try version(folder) == Migrations.all.count)
      #expect(folder.damaged.isEmpty)
      round += 1
    }
    print("killed \(round) times: \(before) before, \(midst) in the midst, \(after) after")
    // Measured: 10 to 38 of 40.
    #expect(midst >= 5)
  }

  @Test("Looking at a database of version 0.1 changes nothing in it, and shows everything")
  func looking() throws {
    let folder = Folder()
    try version01(folder)
    let before = contents(folder.database)
    let library = Library(database: folder.database, factory: nil, writes: false) { Issue.record("\($0)") }
    try expectAll(library)
    #expect(contents(folder.database) == before)
  }

  @Test("On a disk that can only be read, a database of version 0.1 plays, and is migrated once it can be")
  func readOnly() throws {
    guard let disk = Disk(kilobytes: 1024) else { return }
    try version01(disk.folder)
    #expect(disk.readOnly(true))
    let stepped = SteppedLibrary(disk.folder)
    #expect(stepped.run(at: 0).map(\.isReadOnly) == [true])
    try expectAll(stepped.library)
    try stepped.library.save(.initial, name: "New")
    #expect(stepped.run(at: 1).compactMap(\.failure).first?.description.contains("writable") == true)
    #expect(disk.readOnly(false))
    stepped.run(at: 11)
    stepped.run(at: 21)
    #expect(stepped.stop(at: 22))
    #expect(try version(disk.folder) == Migrations.all.count)
    #expect(disk.folder.library().presets.count == 6)
  }

  @Test(
    "On a full disk, a database of version 0.1 plays, and is migrated with the first save for which there is room"
  )
  func full() throws {
    guard let disk = Disk(kilobytes: 96) else { return }
    try version01(disk.folder, presets: 10)
    disk.fill()
    let stepped = SteppedLibrary(disk.folder)
    #expect(stepped.run(at: 0).isEmpty)
    try expectAll(stepped.library, presets: 10)
    try stepped.library.save(.initial, name: "New")
    let failure = try #require(stepped.run(at: 1).compactMap(\.failure).first)
    #expect(failure.description.contains("could not bring the presets to one table of documents"))
    #expect(try version(disk.folder) == 1)
    #expect(disk.run("mount", "-o", "remount,size=4m", disk.folder.path))
    #expect(stepped.run(at: 11).map(\.isDurable) == [false, true])
    #expect(try version(disk.folder) == Migrations.all.count)
    #expect(disk.folder.library().presets.count == 13)
  }

  @Test("Of a damaged database of version 0.1, what can be read is rescued")
  func damaged() throws {
    let folder = Folder()
    try version01(folder, presets: 200)
    var pages = 0
    try folder.edit { data in
      pages = data.count / 4096
      data.replaceSubrange(
        4096 * (pages / 2)..<4096 * (pages / 2 + 1), with: Data(repeating: 0xA5, count: 4096))
    }
    let library = folder.library()
    #expect(folder.damaged.count == 1)
    print("one of \(pages) pages broken: \(library.presets.count) of 202 presets rescued")
    // Measured: 200; a page holds about five rows.
    #expect(library.presets.count >= 195)
    #expect(library.session?.focus == 3 && library.documents[.clients] != nil)
    #expect(library.stop(within: 60))
    #expect(try version(folder) == Migrations.all.count)
  }
}
