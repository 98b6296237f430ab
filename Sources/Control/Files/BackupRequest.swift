import System

/// A request about backups of the whole box.
public enum BackupRequest: Sendable {
  /// Makes a backup.
  case make
  /// Restores a backup from its file.
  case restore(FileContents)
}

/// The answer to a request about backups.
public enum BackupAnswer: Sendable {
  /// A backup: a name for its file, its contents, and a sentence about each file that is left out.
  case made(name: String, FileContents, problems: [String])
  /// The restored items, as sentences.
  case restored([String])
}
