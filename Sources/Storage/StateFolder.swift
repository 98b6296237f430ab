import Glibc

/// The permissions of the state folder: its user may write, its group may read, and others have no access.
public enum StateFolder {
  private static let folderMode: mode_t = 0o750
  private static let fileMode: mode_t = 0o640

  /// Creates the folder of a file if it is missing, and its parents with default permissions.
  static func make(of path: String) {
    var folder = path.utf8.first == UInt8(ascii: "/") ? "" : "."
    // A failure shows when the file is opened.
    let names = path.split(separator: "/").dropLast()
    for (index, name) in names.enumerated() {
      folder += "/" + name
      let isLast = index == names.count - 1
      // The umask is meant for other folders.
      if mkdir(folder, isLast ? folderMode : 0o755) == 0, isLast { chmod(folder, folderMode) }
    }
  }

  /// Creates an empty file, or revokes the access of others to an existing one.
  static func makeFile(_ path: String) {
    let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, fileMode)
    if file < 0 { return close(path) }
    fchmod(file, fileMode)
    Glibc.close(file)
  }

  /// Revokes the access of others to a folder or file of this user, which older versions allowed. The permissions of
  /// the group stay.
  public static func close(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o007 != 0 else { return }
    chmod(path, status.st_mode & 0o7770)
  }
}
