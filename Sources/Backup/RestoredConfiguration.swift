import Glibc
import System

/// The configuration of a restored backup. pipit does not change its own configuration, since only root may write in
/// /etc. It puts changed files into the folder `restored` of the state folder, and says how to use them.
struct RestoredConfiguration {
  private let folders: BoxFolders
  private var folder: String { folders.state + "/restored" }

  /// The folder of the configuration file.
  private var target: String {
    let path = folders.configuration
    return path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
  }

  init(_ folders: BoxFolders) { self.folders = folders }

  /// Puts the files that differ from those of the box into the folder `restored`. Returns a sentence about them; none
  /// if all are equal.
  func lay(_ files: [BackupFile]) throws(BackupError) -> [String] {
    let more = folder + "/pipit.conf.d"
    // Files of an earlier restore would be copied together with these.
    for name in fileNames(in: more) ?? [] where name.hasSuffix(".conf") { unlink(more + "/" + name) }
    unlink(folder + "/pipit.conf")
    rmdir(more)
    rmdir(folder)
    let changed = folders.changedConfiguration(files)
    if changed.isEmpty { return [] }
    mkdir(folder, 0o750)
    do throws(FileError) {
      for file in changed {
        let path = folder + "/" + file.path.split(separator: "/").dropFirst().joined(separator: "/")
        if file.path != BoxFolders.configurationPathInBackup { mkdir(more, 0o750) }
        let new = try NewFile(path)
        try new.write(file.contents)
        try new.finish()
      }
    } catch {
      return ["the configuration is not restored: \(error.reasonFirst)"]
    }
    return [
      "the configuration differs and is not changed; that of the backup is in \(folder). Look at it; to use it: "
        + "sudo cp -r \(folder)/. \(target) && sudo systemctl restart pipit"
    ]
  }
}
