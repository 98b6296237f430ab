import CZlib
import System

/// A file in a backup.
struct BackupFile: Sendable {
  /// The path below the top folder.
  let path: String
  let contents: FileContents
  /// The CRC-32 of its bytes.
  let checksum: UInt32
  /// When it last changed, seconds since 1970; nil if that is unknown.
  var modified: Int?

  init(path: String, _ contents: FileContents, checksum: UInt32, modified: Int? = nil) {
    (self.path, self.contents, self.checksum, self.modified) = (path, contents, checksum, modified)
  }

  /// A file in memory.
  init(path: String, bytes: [UInt8], modified: Int? = nil) {
    self.init(path: path, FileContents(bytes), checksum: BackupFile.checksum(bytes), modified: modified)
  }

  /// All its bytes. Throws if they cannot be read.
  func bytes() throws(BackupError) -> [UInt8] {
    do throws(FileError) { return try contents.bytes() } catch { throw BackupError("\(path): \(error)") }
  }

  /// The CRC-32 of bytes after others.
  static func checksum(_ bytes: [UInt8], after sum: UInt32 = 0) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(UInt(sum), bytes, UInt32(bytes.count)))
  }
}

/// Paths in a backup.
enum BackupPath {
  /// The folder that contains everything in the archive, so that unpacking creates one folder.
  static let top = "pipit-backup/"
  static let manifest = "manifest.txt"

  /// A path below the top folder. Throws for a path that leads anywhere else, or has a name that is not a safe file
  /// name.
  static func checked(_ path: String) throws(BackupError) -> String {
    var path = path[...]
    if path.hasPrefix("./") { path = path.dropFirst(2) }
    if path.hasPrefix(top) { path = path.dropFirst(top.count) }
    let names = path.split(separator: "/", omittingEmptySubsequences: false)
    guard (1...3).contains(names.count), names.allSatisfy({ FileName.isValid($0) }) else {
      throw BackupError("the backup holds a file with the name \(shown(String(path))), which is not safe")
    }
    return String(path)
  }

  static func shown(_ path: String) -> String { quoted(path) }
}
