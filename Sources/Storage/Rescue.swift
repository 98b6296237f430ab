import CSQLite
import Glibc
import System

// Rescues documents from a damaged database: it is renamed, and its readable rows are copied into a new one.

extension Store {
  /// An open store, its documents, and sentences about what was damaged.
  struct Opened {
    let store: Store
    let documents: DocumentSet
    let notes: [String]
  }

  /// Opens the database, and creates its folder if necessary. A damaged file is renamed, and its readable rows are
  /// copied into a new one; of a file that is whole, only damaged documents are set aside. Throws for temporary errors,
  /// such as no space, no permission or another program.
  static func open(
    _ path: String, _ kinds: [DocumentKind], busyTimeout: Int32 = Database.busyTimeout
  ) throws(StoreError) -> Opened {
    StateFolder.make(of: path)
    // Finishes a rescue that was interrupted between its two renames.
    let fresh = path + ".rescued"
    if access(path, F_OK) != 0 { rename(fresh, path) }
    do {
      return try opened(path, kinds, busyTimeout, [])
    } catch {
      guard error.isDamage else { throw error }
    }
    lengthen(path)
    for name in [fresh, fresh + "-journal"] { unlink(name) }
    let rescued = Rescued(path)
    try Store(fresh, writes: true).write(rows: Array(rescued.rows.values))
    let damaged = Array(rescued.damaged)
    var notes: [String] = []
    if !damaged.isEmpty {
      notes.append(DamagedDocument.note(damaged, try DamagedDocument.write(damaged, beside: path)))
    }
    let aside = try putAside(path)
    rename(fresh, path)
    notes.insert(
      "the preset database was damaged; it is now \(aside), and its readable presets were kept", at: 0)
    return try opened(path, kinds, busyTimeout, notes)
  }

  private static func opened(
    _ path: String, _ kinds: [DocumentKind], _ busyTimeout: Int32, _ notes: [String]
  ) throws(StoreError) -> Opened {
    let store = try Store(path, writes: true, busyTimeout: busyTimeout)
    let documents = try store.load(kinds)
    var notes = notes
    if !store.damaged.isEmpty {
      do throws(StoreError) {
        try store.setDamagedAside()
      } catch {
        // A full or read-only disk: they stay where they are, and nothing is written before they are set aside.
        notes.append("\(DamagedDocument.note(store.damaged, path)), because pipit \(error)")
      }
    }
    return Opened(store: store, documents: documents, notes: notes + store.takeNotes())
  }

  /// Extends a truncated file to the length in its header, since SQLite reads nothing of it otherwise.
  private static func lengthen(_ path: String) {
    let file = Glibc.open(path, O_RDWR | O_CLOEXEC)
    guard file >= 0 else { return }
    defer { close(file) }
    var head = [UInt8](repeating: 0, count: 32)
    guard read(file, &head, head.count) == head.count else { return }
    let page = Int(head[16]) << 8 | Int(head[17])
    let count = head[28...31].reduce(0) { $0 << 8 | Int($1) }
    let length = (page == 1 ? 65_536 : page) * count
    let limit = 1 << 30
    if length <= limit, lseek(file, 0, SEEK_END) < length { _ = ftruncate(file, length) }
  }

  private static func putAside(_ path: String) throws(StoreError) -> String {
    let name = DamagedDocument.freePath(path + ".damaged-")
    guard rename(path, name) == 0 else {
      let reason = String(cString: strerror(errno))
      throw StoreError(
        code: SQLITE_CANTOPEN, message: "it is damaged and cannot be renamed: \(reason)",
        attempt: "open presets",
        path: path)
    }
    // The journal goes with its file, so that it is not applied to the new one.
    rename(path + "-journal", name + "-journal")
    return name
  }
}

/// What can be read of a damaged file, of this version or an earlier one, also documents of unknown kinds.
private struct Rescued {
  struct Version: Hashable {
    let kind, key: String
    let age: Int
  }

