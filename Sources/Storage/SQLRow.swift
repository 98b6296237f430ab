import CSQLite

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
