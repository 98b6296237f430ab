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
