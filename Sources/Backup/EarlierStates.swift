import Glibc
import System

/// Backups of states that a restore has replaced, in the folder `backups` of the state folder; the last five are
/// kept.
struct EarlierStates {
  let folder: String

  static let mostStates = 5
  private static let beginning = "before restore "

  init(_ state: String) { folder = state + "/backups" }

  /// Keeps a backup, complete on the disk on return. Returns its path.
  func keep(_ backup: FileContents, time: Int) throws(BackupError) -> String {
    mkdir(folder, 0o750)
    let name = EarlierStates.beginning + dateText(time, "%Y-%m-%d %H.%M.%S")
    var (path, number) = ("\(folder)/\(name).tar.gz", 1)
    while access(path, F_OK) == 0 {
      number += 1
      path = "\(folder)/\(name) (\(number)).tar.gz"
    }
    do throws(FileError) {
      let file = try NewFile(path)
      try file.write(backup)
      try file.finish()
    } catch {
      throw BackupError("cannot keep the state before, so nothing is changed: \(error.reasonFirst)")
    }
    let all = (fileNames(in: folder) ?? []).filter { $0.hasPrefix(EarlierStates.beginning) }
    for name in all.dropLast(EarlierStates.mostStates) { unlink(folder + "/" + name) }
    return path
  }
}
