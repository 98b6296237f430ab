/// Reads a range of a file's bytes, and never past its end. Offsets count from the start of the file.
struct Cursor {
  private let bytes: [UInt8]
  /// The offset of the next byte.
  private(set) var offset: Int
  /// The end of the range.
  let end: Int
  /// The name of the range, for errors.
  let name: String

  /// A cursor over `range` of `bytes`, which must be within them.
  init(_ bytes: [UInt8], _ range: Range<Int>, in name: String) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    self.name = name
  }

  /// The number of bytes left.
  var left: Int { end - offset }

  /// Whether a chunk of this name begins at the offset.
  func isAt(_ name: ChunkName) -> Bool { word(offset) == name.rawValue }

  /// The big-endian number of the four bytes at an offset; nil past the end.
  func word(_ offset: Int) -> Int? {
    guard offset >= 0, offset <= end - 4 else { return nil }
    var word = 0
    for index in offset..<offset + 4 { word = word << 8 | Int(bytes[index]) }
    return word
  }

  /// The first offset from here on of a whole `name` before `limit`, which is within the range.
  func find(_ name: ChunkName, before limit: Int) -> Int? {
    var word = 0
    for index in offset..<max(offset, limit) {
      word = (word << 8 | Int(bytes[index])) & 0xFFFF_FFFF
      if word == name.rawValue && index - offset >= 3 { return index - 3 }
    }
    return nil
  }

  /// Moves to an offset, at most the end.
  mutating func seek(_ target: Int) { offset = min(max(0, target), end) }

  /// The next `count` bytes, or as many as there are, without moving.
  func next(_ count: Int) -> ArraySlice<UInt8> { bytes[offset..<offset + max(0, min(count, left))] }

  /// The next byte, without moving.
  func peek() throws(SongError) -> UInt8 {
    guard left > 0 else { throw SongError("\(name) ends too early", at: offset) }
    return bytes[offset]
  }

  /// Reads the next byte.
  mutating func byte() throws(SongError) -> UInt8 {
    let value = try peek()
    offset += 1
    return value
  }

  /// Reads a big-endian number of `count` bytes.
  mutating func number(_ count: Int) throws(SongError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  /// Reads a variable-length quantity of a track: seven bits a byte, at most four bytes. A longer one is 0 unless its
  /// value fits into four bytes.
  mutating func quantity(_ track: Int, _ findings: inout Findings) throws(SongError) -> Int {
    let start = offset
    var value = 0
    while true {
      let next = try byte()
      value = min(value << 7 | Int(next & 0x7F), 1 << 28)
      if next < 0x80 { break }
      if offset == start + 4 {
        let error = SongError("a variable-length number has more than four bytes", at: start)
        try findings.note(.quantity, error, track: track)
      }
    }
    return value < 1 << 28 ? value : 0
  }

  /// Skips `count` bytes of `thing`. Throws if there are fewer.
  mutating func skip(_ count: Int, of thing: String) throws(SongError) {
    guard count <= left else {
      throw SongError("\(thing) claims \(count) bytes, \(name) has \(left) left", at: offset)
    }
    offset += count
  }
}

extension UInt8 {
  /// The hexadecimal form, as `0x9F`.
  var hex: String {
    let digits = String(self, radix: 16, uppercase: true)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
