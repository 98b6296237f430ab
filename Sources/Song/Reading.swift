import System

extension Song {
  /// Reads the file at `path`. The error says what is wrong with it, and at which byte.
  public init(path: String) throws(FileError) {
    let bytes = try readFile(path, limit: MIDIFile.maxBytes)
    do { try self.init(bytes) } catch { throw FileError("read", path, error.description) }
  }
}
