import CSQLite
import Glibc

/// An error of the database.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's message.
  public let message: String
  /// The attempted action, as `save presets`.
  public let attempt: String
  /// The database file.
  public let path: String

  /// A sentence with the action, the file, the reason and a remedy.
  public var description: String {
    "could not \(attempt) in \(path): \(message) (SQLite \(code))" + (remedy.map { "; " + $0 } ?? "")
  }

  /// The primary result code.
  var kind: Int32 { code & 0xff }

  /// Whether the file is damaged or no database of pipit, so that another attempt cannot help.
  public var isDamage: Bool {
    switch kind {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: true
    // A table or a column is missing, exists already or differs.
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: true
    default: false
    }
  }

  /// Whether another program locks the file.
  var isBusy: Bool { kind == SQLITE_BUSY || kind == SQLITE_LOCKED }

  /// Whether SQLite rejected the statement, as for a missing table or column.
  var isBadStatement: Bool { kind == SQLITE_ERROR }

  /// The reason in few words, for a label.
  public var reason: String {
    switch kind {
    case SQLITE_FULL: "disk full"
    case SQLITE_READONLY, SQLITE_PERM: "read-only disk"
    case SQLITE_CANTOPEN: "no access to the disk"
    case SQLITE_BUSY, SQLITE_LOCKED: "file held by another program"
    case SQLITE_SCHEMA: "file of a newer pipit"
    case SQLITE_IOERR: "disk error"
    case SQLITE_CORRUPT, SQLITE_NOTADB: "file damaged"
    default: message
    }
  }

  /// Whether the file exists but this account may not read it.
  private var isHidden: Bool { access(path, R_OK) != 0 && errno == EACCES }

  private var remedy: String? {
    switch kind {
    case SQLITE_FULL: "free some space on the disk"
    case SQLITE_READONLY, SQLITE_PERM, SQLITE_CANTOPEN:
      isHidden
        ? "this account may not read it: use sudo, or join the group that it belongs to"
        : "make the folder writable for the user that runs pipit"
    case SQLITE_BUSY, SQLITE_LOCKED: "another program holds the file; close it"
    case SQLITE_SCHEMA: "nothing in it is changed; install that pipit again to use it"
    case SQLITE_IOERR: "check the disk or the memory card"
    default: nil
    }
  }
}
