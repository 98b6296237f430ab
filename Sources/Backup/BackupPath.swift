import System

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
