import Scenes
import System

/// A backup in one file: a gzip-compressed tar archive whose first file is the manifest. Any computer can open it.
/// Pure functions, any thread.
enum BackupArchive {
  /// Writes an archive on the disk of a folder. Throws if the files exceed the limits, or if the disk is full.
  static func make(
    _ manifest: Manifest, _ files: [BackupFile], in folder: String
  ) throws(BackupError) -> FileContents {
    var manifest = manifest
    manifest.files = files.map {
      Manifest.Entry(checksum: $0.checksum, bytes: $0.contents.count, path: $0.path)
    }
    let first = BackupFile(path: BackupPath.manifest, bytes: Array(manifest.text.utf8))
    let total = files.reduce(first.contents.count) { $0 + $1.contents.count }
    if total > Limits.backupContentBytes || files.count > Limits.backupFiles {
      throw BackupError(
        "there are \(files.count) files of \(total) bytes to back up; the limits are \(Limits.backupFiles) files and "
          + "\(Limits.backupContentBytes) bytes")
    }
    guard let gzip = DeflateStream(.gzip) else {
      throw BackupError("zlib has no memory to compress a backup")
    }
    var spool = Spool(in: folder)
    // What is not written yet, the next file at the end, and the place in that file.
    var rest: [BackupFile] = ([first] + files).reversed()
    var place = 0
    var isFinished = false
    // The compressed bytes of a piece of the archive.
    func next() throws(BackupError) -> [UInt8] {
      while gzip.bytes.isEmpty && !isFinished {
        guard let file = rest.last else {
          gzip.write([UInt8](repeating: 0, count: 2 * TarHeader.bytes))
          gzip.finish()
          isFinished = true
          break
        }
        if place == 0 { writeHeader(of: file, manifest.made, gzip) }
        do throws(FileError) {
          gzip.write(try file.contents.read(at: place, count: pieceBytes))
        } catch { throw BackupError("\(file.path): \(error)") }
        place += pieceBytes
        if place >= file.contents.count {
          gzip.write([UInt8](repeating: 0, count: padding(file.contents.count) - file.contents.count))
          rest.removeLast()
          place = 0
        }
      }
      return gzip.take()
    }
    let made = try spool.add(next) { BackupError("cannot make a backup: \($0)") }
    if made.count > Limits.backupBytes {
      throw BackupError("the backup has \(made.count) bytes; the limit is \(Limits.backupBytes)")
    }
    return made
  }

  /// Files are read and written in pieces of so many bytes.
  private static let pieceBytes = 64 << 10

  private static func writeHeader(of file: BackupFile, _ time: Int, _ gzip: DeflateStream) {
    let name = BackupPath.top + file.path
    if name.utf8.count > TarHeader.nameBytes || !name.utf8.allSatisfy({ $0 < 0x80 }) {
      let record = pathRecord(name)
      gzip.write(TarHeader(.records, BackupPath.top + "path", size: record.count, modified: time).block)
      gzip.write(padded(record))
    }
    gzip.write(TarHeader(.file, name, size: file.contents.count, modified: file.modified ?? time).block)
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
    bytes + [UInt8](repeating: 0, count: padding(bytes.count) - bytes.count)
  }

  // MARK: - Reading

