import CSQLite
import Glibc

// Rescues documents from a damaged database: it is renamed, and its readable rows are copied into a new one.

extension Store {
  /// An open store, its documents, and the new path of a damaged file.
  struct Opened {
    let store: Store
    let documents: DocumentSet
    let damaged: String?
  }

  /// Opens the database, and creates its folder if necessary. A damaged file is renamed, and its readable rows are
  /// copied into a new one. Throws for temporary errors, such as no space, no permission or another program.
  static func open(
    _ path: String, _ kinds: [DocumentKind], busyTimeout: Int32 = Database.busyTimeout
  ) throws(StoreError) -> Opened {
    StateFolder.make(of: path)
    // Finishes a rescue that was interrupted between its two renames.
    let fresh = path + ".rescued"
    if access(path, F_OK) != 0 { rename(fresh, path) }
    do {
      let store = try Store(path, writes: true, busyTimeout: busyTimeout)
      return Opened(store: store, documents: try store.load(kinds), damaged: nil)
    } catch {
      guard error.isDamage else { throw error }
    }
    lengthen(path)
    for name in [fresh, fresh + "-journal"] { unlink(name) }
    try Store(fresh, writes: true).write(rows: rescue(path))
    let aside = try putAside(path)
    rename(fresh, path)
    let store = try Store(path, writes: true, busyTimeout: busyTimeout)
    return Opened(store: store, documents: try store.load(kinds), damaged: aside)
  }

  /// The readable rows of a damaged file, of this version or of 0.1, also those of unknown kinds: from the front up to
  /// the damage, and from the back.
  private static func rescue(_ path: String) -> [[SQLValue]] {
    guard let database = try? Database(path, create: false) else { return [] }
    var rows: [DocumentVersion: [SQLValue]] = [:]
    let tables = [
      // Documents of this version, and of those before the column `saved`.
      "SELECT kind, key, age, name, text, saved FROM documents NOT INDEXED",
      "SELECT kind, key, age, name, text FROM documents NOT INDEXED",
      Migrations.presetsOfVersion01 + " NOT INDEXED", Migrations.factoryOfVersion01,
      Migrations.sessionOfVersion01, Migrations.clientsOfVersion01,
    ]
    for table in tables {
      for order in ["ASC", "DESC"] {
        try? database.run("\(table) ORDER BY rowid \(order)", [], "rescue presets") { row in
          // A long text continues on other pages; if these are damaged, its bytes are no valid characters.
          guard let text = row.validText(4) else { return }
          let version = DocumentVersion(kind: row.text(0), key: row.text(1), age: row.integer(2))
          if rows[version] != nil { return }
          rows[version] = [
            .text(version.kind), .text(version.key), .integer(version.age), .text(row.text(3)),
            .text(text), .optional(row.integerOrNull(5)),
          ]
        }
      }
    }
    return Array(rows.values)
  }

  private struct DocumentVersion: Hashable {
    let kind, key: String
    let age: Int
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
    var name = "\(path).damaged-\(stamp())"
    while access(name, F_OK) == 0 { name += "x" }
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

  private static func stamp() -> String {
    var now = time(nil)
    var parts = tm()
    gmtime_r(&now, &parts)
    var text = [CChar](repeating: 0, count: 32)
    let count = strftime(&text, text.count, "%Y%m%d-%H%M%S", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
