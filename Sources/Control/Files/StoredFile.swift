import System

/// A song or a recording, as surfaces list it.
public struct StoredFile: Sendable, Equatable {
  /// The name with its ending.
  public let name: String
  /// The length in seconds; nil if it cannot be read.
  public let seconds: Int?
  /// The size in bytes.
  public let bytes: Int
  /// When its contents last changed, seconds since 1970.
  public let modified: Int
  /// Whether it is the player's, and not one that came with pipit.
  public let isOwn: Bool

  /// A file.
  public init(name: String, seconds: Int?, bytes: Int, modified: Int, isOwn: Bool) {
    (self.name, self.seconds, self.bytes) = (name, seconds, bytes)
    (self.modified, self.isOwn) = (modified, isOwn)
  }
}

/// A request about the songs or about the recordings. A file is given by its name, or the beginning of it.
public enum FileRequest: Sendable {
  /// Lists the files, or those in the trash.
  case list, trash
  /// Renames a file; without an ending, the new name keeps the old one.
  case rename(String, to: String)
  /// Moves a file to the trash.
  case delete(String)
  /// Restores a file from the trash.
  case restore(String)
  /// Deletes the files in the trash for ever.
  case emptyTrash
  /// Saves a new file. A file of that name is moved to the trash.
  case save(String, FileContents)
  /// Reads a file.
  case read(String)
  /// Opens a file for reading, for one that is too large for the memory.
  case open(String)
}

/// The answer to a request about files.
public enum FileAnswer: Sendable {
  /// The files in the order of their names, the player's own first.
  case files([StoredFile])
  /// It was done: a sentence.
  case done(String)
  /// The name and the contents of a file.
  case contents(String, [UInt8])
  /// The name and the contents of a file that is read piece by piece.
  case opened(String, FileContents)
}
