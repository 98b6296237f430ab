import CSQLite

/// A connection to an SQLite file. One thread at a time.
package final class Database {
  let path: String
  private let handle: OpaquePointer

  /// The number of statements executed by `run`.
  private(set) var statementsRun = 0

  /// How long to wait for another process that locks the database, milliseconds.
  package static let busyTimeout: Int32 = 2_000

  /// Opens the file, and creates it if `create`. A file without write permission is opened for reading.
  init(_ path: String, create: Bool, busyTimeout: Int32 = Database.busyTimeout) throws(StoreError) {
    var handle: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | (create ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard code == SQLITE_OK, let handle else {
      let error = Database.error(handle, code, "open the database", path)
      sqlite3_close_v2(handle)
      throw error
    }
    self.path = path
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, busyTimeout)
    let registered = Checksum.register(handle)
    if registered != SQLITE_OK { throw error(registered, "open the database") }
  }

  deinit { sqlite3_close_v2(handle) }

  /// Whether the file is read-only.
  var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

  /// Executes statements without parameters and results.
  func script(_ sql: String, _ attempt: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw error(code, attempt) }
  }

  /// Executes one statement with values for its `?`, and passes each row of the result to `row`.
  func run(
    _ sql: String, _ values: [SQLValue] = [], _ attempt: String, row: (SQLRow) -> Void = { _ in }
  ) throws(StoreError) {
    statementsRun += 1
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(code, attempt) }
    defer { sqlite3_finalize(statement) }
    for (index, value) in values.enumerated() {
      let code = Database.bind(statement, Int32(index + 1), value)
      if code != SQLITE_OK { throw error(code, attempt) }
    }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: row(SQLRow(statement: statement))
      case SQLITE_DONE: return
      case let code: throw error(code, attempt)
      }
    }
  }

  /// Sets the size of SQLite's cache, and frees what is beyond.
  func setCache(kilobytes: Int) throws(StoreError) {
    try script("PRAGMA cache_size = -\(kilobytes); PRAGMA shrink_memory", "open presets")
  }

  /// Runs `body` as one transaction: on return it is durable, and after an error nothing has changed.
  func transaction(_ attempt: String, _ body: () throws(StoreError) -> Void) throws(StoreError) {
    try script("BEGIN IMMEDIATE", attempt)
    do {
      try body()
      try script("COMMIT", attempt)
    } catch {
      // Some failures have rolled back already; then this does nothing.
      sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
      throw error
    }
  }

  /// A copy of the database in memory.
  func copy(_ attempt: String) throws(StoreError) -> Database {
    let copy = try Database(":memory:", create: true)
    let backup = sqlite3_backup_init(copy.handle, "main", handle, "main")
    let code = sqlite3_backup_step(backup, -1)
    sqlite3_backup_finish(backup)
    if code != SQLITE_DONE { throw error(code, attempt) }
    return copy
  }

  /// The bytes of the database, as in its file.
  func image(_ attempt: String) throws(StoreError) -> [UInt8] {
    var size: sqlite3_int64 = 0
    guard let bytes = sqlite3_serialize(handle, "main", &size, 0) else { throw error(SQLITE_NOMEM, attempt) }
    defer { sqlite3_free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(size)))
  }

  /// A database in memory, made of the bytes of a file.
  convenience init(image: [UInt8], _ attempt: String) throws(StoreError) {
    try self.init(":memory:", create: true)
    guard let bytes = sqlite3_malloc64(UInt64(image.count)) else { throw error(SQLITE_NOMEM, attempt) }
    let (copy, size) = (bytes.initializeMemory(as: UInt8.self, from: image, count: image.count), image.count)
    let code = sqlite3_deserialize(
      handle, "main", copy, Int64(size), Int64(size), UInt32(SQLITE_DESERIALIZE_FREEONCLOSE))
    if code != SQLITE_OK { throw error(code, attempt) }
  }

  private static func bind(_ statement: OpaquePointer, _ index: Int32, _ value: SQLValue) -> Int32 {
    switch value {
    case .integer(let number): return sqlite3_bind_int64(statement, index, Int64(number))
    case .null: return sqlite3_bind_null(statement, index)
    case .text(let text):
      var text = text
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
          sqlite3_bind_text64(
            statement, index, $0.baseAddress, UInt64($0.count), transient, UInt8(SQLITE_UTF8))
        }
      }
    }
  }

  private func error(_ code: Int32, _ attempt: String) -> StoreError {
    Database.error(handle, code, attempt, path)
  }

  private static func error(
    _ handle: OpaquePointer?, _ code: Int32, _ attempt: String, _ path: String
  ) -> StoreError {
    let extended = handle.map { sqlite3_extended_errcode($0) } ?? code
    let message = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    return StoreError(
      code: extended & 0xff == code & 0xff ? extended : code,
      message: message.map { String(cString: $0) } ?? "unknown error", attempt: attempt, path: path)
  }
}

// SQLITE_TRANSIENT, a cast in C: SQLite copies the bytes before it returns.
private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

/// A value in a statement.
enum SQLValue {
  case integer(Int)
  case text(String)
  case null

  /// The integer, or null for nil.
  static func optional(_ number: Int?) -> SQLValue { number.map { .integer($0) } ?? .null }
}

/// The current row of a query. Valid only inside the closure that receives it.
struct SQLRow {
  let statement: OpaquePointer

  /// The integer in a column; 0 for other types.
  func integer(_ column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

  /// The integer in a column; nil for other types.
  func integerOrNull(_ column: Int32) -> Int? {
    sqlite3_column_type(statement, column) == SQLITE_INTEGER ? integer(column) : nil
  }

  /// The text in a column; invalid UTF-8 is replaced.
  func text(_ column: Int32) -> String {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }

  /// The bytes of the text in a column.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let bytes = sqlite3_column_text(statement, column) else { return [] }
    return Array(UnsafeBufferPointer(start: bytes, count: Int(sqlite3_column_bytes(statement, column))))
  }

  /// The text in a column; nil if it is invalid UTF-8.
  func validText(_ column: Int32) -> String? {
    guard let bytes = sqlite3_column_text(statement, column) else { return "" }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(validating: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
}
