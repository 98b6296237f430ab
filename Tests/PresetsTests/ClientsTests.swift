import Foundation
import Parameters
import Scratch
import Synth
import Testing

@testable import Presets

/// Who was shown the instrument, as the store keeps it beside the presets.
struct ClientsTests {
  @Test("They are there after a restart, in a file that an older pipit reads as well")
  func restart() throws {
    let folder = Folder()
    do {
      let library = folder.library()
      #expect(library.clients == "")
      try library.save(.initial, name: "Sound")
      library.keep(clients: "one\ntwo")
      library.keep(clients: "one\ntwo\nthree")
      #expect(library.stop(within: 30))
    }
    let library = folder.library()
    #expect(library.clients == "one\ntwo\nthree")
    library.keep(clients: "")
    #expect(library.stop(within: 30))
    #expect(folder.library().clients == "")
    #expect(folder.library().named("sound") != nil)
    var version = -1
    try Database(folder.database, create: false).run("PRAGMA user_version", [], "test") {
      version = $0.integer(0)
    }
    #expect(version == 1)
  }

  @Test("They are on the disk soon after, without a word")
  func soon() throws {
    let folder = Folder()
    let library = folder.library()
    library.keep(clients: "one")
    var kept: String?
    for _ in 0..<1_000 where kept != "one" {
      usleep(10_000)
      kept = try Store(folder.database, create: false).load().clients
    }
    #expect(kept == "one")
    #expect(library.reports().isEmpty)
  }

  @Test("A database that is out of reach at the start brings them when it is there")
  func late() throws {
    let folder = Folder()
    do {
      let library = folder.library()
      library.keep(clients: "one")
      #expect(library.stop(within: 30))
    }
    let other = try Database(folder.database, create: false)
    try other.script("BEGIN EXCLUSIVE", "hold the file")
    let library = folder.library()
    #expect(library.clients == nil)
    try other.script("COMMIT", "let go")
    try library.save(.initial, name: "Wakes the writer")
    #expect(reports(library) { $0.isDurable }.contains { $0.isDurable })
    #expect(library.clients == "one")
  }

  @Test("A database that is deleted while pipit runs gets them again")
  func deleted() throws {
    let folder = Folder()
    let library = folder.library()
    library.keep(clients: "one")
    try library.save(.initial, name: "Before")
    #expect(reports(library) { $0.isDurable }.contains { $0.isDurable })
    try FileManager.default.removeItem(atPath: folder.database)
    try library.save(.initial, name: "After")
    #expect(library.stop(within: 30))
    #expect(folder.library().clients == "one")
  }

  @Test(
    "Whatever lies in their place, presets are read and saved",
    arguments: [
      "CREATE TABLE clients (something BLOB)", "CREATE VIEW clients AS SELECT 1",
      "CREATE TABLE clients (id, text); INSERT INTO clients VALUES (1, x'ff00fe'), (2, NULL), (1, 7)",
    ])
  func alien(sql: String) throws {
    let folder = Folder()
    do {
      let library = folder.library()
      try library.save(.initial, name: "Before")
      #expect(library.stop(within: 30))
    }
    try Database(folder.database, create: false).script(sql, "test")
    let library = folder.library()
    library.keep(clients: "one")
    try library.save(.initial, name: "After")
    #expect(library.stop(within: 30))
    #expect(folder.library().presets.map(\.name) == ["Before", "After"])
    #expect(folder.damaged.isEmpty)
  }

  @Test("On a disk that can only be read they are no word worth, and a database from before them is read")
  func readOnly() throws {
    guard let disk = try Disk.readOnly() else { return }
    let library = disk.folder.library()
    #expect(library.clients == "" && library.presets.map(\.name) == ["Old"])
    _ = library.reports()
    library.keep(clients: "one")
    usleep(500_000)
    #expect(library.reports().isEmpty)
    // When it can be written to, they follow with the next preset.
    #expect(disk.readOnly(false))
    try library.save(.initial, name: "New")
    #expect(reports(library) { $0.isDurable }.contains { $0.isDurable })
    #expect(library.stop(within: 30))
    #expect(disk.folder.library().clients == "one")
  }

  @Test("A full disk takes neither them nor what is there, and is reported for presets only")
  func full() throws {
    guard let disk = Disk(kilobytes: 96) else { return }
    let library = disk.folder.library()
    library.keep(clients: "one")
    try library.save(.initial, name: "Before")
    #expect(reports(library) { $0.isDurable }.contains { $0.isDurable })
    disk.folder.file("ballast", String(repeating: "x", count: 40_000))
    library.keep(clients: String(repeating: "two\n", count: 50_000))
    usleep(1_000_000)
    #expect(library.reports().isEmpty)
    #expect(disk.folder.library().clients == "one")
    #expect(disk.run("mount", "-o", "remount,size=4m", disk.folder.path))
    #expect(library.stop(within: 30))
    #expect(disk.folder.library().clients?.hasPrefix("two") == true)
    #expect(disk.folder.library().named("before") != nil)
  }
}
