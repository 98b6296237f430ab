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
