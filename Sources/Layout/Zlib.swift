/// The container of a TouchOSC file: a zlib stream (RFC 1950).
///
/// The blocks are stored as they are (RFC 1951, 3.2.4): a layout is read once, and packing it is not worth a
/// compressor or another library.
enum Zlib {
  /// The most bytes that a stored block takes.
  static let block = 65_535

  /// Wraps `bytes`.
  static func stream(_ bytes: [UInt8]) -> [UInt8] {
    // Deflate with a window of 32 kB, and a check that makes the pair a multiple of 31.
    var stream: [UInt8] = [0x78, 0x9C]
    var start = 0
    repeat {
      let end = min(start + block, bytes.count)
      let length = UInt16(end - start)
      stream.append(end == bytes.count ? 1 : 0)
      for number in [length, ~length] { stream += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)] }
      stream += bytes[start..<end]
      start = end
    } while start < bytes.count
    let sum = adler32(bytes)
    return stream + [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: sum >> $0) }
  }

  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    return b << 16 | a
  }
}
