/// The message `/monitor` with the sample rate and samples as a blob: 16 bits each, big-endian.
enum SamplesMessage {
  /// The bytes of the message.
  static func bytes(rate: Int, _ samples: [Int16]) -> [UInt8] {
    var bytes = Array("/monitor\0\0\0\0,ib\0".utf8)
    bytes.reserveCapacity(bytes.count + 8 + 2 * samples.count + 2)
    append(UInt32(clamping: rate), to: &bytes)
    append(UInt32(clamping: 2 * samples.count), to: &bytes)
    for sample in samples {
      bytes.append(UInt8(truncatingIfNeeded: sample >> 8))
      bytes.append(UInt8(truncatingIfNeeded: sample))
    }
    while bytes.count % 4 != 0 { bytes.append(0) }
    return bytes
  }

  private static func append(_ word: UInt32, to bytes: inout [UInt8]) {
    for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(shift))) }
  }
}
