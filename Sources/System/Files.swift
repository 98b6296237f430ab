import Glibc

/// Reads the file or pipe at `path`. Throws if it cannot be read, or is larger than `limit` bytes. It waits for the
/// writer of a pipe, unless `waits` is false; a pipe without a writer is then empty.
public func readFile(_ path: String, limit: Int, waits: Bool = true) throws(FileError) -> [UInt8] {
  let file = open(path, O_RDONLY | O_CLOEXEC | (waits ? 0 : O_NONBLOCK))
  if file < 0 { throw FileError("read", path) }
  defer { close(file) }
  var bytes: [UInt8] = []
  // Not filled with zeros, because a start reads hundreds of files.
  let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: min(limit, 1 << 16) + 1, alignment: 1)
  defer { piece.deallocate() }
  while bytes.count <= limit {
    let count = read(file, piece.baseAddress, min(piece.count, limit + 1 - bytes.count))
    if count == 0 { return bytes }
    if count > 0 {
      bytes += UnsafeRawBufferPointer(rebasing: piece[..<count])
    } else if errno != EINTR {
      throw FileError("read", path)
    }
  }
  throw FileError("read", path, "it is larger than \(limit) bytes")
}

/// When the entries of a folder last changed, nanoseconds since 1970; nil if there is no such folder. Any thread.
public func folderChange(_ folder: String) -> Int64? {
  var status = stat()
  guard stat(folder, &status) == 0 else { return nil }
  return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
}

/// The names in a folder, sorted, without those that begin with a dot. Nil, with the reason in `errno`, if the folder
/// cannot be read.
public func fileNames(in folder: String) -> [String]? {
  guard let directory = opendir(folder) else { return nil }
  defer { closedir(directory) }
  var names: [String] = []
  while let entry = readdir(directory) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) {
      $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    if !name.hasPrefix(".") { names.append(name) }
  }
  return names.sorted()
}
