import CSQLite
import Glibc

/// The documents on disk: one database connection. One thread.
final class Store {
  private let database: Database
  private let inode: ino_t
  /// The versions in the file whose checksum does not fit, as far as `load` has met them. They are in no document, and
  /// are set aside before anything is written.
  private(set) var damaged: [DamagedDocument] = []
  // Sentences about what was found and mended.
  private var notes: [String] = []

  /// Opens the file. Throws if it cannot be used, also for damage.
  /// - Parameter writes: False for read-only access: the file must exist, and is not changed.
  init(_ path: String, writes: Bool, busyTimeout: Int32 = Database.busyTimeout) throws(StoreError) {
    if writes { StateFolder.makeFile(path) }
    let isMended = writes && DatabaseHeader.mend(path)
    database = try Database(path, create: writes, busyTimeout: busyTimeout)
    inode = Store.inode(path)
    // Everything is read once, at the start, so SQLite's default cache of 2 MB would be useless.
    try database.setCache(kilobytes: 64)
    let (stated, done) = try check()
    guard writes else { return }
    // TRUNCATE and FULL: when a commit returns, the emptied journal is on the disk as well, so that no power cut can
    // undo the commit. Saves are rare, so their time does not matter.
    try database.script(
      "PRAGMA journal_mode = TRUNCATE; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF", "open presets"
    )
    if isMended || stated != done {
      notes.append("the header of the preset database was damaged; it was mended, and nothing is lost")
    }
    if stated == Migrations.all.count && done == stated { return }
    do {
      // A step may change every page. One that leaves the cache before the end costs a sync of the disk.
      try database.setCache(kilobytes: 16_384)
      try database.migrate()
    } catch {
      // An older file can still be read without writing.
      if error.isDamage || error.isBusy { throw error }
    }
    try database.setCache(kilobytes: 64)
  }

  /// The sentences about what was found and mended since the last call.
  func takeNotes() -> [String] {
    defer { notes = [] }
    return notes
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

  /// The completed steps of its migration: those that it states, and those that its tables tell.
  private func check() throws(StoreError) -> (stated: Int, done: Int) {
    let steps = (try database.userVersion, try database.migrationsDone())
    var verdict = "ok"
    // With the index, by which documents are replaced.
    try database.run("PRAGMA integrity_check(1)", [], "check presets") { verdict = $0.text(0) }
    guard verdict == "ok" else {
      throw StoreError(code: SQLITE_CORRUPT, message: verdict, attempt: "check presets", path: database.path)
    }
    return steps
  }

  // MARK: - Reading

  /// Loads all documents of some kinds whose checksums fit; the others are in `damaged`. An older file that could not be
  /// migrated is migrated in memory.
  func load(_ kinds: [DocumentKind]) throws(StoreError) -> DocumentSet {
    var database = database
    if try database.migrationsDone() < Migrations.all.count {
      database = try database.copy("load presets")
      try database.migrate()
    }
    let known = Dictionary(uniqueKeysWithValues: kinds.map { ($0.name, $0) })
    var documents: [DocumentID: DocumentHistory] = [:]
    var earlier: [(id: DocumentID, age: Int, document: Document)] = []
    damaged = []
    try database.run("SELECT \(Store.columns) FROM documents", [], "load presets") { row in
      if let damage = Store.damage(row) { return damaged.append(damage) }
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

  /// The columns of a row as `damage` expects them.
  static let columns = "kind, key, age, name, text, saved, \(Checksum.fits)"

  /// What is left of a row of `columns` whose checksum does not fit; nil if it does.
  static func damage(_ row: SQLRow) -> DamagedDocument? {
    row.integer(6) != 0 ? nil : DamagedDocument(row)
  }

  // MARK: - Writing

  /// Moves the damaged versions into a text file beside the database.
  func setDamagedAside() throws(StoreError) {
    if damaged.isEmpty { return }
    if isReadOnly {
      throw StoreError(
        code: SQLITE_READONLY, message: "it is read-only", attempt: "set damaged presets aside",
        path: database.path)
    }
    let path = try DamagedDocument.write(damaged, beside: database.path)
    try database.transaction("set damaged presets aside") { () throws(StoreError) in
      try database.run("DELETE FROM documents WHERE NOT \(Checksum.fits)", [], "set damaged presets aside")
    }
    notes.append(DamagedDocument.note(damaged, path))
    damaged = []
  }

  /// Writes new histories, all or none; they are durable on return. Unchanged ones are not written again.
  func write(_ changes: [DocumentID: DocumentHistory]) throws(StoreError) {
    if changes.isEmpty { return }
    // Another program may have changed the file.
    try database.migrate()
    try setDamagedAside()
    try database.transaction("save") { () throws(StoreError) in
      for (id, history) in changes.sorted(by: { $0.key < $1.key }) { try write(id, history) }
    }
  }

  private func write(_ id: DocumentID, _ history: DocumentHistory) throws(StoreError) {
    let identity: [SQLValue] = [.text(id.kind.name), .text(id.key)]
    let attempt = "save \(history.current.map { $0.name.isEmpty ? "" : "\"\($0.name)\" " } ?? "")(\(id))"
    let versions = history.versions
    let wanted = versions.map { ($0, $1.name, $1.text, $1.saved, true) }
    var stored: [(Int, String, String, Int?, Bool)] = []
    try database.run(
      "SELECT \(Store.columns) FROM documents WHERE kind = ? AND key = ? ORDER BY age", identity, attempt
    ) { stored.append(($0.integer(2), $0.text(3), $0.text(4), $0.integerOrNull(5), $0.integer(6) != 0)) }
    if stored.elementsEqual(wanted, by: ==) { return }
    try database.run("DELETE FROM documents WHERE kind = ? AND key = ?", identity, attempt)
    for (age, name, text, saved, _) in wanted {
      try insert(identity + [.integer(age), .text(name), .text(text), .optional(saved)], attempt)
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
      """
      INSERT INTO documents (kind, key, age, name, text, saved, sum)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, checksum(?1, ?2, ?3, ?4, ?5, ?6))
      """, row, attempt)
  }
}

/// The bytes in the header of an SQLite file that are the same in all files that pipit writes.
enum DatabaseHeader {
  private static let magic = Array("SQLite format 3\0".utf8)
  // Bytes at an offset: no reserved space and the fixed fractions of a page; the format of the schema; UTF-8.
  private static let constants: [(at: Int, bytes: [UInt8])] = [
    (20, [0, 64, 32, 32]), (44, [0, 0, 0, 4]), (56, [0, 0, 0, 1]),
  ]
  private static let length = 100
  /// So many bytes of the magic words may be wrong in a file that is a database nevertheless.
  private static let mostWrong = 2

