import Glibc
import System

/// Repairs an unfinished FLAC file: cuts it off after the last whole frame, and writes the number of samples into its
/// STREAMINFO block. The MD5 sum becomes 0, which means unknown (RFC 9639, section 8.2).
struct FLACRepair {
  private let file: Int32
  private let path: String
  // A piece of the file, and its offset in the file.
  private var buffer: [UInt8] = []
  private var offset = 0

  /// More than the longest recorded frame: 4,096 samples of 24 and 25 bits need 25,088 bytes.
  private static let longestFrame = 1 << 16
  private static let piece = 1 << 20
  private static let streamInfo = 34

  /// Repairs the file that is open as `file`, and returns its length. Throws if it does not begin as FLAC, or cannot be
  /// written.
  static func repair(_ file: Int32, _ path: String) throws(FileError) -> RepairedRecording {
    var repair = FLACRepair(file: file, path: path)
    return try repair.run()
  }

  private init(file: Int32, path: String) { (self.file, self.path) = (file, path) }

  private mutating func run() throws(FileError) -> RepairedRecording {
    let name = Array("fLaC".utf8)
    try load(at: 0)
    guard buffer.count >= 8 + Self.streamInfo, Array(buffer[..<4]) == name, buffer[4] & 0x7F == 0,
      length(at: 4) == Self.streamInfo
    else { throw FileError("repair", path, "it does not begin as a FLAC file") }
    var info = Array(buffer[8..<8 + Self.streamInfo])
    let rate = Int(info[10]) << 12 | Int(info[11]) << 4 | Int(info[12]) >> 4

    var (end, isLast) = (4, false)
    while !isLast {
      try load(at: end)
      if buffer.count < 4 { return RepairedRecording(frames: 0, rate: rate) }
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
    if ftruncate(file, Int(end)) != 0 { throw FileError("repair", path) }
    try overwrite(file, path, info, at: 8)
    return RepairedRecording(frames: samples, rate: rate)
  }

  /// The length of the metadata block whose header is at `index` of the buffer.
  private func length(at index: Int) -> Int {
    Int(buffer[index + 1]) << 16 | Int(buffer[index + 2]) << 8 | Int(buffer[index + 3])
  }

  /// The frame number `number` at `start` of the file; nil if it is not whole. It is whole if its CRC-16 is 0 at the
  /// start of the next frame, or at the end of the file.
  private mutating func frame(_ number: Int, at start: Int) throws(FileError) -> (samples: Int, bytes: Int)? {
    if start < offset || start + Self.longestFrame + FLACFrameHeader.mostBytes > offset + buffer.count {
      try load(at: start)
    }
    let first = start - offset
    guard let header = FLACFrameHeader(buffer, at: first), header.number == number else { return nil }
    var (crc, index) = (UInt16(0), first)
    let limit = min(buffer.count, first + Self.longestFrame)
    while index < limit {
      let before = crc
      crc = CRC.sixteen(crc, buffer[index])
      index += 1
      if crc != 0 || index < first + header.bytes + 2 { continue }
      // Zeros after a frame, which a power cut may leave, keep the CRC at 0.
      let isEnd = index == buffer.count && before != 0
      if isEnd || FLACFrameHeader(buffer, at: index)?.number == number + 1 {
        return (header.samples, index - first)
      }
    }
    return nil
  }

  /// Reads a piece of the file from `start` on; less at the end of the file.
  private mutating func load(at start: Int) throws(FileError) {
    if buffer.capacity < Self.piece { buffer.reserveCapacity(Self.piece) }
    buffer = try bytes(of: file, path, at: start, Self.piece)
    offset = start
  }
}

/// The header of a frame in a FLAC stream with a fixed block size (RFC 9639, section 9.1).
struct FLACFrameHeader {
  /// The number of the frame, from 0.
  let number: Int
  /// Samples of each channel in the frame.
  let samples: Int
  /// The size of the header, bytes.
  let bytes: Int

  /// The largest header, bytes.
  static let mostBytes = 16

  /// Reads the header at `start` of `buffer`; nil without one, or if its CRC-8 is wrong.
  init?(_ buffer: [UInt8], at start: Int) {
    var offset = start
    func next() -> Int? {
      guard offset < buffer.count else { return nil }
      defer { offset += 1 }
      return Int(buffer[offset])
    }
    guard next() == 0xFF, next() == 0xF8, let sizes = next(), let channels = next(),
      sizes >> 4 != 0, sizes & 15 != 15, channels >> 4 <= 10, channels & 1 == 0, let first = next()
    else { return nil }
    // The number is coded as in UTF-8, up to 31 bits.
    let ones = (~UInt8(first)).leadingZeroBitCount
    if ones == 1 || ones > 6 { return nil }
    var number = ones == 0 ? first : first & (0x7F >> ones)
    for _ in 1..<max(ones, 1) {
      guard let more = next(), more >> 6 == 2 else { return nil }
      number = number << 6 | more & 0x3F
    }
    var samples = 0
    switch sizes >> 4 {
    case 1: samples = 192
    case 2...5: samples = 576 << (sizes >> 4 - 2)
    case 6:
      guard let low = next() else { return nil }
      samples = low + 1
    case 7:
      guard let high = next(), let low = next() else { return nil }
      samples = high << 8 + low + 1
    default: samples = 256 << (sizes >> 4 - 8)
    }
    if sizes & 15 >= 12 { offset += sizes & 15 == 12 ? 1 : 2 }
    guard offset < buffer.count, buffer[start...offset].reduce(0, CRC.eight) == 0 else { return nil }
    (self.number, self.samples, bytes) = (number, samples, offset + 1 - start)
  }
}

/// The CRCs of FLAC, highest bit first, initially 0. The CRC of data followed by its CRC is 0.
enum CRC {
  private static let table8: [UInt8] = (0...255).map { (byte: UInt8) in
    (0..<8).reduce(byte) { crc, _ in crc << 1 ^ (crc & 0x80 == 0 ? 0 : 0x07) }
  }
  private static let table16: [UInt16] = (0...255).map { (byte: UInt16) in
    (0..<8).reduce(byte << 8) { crc, _ in crc << 1 ^ (crc & 0x8000 == 0 ? 0 : 0x8005) }
  }

  /// A CRC-8 after one more byte.
  static func eight(_ crc: UInt8, _ byte: UInt8) -> UInt8 { table8[Int(crc ^ byte)] }

  /// A CRC-16 after one more byte.
  static func sixteen(_ crc: UInt16, _ byte: UInt8) -> UInt16 {
    crc << 8 ^ table16[Int(UInt8(truncatingIfNeeded: crc >> 8) ^ byte)]
  }
}
