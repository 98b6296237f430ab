/// UUIDs derived from names, so that equal tables make equal files, bit for bit.
enum StableUUID {
  /// The UUID of a path of names: version 8, whose bits are free for the application. Sixty of them tell the controls of
  /// a file apart; more would be a sixth of the file, since they cannot be compressed.
  static func of(_ path: String) -> String {
    let high = (hash(path, 0xCBF2_9CE4_8422_2325) & ~0xF000) | 0x8000
    let low: UInt64 = 1 << 63
    let digits = hex(high) + hex(low)
    var (text, rest) = ("", Substring(digits))
    for length in [8, 4, 4, 4, 12] {
      text += (text.isEmpty ? "" : "-") + rest.prefix(length)
      rest = rest.dropFirst(length)
    }
    return text
  }

  /// FNV-1a with a final mix, since the last characters hardly affect its upper bits.
  private static func hash(_ text: String, _ seed: UInt64) -> UInt64 {
    var hash = seed
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 33)) &* 0xFF51_AFD7_ED55_8CCD
    return hash ^ (hash >> 33)
  }

  private static func hex(_ number: UInt64) -> String {
    let digits = String(number, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