  /// The readable rows.
  var rows: [Version: [SQLValue]] = [:]
  /// What is left of rows whose checksum does not fit, or whose text is no text.
  var damaged: Set<DamagedDocument> = []

  private init() {}

  init(_ path: String) {
    guard let database = try? Database(path, create: false) else { return }
    let isCurrent = read(
      "SELECT \(Store.columns) FROM documents NOT INDEXED", of: database, isChecked: true)
    if !isCurrent || rows.isEmpty { readWithoutSchema(path) }
    // Before version 0.3, documents have no checksums, and before that no column `saved`.
    if !isCurrent {
      _ =
        read("SELECT kind, key, age, name, text, saved FROM documents NOT INDEXED", of: database)
        || read("SELECT kind, key, age, name, text FROM documents NOT INDEXED", of: database)
    }
    for table in [
      Migrations.presetsOfVersion01 + " NOT INDEXED", Migrations.factoryOfVersion01,
      Migrations.sessionOfVersion01, Migrations.clientsOfVersion01,
    ] { _ = read(table, of: database) }
  }

  /// Reads a table from the front up to the damage, and from the back. False if there is no such table.
  private mutating func read(_ table: String, of database: Database, isChecked: Bool = false) -> Bool {
    var isTable = true
    for order in ["ASC", "DESC"] {
      do throws(StoreError) {
        try database.run("\(table) ORDER BY rowid \(order)", [], "rescue presets") { row in
          take(row, isChecked)
        }
      } catch { if error.isBadStatement { isTable = false } }
    }
    return isTable
  }

  private mutating func take(_ row: SQLRow, _ isChecked: Bool) {
    // A long text continues on other pages; if these are damaged, its bytes are no valid characters.
    guard let text = row.validText(4), !isChecked || Store.damage(row) == nil else {
      damaged.insert(DamagedDocument(row))
      return
    }
    let version = Version(kind: row.text(0), key: row.text(1), age: row.integer(2))
    if rows[version] != nil { return }
    rows[version] = [
      .text(version.kind), .text(version.key), .integer(version.age), .text(row.text(3)), .text(text),
      .optional(row.integerOrNull(5)),
    ]
  }

  // MARK: - Without a schema

  private static let pageBytes = 4_096
  /// The largest file whose schema is replaced, bytes.
  private static let mostBytes = 1 << 28

  /// Reads a file whose first page is damaged, where the tables begin: it is replaced by one with the table of documents,
  /// which begins on the page from where most rows can be read.
  private mutating func readWithoutSchema(_ path: String) {
    let attempt = "rescue presets"
    guard var image = try? readFile(path, limit: Self.mostBytes), image.count > Self.pageBytes,
      let plain = try? Database(":memory:", create: true),
      (try? plain.script("CREATE TABLE documents (kind, key, age, name, text, saved, sum)", attempt)) != nil,
      let page = try? plain.image(attempt), page.count >= Self.pageBytes
    else { return }
    // The header stays: it has the length of the file.
    image.replaceSubrange(100..<Self.pageBytes, with: page[100..<Self.pageBytes])
    for root in Self.roots(image) {
      var found = Rescued()
      guard let database = try? Database(image: image, attempt),
        (try? database.script(
          """
          PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = \(root);
          PRAGMA writable_schema = RESET
          """, attempt)) != nil
      else { continue }
      // Version 0.1 had tables of other columns.
      _ = found.read(
        "SELECT \(Store.columns) FROM documents WHERE typeof(kind) = 'text' AND typeof(age) = 'integer'",
        of: database, isChecked: true)
      if found.rows.count > rows.count { self = found }
    }
  }

  /// The numbers of the pages that lead to other pages of a table; if there are none, those that hold rows.
  private static func roots(_ image: [UInt8]) -> [Int] {
    func pages(_ type: UInt8) -> [Int] {
      (2...image.count / pageBytes).filter { image[($0 - 1) * pageBytes] == type }
    }
    let inner = pages(5)
    return inner.isEmpty ? pages(13) : inner
  }
}