  /// Mends damaged bytes, of which each would make the file unreadable or read-only. False if there was nothing to mend,
  /// or the file cannot be written. Another file is not touched.
  static func mend(_ path: String) -> Bool {
    let file = open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return false }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: length)
    guard pread(file, &head, length, 0) == length else { return false }
    if zip(head, magic).filter({ $0 != $1 }).count > mostWrong { return false }
    var mended = mended(head)
    // A journal, which a crash has left, has the true header.
    var journal = stat()
    let isWhole = stat(path + "-journal", &journal) != 0 || journal.st_size == 0
    if isWhole, mended[18] == 1 { countPages(&mended, fileBytes: Int(lseek(file, 0, SEEK_END))) }
    return mended != head && pwrite(file, mended, length, 0) == length && fsync(file) == 0
  }

  /// Corrects a number of pages that leaves out the end of the file. A file that is too short lacks pages in truth.
  private static func countPages(_ head: inout [UInt8], fileBytes: Int) {
    let page = head[16...17].reduce(0) { $0 << 8 | Int($1) }
    let count = head[28...31].reduce(0) { $0 << 8 | Int($1) }
    if page < 512 || fileBytes % page != 0 || count >= fileBytes / page { return }
    for place in 0..<4 { head[28 + place] = UInt8(truncatingIfNeeded: fileBytes / page >> (24 - 8 * place)) }
  }

  private static func mended(_ head: [UInt8]) -> [UInt8] {
    var head = head
    head.replaceSubrange(0..<magic.count, with: magic)
    let page = Int(head[16]) << 8 | Int(head[17])
    // A power of two from 512, or 1 for 65,536.
    if page != 1 && (page < 512 || page & (page - 1) != 0) { (head[16], head[17]) = (16, 0) }
    // 1, or 2 for a write-ahead log: to write and to read.
    for index in 18...19 where !(1...2).contains(head[index]) { head[index] = 1 }
    for (at, bytes) in constants { head.replaceSubrange(at..<at + bytes.count, with: bytes) }
    return head
  }
}
