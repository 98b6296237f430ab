/// Reads through a part of a file's bytes and never past its end. Offsets count from the start of the file.
struct Cursor {
  private let bytes: [UInt8]
  /// The next byte to be read.
  private(set) var offset: Int
  /// One past the last byte that may be read.
  let end: Int
  /// What is being read, for error sentences.
  let what: String

  /// A cursor over `range` of `bytes`, which must lie within them.
  init(_ bytes: [UInt8], _ range: Range<Int>, in what: String) {
    self.bytes = bytes
    offset = range.lowerBound
    end = range.upperBound
    self.what = what
  }

  /// Bytes that are left.
  var left: Int { end - offset }

  /// The next byte, left where it is.
  func peek() throws(SongError) -> UInt8 {
    guard left > 0 else { throw SongError("\(what) ends too early", at: offset) }
    return bytes[offset]
  }

  /// The next byte.
  mutating func byte() throws(SongError) -> UInt8 {
    let value = try peek()
    offset += 1
    return value
  }

  /// The next seven-bit data byte of a message.
  mutating func data() throws(SongError) -> UInt8 {
    let place = offset
    let value = try byte()
    if value > 127 { throw SongError("\(value.hex) stands where a data byte of 0 to 127 must", at: place) }
    return value
  }

  /// A number of `count` bytes, the highest first.
  mutating func number(_ count: Int) throws(SongError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  /// A variable-length quantity: seven bits a byte, four bytes at most.
  mutating func quantity() throws(SongError) -> Int {
    let place = offset
    var value = 0
    for _ in 0..<4 {
      let next = try byte()
      value = value << 7 | Int(next & 0x7F)
      if next < 0x80 { return value }
    }
    throw SongError("a variable-length number has more than four bytes", at: place)
  }

  /// Steps over `count` bytes of `thing`, which says itself how long it is.
  mutating func skip(_ count: Int, of thing: String) throws(SongError) {
    guard count <= left else {
      throw SongError("\(thing) claims \(count) bytes, \(what) has \(left) left", at: offset)
    }
    offset += count
  }
}

extension UInt8 {
  /// As `0x9F`.
  var hex: String {
    let digits = String(self, radix: 16, uppercase: true)
    return "0x" + (digits.count < 2 ? "0" : "") + digits
  }
}
