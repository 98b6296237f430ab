import CSQLite
import Glibc

/// Why the database could not do something.
public struct StoreError: Error, Sendable, Equatable, CustomStringConvertible {
  /// SQLite's extended result code.
  public let code: Int32
  /// SQLite's sentence about it.
  public let message: String
  /// What was attempted, as `save presets`.
  public let attempt: String
  /// The database file.
  public let path: String

  /// What was attempted, on what, why it failed and what to do.
  public var description: String {
    "could not \(attempt) in \(path): \(message) (SQLite \(code))" + (remedy.map { "; " + $0 } ?? "")
  }

  /// The code without its details.
  var kind: Int32 { code & 0xff }

  /// True when the file itself is broken, or holds something else than pipit's documents: trying again cannot help.
  var isDamage: Bool {
    switch kind {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: true
    // A table or a column is missing, is there already, or is of another shape.
    case SQLITE_ERROR, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG: true
    default: false
    }
  }

  /// True when another program holds the file.
  var isBusy: Bool { kind == SQLITE_BUSY || kind == SQLITE_LOCKED }

  /// True when SQLite refused the statement itself, as when a table or a column that it names is missing.
  var isBadStatement: Bool { kind == SQLITE_ERROR }

  /// Why, in as few words as a label has room for.
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

  /// The file is there and closed to this account.
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
