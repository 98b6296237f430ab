/// A request about backups of the whole box.
public enum BackupRequest: Sendable {
  /// Makes a backup.
  case make
  /// Restores a backup from the bytes of its file.
  case restore([UInt8])
}

/// The answer to a request about backups.
public enum BackupAnswer: Sendable {
  /// A backup: a name for its file, its bytes, and a sentence about each file that is left out.
  case made(name: String, [UInt8], problems: [String])
  /// The restored items, as sentences.
  case restored([String])
}
