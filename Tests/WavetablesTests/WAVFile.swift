/// WAV files for tests.
enum WAVFile {
  /// A file of one kind of samples. `clm` is the text of such a chunk.
  static func bytes(
    _ samples: [Float], code: Int = 3, bits: Int = 32, channels: Int = 1, clm: String? = nil
  ) -> [UInt8] {
    var data: [UInt8] = []
    for sample in samples {
      for channel in 0..<channels { data += encoded(channel == 0 ? sample : -0.3, code, bits) }
    }
    let format =
      word(code, 2) + word(channels, 2) + word(48_000, 4) + word(48_000 * channels * bits / 8, 4)
      + word(channels * bits / 8, 2) + word(bits, 2)
    let body =
      Array("WAVE".utf8) + chunk("fmt ", format) + (clm.map { chunk("clm ", Array($0.utf8)) } ?? [])
      + chunk("data", data)
    return Array("RIFF".utf8) + word(body.count, 4) + body
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    Array(name.utf8) + word(bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
  }

  private static func word(_ number: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  private static func encoded(_ x: Float, _ code: Int, _ bits: Int) -> [UInt8] {
    switch (code, bits) {
    case (3, 32): word(Int(x.bitPattern), 4)
    case (3, 64): word(Int(truncatingIfNeeded: Double(x).bitPattern), 8)
    default: word(Int((Double(x) * Double(1 << (bits - 1))).rounded(.down)), bits / 8)
    }
  }
}
