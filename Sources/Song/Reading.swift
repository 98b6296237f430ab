import Glibc
import Synth

extension Song {
  /// Reads the file at `path`. The error says what is wrong with it, and at which byte.
  public init(path: String) throws(FileError) {
    let bytes = try Song.contents(of: path, limit: Limits.songBytes + 1)
    do { try self.init(bytes) } catch { throw FileError("read", path, error.description) }
  }

  /// The bytes of a file, but no more than `limit`; a pipe will do as well.
  private static func contents(of path: String, limit: Int) throws(FileError) -> [UInt8] {
    let file = open(path, O_RDONLY | O_CLOEXEC)
    if file < 0 { throw FileError("read", path) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    while bytes.count < limit {
      let count = read(file, &piece, min(piece.count, limit - bytes.count))
      if count == 0 { break }
      if count > 0 { bytes += piece[..<count] } else if errno != EINTR { throw FileError("read", path) }
    }
    return bytes
  }
}
