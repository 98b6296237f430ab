import Synth

/// A backup in one file: a gzip-compressed tar archive whose first file is the manifest. Any computer can open it.
/// Pure functions, any thread.
enum BackupArchive {
  /// The bytes of an archive. Throws if the files exceed the limits.
  static func bytes(_ manifest: Manifest, _ files: [BackupFile]) throws(BackupError) -> [UInt8] {
    var manifest = manifest
    manifest.files = files.map { Manifest.Entry(checksum: $0.checksum, bytes: $0.bytes.count, path: $0.path) }
    let first = BackupFile(path: BackupPath.manifest, bytes: Array(manifest.text.utf8))
    let total = files.reduce(first.bytes.count) { $0 + $1.bytes.count }
    if total > Limits.backupContentBytes || files.count > Limits.backupFiles {
      throw BackupError(
        "there are \(files.count) files of \(total) bytes to back up; the limits are \(Limits.backupFiles) files and "
          + "\(Limits.backupContentBytes) bytes")
    }
    let gzip = try GzipWriter()
    for file in [first] + files { write(file, manifest.made, gzip) }
    gzip.write([UInt8](repeating: 0, count: 2 * TarHeader.bytes))
    gzip.finish()
    if gzip.bytes.count > Limits.backupBytes {
      throw BackupError("the backup has \(gzip.bytes.count) bytes; the limit is \(Limits.backupBytes)")
    }
    return gzip.bytes
  }

  private static func write(_ file: BackupFile, _ time: Int, _ gzip: GzipWriter) {
    let name = BackupPath.top + file.path
    if name.utf8.count > TarHeader.nameBytes || !name.utf8.allSatisfy({ $0 < 0x80 }) {
      let record = pathRecord(name)
      gzip.write(TarHeader(.records, BackupPath.top + "path", size: record.count, modified: time).block)
      gzip.write(padded(record))
    }
    gzip.write(TarHeader(.file, name, size: file.bytes.count, modified: file.modified ?? time).block)
    gzip.write(padded(file.bytes))
  }

  /// A pax record `LENGTH path=NAME`, whose length includes its own digits.
  private static func pathRecord(_ name: String) -> [UInt8] {
    let rest = " path=\(name)\n"
    var length = rest.utf8.count
    while "\(length)".utf8.count + rest.utf8.count != length {
      length = "\(length)".utf8.count + rest.utf8.count
    }
    return Array("\(length)\(rest)".utf8)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    bytes + [UInt8](repeating: 0, count: (TarHeader.bytes - bytes.count % TarHeader.bytes) % TarHeader.bytes)
  }

  // MARK: - Reading

  /// Reads and checks a whole archive: it must hold every file of the manifest, with the stated size and checksum,
  /// and no others.
  static func read(_ bytes: [UInt8]) throws(BackupError) -> (manifest: Manifest, files: [BackupFile]) {
    if bytes.count > Limits.backupBytes {
      throw BackupError("\(bytes.count) bytes are too many for a backup; the limit is \(Limits.backupBytes)")
    }
    var all = try entries(bytes)
    guard let first = all.first, first.path == BackupPath.manifest else {
      throw BackupError("this is no backup of pipit: its first file is not manifest.txt")
    }
    all.removeFirst()
    let manifest = try Manifest(String(decoding: first.bytes, as: UTF8.self))
    var missing: [String: Manifest.Entry] = [:]
    for entry in manifest.files { missing[entry.path] = entry }
    for file in all {
      guard let entry = missing.removeValue(forKey: file.path) else {
        throw BackupError(
          "the backup is damaged: manifest.txt does not name \(file.path), or the file comes twice")
      }
      if entry.bytes != file.bytes.count {
        throw BackupError(
          "the backup is damaged: \(file.path) has \(file.bytes.count) bytes, manifest.txt says \(entry.bytes)"
        )
      }
      if entry.checksum != file.checksum {
        throw BackupError("the backup is damaged: the checksum of \(file.path) is wrong")
      }
    }
    if let entry = manifest.files.first(where: { missing[$0.path] != nil }) {
      throw BackupError("the backup is damaged: \(entry.path) is missing")
    }
    return (manifest, all)
  }

  /// The largest pax header of a file, bytes.
  private static let recordBytes = 65_536

  private static func entries(_ bytes: [UInt8]) throws(BackupError) -> [BackupFile] {
    let gzip = try GzipReader(bytes)
    var files: [BackupFile] = []
    var (offset, total, headers) = (0, 0, 0)
    var longName: String?
    while true {
      let block = try gzip.read(TarHeader.bytes)
      if block.count < TarHeader.bytes {
        throw BackupError("the backup is damaged: its last file is missing")
      }
      if block.allSatisfy({ $0 == 0 }) { break }
      let header = try TarHeader(block, at: offset)
      headers += 1
      let most = header.kind == .file ? Limits.backupContentBytes - total : recordBytes
      if header.size > most || headers > 3 * Limits.backupFiles {
        throw BackupError(
          "the backup is too large: its files may have \(Limits.backupContentBytes) bytes and number "
            + "\(Limits.backupFiles)")
      }
      var content = try gzip.read(padding(header.size))
      if content.count < header.size {
        throw BackupError("the backup is damaged: \(BackupPath.shown(header.name)) is cut off")
      }
      content.removeLast(content.count - header.size)
      offset += TarHeader.bytes + padding(header.size)
      switch header.kind {
      case .folder: longName = nil
      case .sharedRecords: break
      case .records: longName = path(inRecords: content) ?? longName
      case .longName: longName = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
      case .file:
        total += header.size
        let path = try BackupPath.checked(longName ?? header.name)
        files.append(BackupFile(path: path, bytes: content, modified: header.modified))
        longName = nil
      }
    }
    // The rest is padding. Reading it makes zlib check the end of the stream.
    var rest = 0
    while case let more = try gzip.read(1 << 16), !more.isEmpty {
      rest += more.count
      if rest > 1 << 20 || more.contains(where: { $0 != 0 }) {
        throw BackupError("the backup is damaged: something follows its last file")
      }
    }
    return files
  }

  private static func padding(_ size: Int) -> Int {
    (size + TarHeader.bytes - 1) / TarHeader.bytes * TarHeader.bytes
  }

  private static func path(inRecords bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    while let space = rest.firstIndex(of: 0x20),
      let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > 0, length <= rest.count
    {
      let record = rest[rest.startIndex..<rest.startIndex + length]
      guard space < record.endIndex else { return nil }
      let text = String(decoding: record[(space + 1)...].dropLast(), as: UTF8.self)
      if text.hasPrefix("path=") { return String(text.dropFirst(5)) }
      rest = rest.dropFirst(length)
    }
    return nil
  }
}
