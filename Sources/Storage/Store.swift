import CSQLite
import Glibc

/// The documents on disk: one database connection. One thread.
final class Store {
  private let database: Database
  private let inode: ino_t

  /// Opens the file. Throws if it cannot be used, also for damage.
  /// - Parameter writes: False for read-only access: the file must exist, and is not changed.
  init(_ path: String, writes: Bool, busyTimeout: Int32 = Database.busyTimeout) throws(StoreError) {
    if writes { StateFolder.makeFile(path) }
    database = try Database(path, create: writes, busyTimeout: busyTimeout)
    inode = Store.inode(path)
    // Everything is read once, at the start, so SQLite's default cache of 2 MB would be useless.
    try database.script("PRAGMA cache_size = -64", "open presets")
    try check()
    guard writes else { return }
    // TRUNCATE and FULL: when a commit returns, the emptied journal is on the disk as well, so that no power cut can
    // undo the commit. Saves are rare, so their time does not matter.
    try database.script(
      "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF", "open presets"
    )
    do {
      try database.migrate()
    } catch {
      // An older file can still be read without writing.
      if error.isDamage || error.isBusy { throw error }
    }
  }

  /// Whether the file is read-only.
  var isReadOnly: Bool { database.isReadOnly }

  /// False if the file was deleted or replaced, so that writes would be lost.
  var isInPlace: Bool { inode == Store.inode(database.path) }

  /// The number of executed statements.
  var statementsRun: Int { database.statementsRun }

  private static func inode(_ path: String) -> ino_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_ino : 0
  }

  /// Throws if the schema is newer than this version. Another program may change the file at any time.
  private func checkVersion() throws(StoreError) {
    let version = try database.migrationsDone()
    guard version <= Migrations.all.count else {
      throw StoreError(
        code: SQLITE_SCHEMA,
        message: "written by a newer pipit (schema \(version), this one knows \(Migrations.all.count))",
        attempt: "use presets", path: database.path)
    }
  }

  private func check() throws(StoreError) {
    try checkVersion()
    var verdict = "ok"
    try database.run("PRAGMA quick_check(1)", [], "check presets") { verdict = $0.text(0) }
    guard verdict == "ok" else {
      throw StoreError(code: SQLITE_CORRUPT, message: verdict, attempt: "check presets", path: database.path)
    }
  }

  // MARK: - Reading

  /// Loads all documents of some kinds. An older file that could not be migrated is migrated in memory.
  func load(_ kinds: [DocumentKind]) throws(StoreError) -> DocumentSet {
    var database = database
    if try database.migrationsDone() < Migrations.all.count {
      database = try database.copy("load presets")
      try database.migrate()
    }
    let known = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    var documents: [DocumentID: DocumentHistory] = [:]
    var earlier: [(id: DocumentID, age: Int, document: Document)] = []
    try database.run("SELECT kind, key, age, name, text, saved FROM documents", [], "load presets") { row in
      guard let kind = known[row.text(0)] else { return }
      let (id, age) = (DocumentID(kind, row.text(1)), row.integer(2))
      let document = Document(
        name: Document.name(row.text(3)) ?? "", text: row.text(4), saved: row.integerOrNull(5))
      if age == 0 {
        documents[id, default: DocumentHistory()].current = document
      } else {
        earlier.append((id, age, document))
      }
    }
    for (id, _, document) in earlier.sorted(by: { $0.age > $1.age }) {
      documents[id, default: DocumentHistory()].earlier.append(document)
    }
    return DocumentSet(documents)
  }

  // MARK: - Writing

  /// Writes new histories, all or none; they are durable on return. Unchanged ones are not written again.
  func write(_ changes: [DocumentID: DocumentHistory]) throws(StoreError) {
    if changes.isEmpty { return }
    try checkVersion()
    try database.migrate()
    try database.transaction("save") { () throws(StoreError) in
      for (id, history) in changes.sorted(by: { $0.key < $1.key }) { try write(id, history) }
    }
  }

  private func write(_ id: DocumentID, _ history: DocumentHistory) throws(StoreError) {
    let identity: [SQLValue] = [.text(id.kind.name), .text(id.key)]
    let attempt = "save \(history.current.map { $0.name.isEmpty ? "" : "\"\($0.name)\" " } ?? "")(\(id))"
    let versions = history.versions
    let texts = versions.map { ($0, $1.name, $1.text) }
    var stored: [(Int, String, String)] = []
    try database.run(
      "SELECT age, name, text FROM documents WHERE kind = ? AND key = ? ORDER BY age", identity, attempt
    ) { stored.append(($0.integer(0), $0.text(1), $0.text(2))) }
    if stored.elementsEqual(texts, by: ==) { return }
    try database.run("DELETE FROM documents WHERE kind = ? AND key = ?", identity, attempt)
    for (version, (age, name, text)) in zip(versions, texts) {
      try insert(
        identity + [.integer(age), .text(name), .text(text), .optional(version.document.saved)], attempt)
    }
  }

  /// Writes rows that were rescued from another file.
  func write(rows: [[SQLValue]]) throws(StoreError) {
    try database.transaction("save what was rescued") { () throws(StoreError) in
      for row in rows { try insert(row, "save what was rescued") }
    }
  }

  private func insert(_ row: [SQLValue], _ attempt: String) throws(StoreError) {
    try database.run(
      "INSERT INTO documents (kind, key, age, name, text, saved) VALUES (?, ?, ?, ?, ?, ?)", row, attempt)
  }
}