  /// Reads and checks a whole archive: it must hold every file of the manifest, with the stated size and checksum,
  /// and no others. Its files are unpacked on the disk of a folder.
  static func read(
    _ file: FileContents, in folder: String
  ) throws(BackupError) -> (manifest: Manifest, files: [BackupFile]) {
    if file.count > Limits.backupBytes {
      throw BackupError("\(file.count) bytes are too many for a backup; the limit is \(Limits.backupBytes)")
    }
    var all = try entries(file, in: folder)
    guard let first = all.first, first.path == BackupPath.manifest else {
      throw BackupError("this is no backup of pipit: its first file is not manifest.txt")
    }
    all.removeFirst()
    let manifest = try Manifest(String(decoding: try first.bytes(), as: UTF8.self))
    var missing: [String: Manifest.Entry] = [:]
    for entry in manifest.files { missing[entry.path] = entry }
    for file in all {
      guard let entry = missing.removeValue(forKey: file.path) else {
        throw BackupError(
          "the backup is damaged: manifest.txt does not name \(file.path), or the file comes twice")
      }
      if entry.bytes != file.contents.count {
        throw BackupError(
          "the backup is damaged: \(file.path) has \(file.contents.count) bytes, manifest.txt says \(entry.bytes)"
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

  private static func entries(_ file: FileContents, in folder: String) throws(BackupError) -> [BackupFile] {
    let gzip = try GzipReader(file)
    var spool = Spool(in: folder)
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
      var (left, sum) = (header.size, UInt32(0))
      // What is not a file is short, and stays in memory.
      func next() throws(BackupError) -> [UInt8] {
        let piece = try gzip.read(min(left, pieceBytes))
        if piece.count < min(left, pieceBytes) {
          throw BackupError("the backup is damaged: \(BackupPath.shown(header.name)) is cut off")
        }
        left -= piece.count
        sum = BackupFile.checksum(piece, after: sum)
        return piece
      }
      var content: [UInt8] = []
      switch header.kind {
      case .file:
        total += header.size
        let path = try BackupPath.checked(longName ?? header.name)
        let contents = try spool.add(next) { BackupError("cannot unpack the backup: \($0)") }
        files.append(BackupFile(path: path, contents, checksum: sum, modified: header.modified))
      default:
        while left > 0 { content += try next() }
      }
      let rest = padding(header.size) - header.size
      if try gzip.read(rest).count < rest {
        throw BackupError("the backup is damaged: \(BackupPath.shown(header.name)) is cut off")
      }
      offset += TarHeader.bytes + padding(header.size)
      switch header.kind {
      case .folder, .file: longName = nil
      case .sharedRecords: break
      case .records: longName = path(inRecords: content) ?? longName
      case .longName: longName = String(decoding: content.prefix { $0 != 0 }, as: UTF8.self)
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

/// A header of a tar file (POSIX.1-1988, ustar), 512 bytes.
struct TarHeader {
  /// The kinds of entries that pipit reads.
  enum Kind: UInt8 {
    case file = 0x30
    case folder = 0x35
    /// A pax header: records about the next entry, such as its path (POSIX.1-2001).
    case records = 0x78
    /// A global pax header: records about all entries that follow.
    case sharedRecords = 0x67
    /// The path of the next entry, as GNU tar writes it.
    case longName = 0x4C
  }

  var kind: Kind
  var name: String
  var size: Int
  /// When the file last changed, seconds since 1970.
  var modified: Int

  static let bytes = 512
  /// The longest name that fits.
  static let nameBytes = 100

  init(_ kind: Kind, _ name: String, size: Int, modified: Int) {
    (self.kind, self.name, self.size, self.modified) = (kind, name, size, modified)
  }

  /// The header in its written form. A name longer than `nameBytes` is cut off.
  var block: [UInt8] {
    var block = [UInt8](repeating: 0, count: TarHeader.bytes)
    func put(_ text: String, _ offset: Int, _ most: Int) {
      for (index, byte) in text.utf8.prefix(most).enumerated() { block[offset + index] = byte }
    }
    func put(octal number: Int, _ offset: Int, _ digits: Int) {
      let text = String(max(0, number), radix: 8)
      put(String(repeating: "0", count: max(0, digits - text.count)) + text, offset, digits)
    }
    put(name, 0, TarHeader.nameBytes)
    put(octal: kind == .folder ? 0o755 : 0o644, 100, 7)
    put(octal: 0, 108, 7)
    put(octal: 0, 116, 7)
    put(octal: size, 124, 11)
    put(octal: modified, 136, 11)
    block[156] = kind.rawValue
    put("ustar", 257, 6)
    put("00", 263, 2)
    put("root", 265, 32)
    put("root", 297, 32)
    put(octal: TarHeader.sum(block), 148, 6)
    block[155] = 0x20
    return block
  }

  /// The checksum of a header: the sum of its bytes, with spaces in place of the checksum itself.
  private static func sum(_ block: [UInt8]) -> Int {
    block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
  }

  /// Reads a header. Throws for anything else, and for links, devices and the like.
  init(_ block: [UInt8], at offset: Int) throws(BackupError) {
    func octal(_ range: Range<Int>) -> Int? {
      let digits = block[range].drop { $0 == 0x20 }.prefix { $0 != 0 && $0 != 0x20 }
      return digits.isEmpty ? 0 : Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }
    func text(_ range: Range<Int>) -> String {
      String(decoding: block[range].prefix { $0 != 0 }, as: UTF8.self)
    }
    guard octal(148..<156) == TarHeader.sum(block), let size = octal(124..<136), size >= 0 else {
      throw BackupError("the backup is damaged: there is no file header at byte \(offset) of its contents")
    }
    let prefix = text(257..<263) == "ustar" ? text(345..<500) : ""
    name = (prefix.isEmpty ? "" : prefix + "/") + text(0..<100)
    guard let kind = Kind(rawValue: block[156] == 0 ? Kind.file.rawValue : block[156]) else {
      throw BackupError("the backup holds \(BackupPath.shown(name)), which is neither a file nor a folder")
    }
    (self.kind, self.size, modified) = (kind, size, octal(136..<148) ?? 0)
  }
}
