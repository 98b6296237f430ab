import System

extension Song {
  /// Reads the file at `path` as `init(_:strict:)` does. The error names the problem and its byte.
  public init(path: String, strict: Bool = false) throws(FileError) {
    let bytes = try readFile(path, limit: MIDIFile.maxBytes)
    do { try self.init(bytes, strict: strict) } catch { throw FileError("read", path, error.description) }
  }
}
