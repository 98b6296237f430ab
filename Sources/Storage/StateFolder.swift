import Glibc

/// Whose the state is: its user's, who writes, and its group's, who reads. What lies in the folder is as closed as the
/// folder, whatever its own mode.
public enum StateFolder {
  private static let folderMode: mode_t = 0o750
  private static let fileMode: mode_t = 0o640

  /// Makes the folder that a file is to lie in where it is missing, and those above it as the process makes any folder.
  static func make(of path: String) {
    var folder = path.utf8.first == UInt8(ascii: "/") ? "" : "."
    // A folder that cannot be made shows when the file is opened.
    let names = path.split(separator: "/").dropLast()
    for (index, name) in names.enumerated() {
      folder += "/" + name
      let isLast = index == names.count - 1
      // What the process takes from new folders is meant for others.
      if mkdir(folder, isLast ? folderMode : 0o755) == 0, isLast { chmod(folder, folderMode) }
    }
  }

  /// Makes an empty file where there is none, and closes one that is there.
  static func makeFile(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
    if file < 0 { return close(path) }
    fchmod(file, fileMode)
    Glibc.close(file)
  }

  /// Takes from all others what they may do with a folder or a file of this user's, as an older pipit let them. What the
  /// player has given to the group, or taken from it, stays.
  public static func close(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o007 != 0 else { return }
    chmod(path, status.st_mode & 0o7770)
  }
}
