/// WAV files for tests.
enum WAVFile {
  /// A file of one kind of samples. `clm` is the text of such a chunk. In the extensible format the code of the samples
  /// is at the beginning of a GUID.
  static func bytes(
    _ samples: [Float], code: Int = 3, bits: Int = 32, channels: Int = 1, clm: String? = nil,
    isExtensible: Bool = false
  ) -> [UInt8] {
    var data: [UInt8] = []
    for sample in samples {
      for channel in 0..<channels { data += encoded(channel == 0 ? sample : -0.3, code, bits) }
    }
    let frame = channels * bits / 8
    var fields: [(number: Int, bytes: Int)] = [
      (isExtensible ? 0xFFFE : code, 2), (channels, 2), (48_000, 4), (48_000 * frame, 4), (frame, 2),
      (bits, 2),
    ]
    if isExtensible {
      fields += [(22, 2), (bits, 2), (0, 4), (code, 2), (0, 2), (0x10, 2)]
      fields += [(0xAA00_0080, 4), (0x719B_3800, 4)]
    }
    let format = fields.flatMap { word($0.number, $0.bytes) }
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
