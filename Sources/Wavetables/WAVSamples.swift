/// The left channel of a WAV file, in samples of 16, 24 or 32 bits, or floating point.
enum WAVSamples {
  /// The samples; integers are scaled to ±1.
  static func read(_ chunks: WAVChunks) throws(WavetableError) -> [Float] {
    guard let format = chunks.format, format.count >= 16 else { throw WavetableError("has no format chunk") }
    guard let data = chunks.data else { throw WavetableError("has no samples") }
    let first = format.startIndex
    func word(_ offset: Int) -> Int { Int(WAVChunks.number(format[(first + offset)...], 2)) }
    // The extensible format has the code at the beginning of a GUID.
    let code = word(0) == 0xFFFE && format.count >= 26 ? word(24) : word(0)
    let (channels, frame, bits) = (word(2), word(12), word(14))
    guard channels > 0, frame == channels * (bits / 8), bits % 8 == 0 else {
      throw WavetableError("has a damaged format chunk")
    }
    guard let sample = decoder(code, bits) else {
      throw WavetableError("has samples of another kind than 16, 24 or 32 bits, or floating point")
    }
    var samples: [Float] = []
    samples.reserveCapacity(data.count / frame)
    var offset = data.startIndex
    while offset + frame <= data.endIndex {
      samples.append(sample(data[offset...]))
      offset += frame
    }
    return samples
  }

  private static func decoder(_ code: Int, _ bits: Int) -> ((ArraySlice<UInt8>) -> Float)? {
    switch (code, bits) {
    case (1, 16): { Float(Int16(truncatingIfNeeded: WAVChunks.number($0, 2))) / 32_768 }
    case (1, 24): { Float(Int32(truncatingIfNeeded: WAVChunks.number($0, 3) << 8)) / 2_147_483_648 }
    case (1, 32): { Float(Int32(truncatingIfNeeded: WAVChunks.number($0, 4))) / 2_147_483_648 }
    case (3, 32): { Float(bitPattern: UInt32(truncatingIfNeeded: WAVChunks.number($0, 4))) }
    case (3, 64): { Float(Double(bitPattern: WAVChunks.number($0, 8))) }
    default: nil
    }
  }
}
