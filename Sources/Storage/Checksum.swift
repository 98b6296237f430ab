import CSQLite
import CZlib
import Glibc
import System

/// The checksum of a row of documents: the CRC-32 of all its columns, so that no changed bit on the disk goes unnoticed.
/// SQLite calculates it, by the function `checksum` that every connection has: from the bytes as they are stored.
enum Checksum {
  /// The checksum of a row, in a statement.
  static let ofRow = "checksum(kind, key, age, name, text, saved)"
  /// Whether a row fits its checksum, in a statement. One that another program has added has none.
  static let fits = "(sum IS NULL OR sum = \(ofRow))"

  /// Adds the function to a connection. Returns SQLite's code.
  static func register(_ handle: OpaquePointer) -> Int32 {
    sqlite3_create_function_v2(
      handle, "checksum", -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, count, values in
        guard let values else { return }
        var sum = crc32(0, nil, 0)
        for value in UnsafeBufferPointer(start: values, count: Int(count)) {
          let bytes = sqlite3_value_text(value)
          // The length separates the columns; NULL has another one than the empty text.
          var length = bytes == nil ? Int32(-1) : sqlite3_value_bytes(value)
          sum = withUnsafeBytes(of: &length) {
            crc32(sum, $0.bindMemory(to: UInt8.self).baseAddress, UInt32($0.count))
          }
          if let bytes, length > 0 { sum = crc32(sum, bytes, UInt32(length)) }
        }
        sqlite3_result_int64(context, Int64(sum))
      }, nil, nil, nil)
  }
}

/// A stored version of a document whose checksum does not fit: what is left of it.
struct DamagedDocument: Hashable, Sendable {
  let kind: String
  let key: String
  let age: Int
  let name: String
  /// The text, also if it is invalid UTF-8.
  let bytes: [UInt8]

  /// What is left of a row of kind, key, age, name and text.
  init(_ row: SQLRow) {
    (kind, key, age) = (row.text(0), row.text(1), row.integer(2))
    (name, bytes) = (row.text(3), row.bytes(4))
  }

  /// The document in a sentence, as `preset 1/5 "Brass"`.
  var description: String {
    let words = [kind, key].filter { !$0.isEmpty } + (name.isEmpty ? [] : ["\"\(name)\""])
    let version = age == 0 ? "" : " (an earlier version)"
    return TextFormat.printable(words.joined(separator: " ")[...], length: 100) + version
  }

  /// Several documents in a sentence, the first six by name.
  static func list(_ documents: [DamagedDocument]) -> String {
    let shown = documents.prefix(6).map(\.description).joined(separator: ", ")
    return shown + (documents.count > 6 ? " and \(documents.count - 6) more" : "")
  }

  /// A note about documents, of which a file has what is left.
  static func note(_ documents: [DamagedDocument], _ path: String) -> String {
    "damaged on the disk, and no longer among the presets: \(list(documents)); what is left is in \(path)"
  }

  /// Writes what is left of documents into a new text file beside a database. Returns its path.
  static func write(_ documents: [DamagedDocument], beside database: String) throws(StoreError) -> String {
    let path = freePath(database + ".damaged-", ".txt")
    do throws(FileError) {
      let file = try NewFile(path)
      for document in documents {
        try file.write(Array("# \(document.description)\n".utf8) + document.bytes + Array("\n\n".utf8))
      }
      try file.finish()
    } catch {
      throw StoreError(
        code: error.code == ENOSPC ? SQLITE_FULL : SQLITE_IOERR, message: "\(error)",
        attempt: "set damaged presets aside", path: database)
    }
    return path
  }

  /// A path that is not in use: the time between a beginning and an end.
  static func freePath(_ beginning: String, _ end: String = "") -> String {
    var path = beginning + dateText(Int(wallTime()), "%Y%m%d-%H%M%S", inUTC: true)
    while access(path + end, F_OK) == 0 { path += "x" }
    return path + end
  }
}
