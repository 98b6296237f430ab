/// The chunks of a WAV file that a wavetable needs: the format, the samples, and `clm `, in which synthesizers write the
/// length of a frame. Multimedia Programming Interface and Data Specifications 1.0 (IBM and Microsoft, 1991).
struct WAVChunks {
  private(set) var format: ArraySlice<UInt8>?
  private(set) var data: ArraySlice<UInt8>?
  private(set) var frames: ArraySlice<UInt8>?

  /// The chunks of a file. Throws for a file that is no WAV file or that ends within a chunk.
  init(_ bytes: [UInt8]) throws(WavetableError) {
    guard bytes.count >= 12, Self.text(bytes[0..<4]) == "RIFF", Self.text(bytes[8..<12]) == "WAVE" else {
      throw WavetableError("is no WAV file")
    }
    var offset = 12
    while offset + 8 <= bytes.count {
      let name = Self.text(bytes[offset..<offset + 4])
      let size = Int(Self.number(bytes[(offset + 4)...], 4))
      let begin = offset + 8
      guard size <= bytes.count - begin else { throw WavetableError("is cut off") }
      let chunk = bytes[begin..<begin + size]
      switch name {
      case "fmt " where format == nil: format = chunk
      case "data" where data == nil: data = chunk
      case "clm " where frames == nil: frames = chunk
      default: break
      }
      // Chunks begin at even offsets.
      offset = begin + size + size % 2
    }
  }

  /// The samples in a frame according to the `clm ` chunk, such as `<!>2048 10000000 wavetable`; nil if it states
  /// none.
  var frameLength: Int? {
    guard let frames, Self.text(frames.prefix(3)) == "<!>" else { return nil }
    return Int(Self.text(frames.dropFirst(3).prefix { (48...57).contains($0) }.prefix(6)))
  }

  /// Bytes as text.
  private static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

  /// A little-endian number of `count` bytes.
  static func number(_ bytes: ArraySlice<UInt8>, _ count: Int) -> UInt64 {
    var number: UInt64 = 0
    for byte in bytes.prefix(count).reversed() { number = number << 8 | UInt64(byte) }
    return number
  }
}
