import System

extension Song {
  /// Reads the file at `path` as `init(_:strict:)` does. The error says what is wrong with it, and at which byte.
  public init(path: String, strict: Bool = false) throws(FileError) {
    let bytes = try readFile(path, limit: MIDIFile.maxBytes)
    do { try self.init(bytes, strict: strict) } catch { throw FileError("read", path, error.description) }
  }
}
