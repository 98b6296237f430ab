import CSQLite
import Glibc
import Synth

/// One version of the preset in a slot.
struct Version: Sendable, Equatable {
  let name: String
  let text: String
}

/// What the player keeps in one slot: the preset, and the versions before it, oldest first.
struct Shelf: Sendable, Equatable {
  var current: Version?
  var earlier: [Version] = []
}

/// Everything in the database.
struct Contents: Sendable {
  var shelves: [Slot: Shelf] = [:]
  var factory: [Preset] = []
  var session: String?
  var clients: String?
}

/// The presets on disk. One connection, one thread, no state but the file.
final class Store {
  let database: Database
  private let inode: ino_t

  // The age of a preset is 0 for the one that sounds, 1 for the one before it and so on.
  private static let migrations = [
    """
    CREATE TABLE presets (
      bank INTEGER NOT NULL, program INTEGER NOT NULL, age INTEGER NOT NULL,
      name TEXT NOT NULL, text TEXT NOT NULL, UNIQUE (bank, program, age));
    CREATE TABLE factory (bank INTEGER, program INTEGER, name TEXT NOT NULL, text TEXT NOT NULL);
    CREATE TABLE session (id INTEGER PRIMARY KEY CHECK (id = 1), text NOT NULL);
    """
  ]

  /// Opens the file as it is: throws what stands against it, damage included.
  init(_ path: String, create: Bool) throws(StoreError) {
    database = try Database(path, create: create)
    inode = Store.inode(path)
    // TRUNCATE and FULL: when a commit returns, the emptied journal is on the disk too, so that not even a
    // power cut can take the commit back. Saves are rare; their time does not matter.
    try database.script(
      "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF", "open presets"
    )
    try check()
    try migrate()
  }

  /// True when the file can be read only.
  var isReadOnly: Bool { database.isReadOnly }

  /// False when the file has been deleted or replaced: what is written now would be lost.
  var isInPlace: Bool { inode == Store.inode(database.path) }

  private static func inode(_ path: String) -> ino_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ino : 0
  }

  private func check() throws(StoreError) {
    var verdict = "ok"
    try database.run("PRAGMA quick_check(1)", [], "check presets") { verdict = $0.text(0) }
    guard verdict == "ok" else {
      throw StoreError(code: SQLITE_CORRUPT, message: verdict, attempt: "check presets", path: database.path)
    }
  }

  private func migrate() throws(StoreError) {
    var version = 0
    try database.run("PRAGMA user_version", [], "read the version") { version = $0.integer(0) }
    guard version <= Store.migrations.count else {
      throw StoreError(
        code: SQLITE_SCHEMA,
        message: "written by a newer pipit (schema \(version), this one knows \(Store.migrations.count))",
        attempt: "use presets", path: database.path)
    }
    for (index, step) in Store.migrations.enumerated().dropFirst(version) {
      try database.transaction("prepare tables") { () throws(StoreError) in
        try database.script(step + ";PRAGMA user_version = \(index + 1)", "prepare tables")
      }
    }
  }

  // MARK: - Reading

  /// Everything that the file holds.
  func load() throws(StoreError) -> Contents {
    var contents = Contents()
    try database.run(Store.allPresets + "ORDER BY bank, program, age DESC", [], "load presets") {
      contents.add($0)
    }
    try database.run("SELECT bank, program, name, text FROM factory ORDER BY rowid", [], "load presets") {
      row in
      let slot = row.isNull(0) ? nil : Slot(bank: row.integer(0), program: row.integer(1))
      contents.factory.append(Preset(slot: slot, name: row.text(2), text: row.text(3), isFactory: true))
    }
    try database.run("SELECT text FROM session", [], "load the session") { contents.session = $0.text(0) }
    contents.clients = try? clients()
    return contents
  }

  private static let allPresets = "SELECT bank, program, age, name, text FROM presets "

  /// What can still be read of a damaged file: from the front up to the damage, and from the back.
  static func rescue(_ path: String) -> Contents {
    var contents = Contents()
    guard let database = try? Database(path, create: false) else { return contents }
    var found: [Int: (Slot, Int, Version)] = [:]
    for order in ["ASC", "DESC"] {
      try? database.run(
        "SELECT bank, program, age, name, text, rowid FROM presets NOT INDEXED ORDER BY rowid \(order)", [],
        "rescue presets"
      ) { row in
        if let (slot, version) = Contents.version(row) {
          found[row.integer(5)] = (slot, row.integer(2), version)
        }
      }
    }
    for (slot, age, version) in found.values.sorted(by: { $0.1 > $1.1 }) {
      contents.add(slot, age: age, version)
    }
    try? database.run("SELECT text FROM session", [], "rescue the session") { contents.session = $0.text(0) }
    try? database.run("SELECT text FROM clients", [], "rescue the clients") { contents.clients = $0.text(0) }
    return contents
  }

  // MARK: - Writing

  /// Writes what is given, all of it or nothing; it is durable when this returns.
  func write(shelves: [Slot: Shelf], factory: [Preset]?, session: String?) throws(StoreError) {
    if shelves.isEmpty && factory == nil && session == nil { return }
    try database.transaction("save") { () throws(StoreError) in
      for (slot, shelf) in shelves.sorted(by: { $0.key < $1.key }) { try write(slot, shelf) }
      if let factory { try write(factory: factory) }
      if let session {
        try database.run("REPLACE INTO session VALUES (1, ?)", [.text(session)], "save the session")
      }
    }
  }

  private func write(_ slot: Slot, _ shelf: Shelf) throws(StoreError) {
    let place: [Database.Value] = [.integer(slot.bank), .integer(slot.program)]
    let attempt = "save \(shelf.current.map { "\"\($0.name)\"" } ?? "the change") (\(slot))"
    try database.run("DELETE FROM presets WHERE bank = ? AND program = ?", place, attempt)
    let versions =
      (shelf.current.map { [(0, $0)] } ?? []) + shelf.earlier.reversed().enumerated().map { ($0 + 1, $1) }
    for (age, version) in versions {
      try database.run(
        "INSERT INTO presets VALUES (?, ?, ?, ?, ?)",
        place + [.integer(age), .text(version.name), .text(version.text)], attempt)
    }
  }

  private func write(factory: [Preset]) throws(StoreError) {
    let attempt = "save the factory presets"
    try database.run("DELETE FROM factory", [], attempt)
    for preset in factory {
      let sound: [Database.Value] = [.text(preset.name), .text(preset.text)]
      if let slot = preset.slot {
        try database.run(
          "INSERT INTO factory VALUES (?, ?, ?, ?)",
          [.integer(slot.bank), .integer(slot.program)] + sound, attempt)
      } else {
        try database.run("INSERT INTO factory VALUES (NULL, NULL, ?, ?)", sound, attempt)
      }
    }
  }
}

extension Contents {
  fileprivate mutating func add(_ row: Database.Row) {
    guard let (slot, version) = Contents.version(row) else { return }
    add(slot, age: row.integer(2), version)
  }

  /// Adds a version; the older ones must come first.
  fileprivate mutating func add(_ slot: Slot, age: Int, _ version: Version) {
    if age == 0 {
      shelves[slot, default: Shelf()].current = version
    } else {
      shelves[slot, default: Shelf()].earlier.append(version)
    }
  }

  /// The version in a row; nil for a row that no pipit can have written.
  fileprivate static func version(_ row: Database.Row) -> (Slot, Version)? {
    guard let slot = Slot(bank: row.integer(0), program: row.integer(1)), let name = Preset.name(row.text(3))
    else { return nil }
    return (slot, Version(name: name, text: row.text(4)))
  }
}
