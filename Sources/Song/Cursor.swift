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

  /// Whether a chunk of this name begins here.
  func stands(_ name: ChunkName) -> Bool { word(offset) == name.rawValue }

  /// The four bytes at a place, the highest first; nil where there are no four.
  func word(_ place: Int) -> Int? {
    guard place >= 0, place <= end - 4 else { return nil }
    var word = 0
    for index in place..<place + 4 { word = word << 8 | Int(bytes[index]) }
    return word
  }

  /// The first place from here on where `name` stands whole before `limit`, which is within the bytes.
  func find(_ name: ChunkName, before limit: Int) -> Int? {
    var word = 0
    for place in offset..<max(offset, limit) {
      word = (word << 8 | Int(bytes[place])) & 0xFFFF_FFFF
      if word == name.rawValue && place - offset >= 3 { return place - 3 }
    }
    return nil
  }

  /// Goes to a place that is not past the end.
  mutating func seek(_ place: Int) { offset = min(max(0, place), end) }

  /// The next bytes, left where they are, and no more than there are.
  func next(_ count: Int) -> ArraySlice<UInt8> { bytes[offset..<offset + max(0, min(count, left))] }

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

  /// A number of `count` bytes, the highest first.
  mutating func number(_ count: Int) throws(SongError) -> Int {
    var value = 0
    for _ in 0..<count { value = value << 8 | Int(try byte()) }
    return value
  }

  /// A variable-length quantity in a track: seven bits a byte, four bytes at most. A longer one is 0 unless its value would
  /// go into four.
  mutating func quantity(_ track: Int, _ findings: inout Findings) throws(SongError) -> Int {
    let place = offset
    var value = 0
    while true {
      let next = try byte()
      value = min(value << 7 | Int(next & 0x7F), 1 << 28)
      if next < 0x80 { break }
      if offset == place + 4 {
        let error = SongError("a variable-length number has more than four bytes", at: place)
        try findings.note(.quantity, error, track: track)
      }
    }
    return value < 1 << 28 ? value : 0
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
