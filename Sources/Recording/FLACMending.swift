import Glibc
import System

/// Mends a FLAC file that was not ended: it is cut after the last whole frame, and its STREAMINFO block says how many
/// samples there are. The MD5 sum becomes 0, which means that it is not known (RFC 9639, section 8.2).
struct FLACMending {
  private let file: Int32
  private let path: String
  // What was read of the file, and where in it that stands.
  private var buffer: [UInt8] = []
  private var offset = 0

  /// Longer than any frame that is recorded: 4,096 samples of 24 and 25 bits take 25,088 bytes.
  private static let longestFrame = 1 << 16
  private static let piece = 1 << 20
  private static let streamInfo = 34

  /// Mends the file that is open as `file`. What it then holds. Throws where no FLAC begins, and where it cannot be written.
  static func mend(_ file: Int32, _ path: String) throws(FileError) -> Mended {
    var mending = FLACMending(file: file, path: path)
    return try mending.run()
  }

  private init(file: Int32, path: String) { (self.file, self.path) = (file, path) }

  private mutating func run() throws(FileError) -> Mended {
    let name = Array("fLaC".utf8)
    try load(at: 0)
    guard buffer.count >= 8 + Self.streamInfo, Array(buffer[..<4]) == name, buffer[4] & 0x7F == 0,
      length(at: 4) == Self.streamInfo
    else { throw FileError("mend", path, "it does not begin as a FLAC file") }
    var info = Array(buffer[8..<8 + Self.streamInfo])
    let rate = Int(info[10]) << 12 | Int(info[11]) << 4 | Int(info[12]) >> 4

    var (end, isLast) = (4, false)
    while !isLast {
      try load(at: end)
      if buffer.count < 4 { return Mended(frames: 0, rate: rate) }
      isLast = buffer[0] & 0x80 != 0
      end += 4 + length(at: 0)
    }
    var (samples, number) = (0, 0)
    while let frame = try frame(number, at: end) {
      (samples, number, end) = (samples + frame.samples, number + 1, end + frame.bytes)
    }

    info[13] = info[13] & 0xF0 | UInt8(truncatingIfNeeded: samples >> 32 & 15)
    for byte in 0..<4 { info[14 + byte] = UInt8(truncatingIfNeeded: samples >> (24 - 8 * byte)) }
    for byte in 18..<Self.streamInfo { info[byte] = 0 }
    if ftruncate(file, Int(end)) != 0 { throw FileError("mend", path) }
    try overwrite(file, path, info, at: 8)
    return Mended(frames: samples, rate: rate)
  }

  /// The length of the metadata block whose header stands at `place` of the buffer.
  private func length(at place: Int) -> Int {
    Int(buffer[place + 1]) << 16 | Int(buffer[place + 2]) << 8 | Int(buffer[place + 3])
  }

  /// The frame of a number that begins at `start` of the file; nil where there is none that is whole. It is whole when its
  /// CRC-16 is right where the next one begins, or where the file ends.
  private mutating func frame(_ number: Int, at start: Int) throws(FileError) -> (samples: Int, bytes: Int)? {
    if start < offset || start + Self.longestFrame + FLACFrameHeader.most > offset + buffer.count {
      try load(at: start)
    }
    let first = start - offset
    guard let header = FLACFrameHeader(buffer, at: first), header.number == number else { return nil }
    var (crc, place) = (UInt16(0), first)
    let limit = min(buffer.count, first + Self.longestFrame)
    while place < limit {
      let before = crc
      crc = CRC.sixteen(crc, buffer[place])
      place += 1
      if crc != 0 || place < first + header.bytes + 2 { continue }
      // Zeros behind a frame, which a power cut may leave, keep the check at 0.
      let isEnd = place == buffer.count && before != 0
      if isEnd || FLACFrameHeader(buffer, at: place)?.number == number + 1 {
        return (header.samples, place - first)
      }
    }
    return nil
  }

  /// Reads a piece of the file from `start` on; less where the file ends.
  private mutating func load(at start: Int) throws(FileError) {
    if buffer.capacity < Self.piece { buffer.reserveCapacity(Self.piece) }
    buffer = try bytes(of: file, path, at: start, Self.piece)
    offset = start
  }
}
