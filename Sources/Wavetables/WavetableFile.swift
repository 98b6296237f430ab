import Scenes
import Synth

/// A WAV file as a wavetable: frames of one period each, one after the other. The sample rate is ignored, and only
/// the left channel is read.
public enum WavetableFile {
  /// Samples of a frame without a `clm ` chunk.
  static let defaultFrameLength = 2_048
  /// Lengths of frames that can be read, in samples.
  private static let lengths = 16...4_096

  /// The frames of a file. Throws for a file that is damaged or too large, or whose samples are no numbers or all 0.
  public static func read(_ bytes: [UInt8]) throws(WavetableError) -> WaveSpectrum {
    let chunks = try WAVChunks(bytes)
    var samples = try WAVSamples.read(chunks)
    guard samples.allSatisfy(\.isFinite) else { throw WavetableError("has a sample that is no number") }
    let peak = samples.reduce(0) { max($0, $1.magnitude) }
    guard peak >= .leastNormalMagnitude else { throw WavetableError("is silent") }
    for index in samples.indices { samples[index] /= peak }
    let length = try length(of: samples.count, chunks)
    let frames = samples.count / length
    guard frames <= WaveSpectrum.mostFrames else {
      throw WavetableError("has \(frames) frames; \(WaveSpectrum.mostFrames) is the most")
    }
    return WaveSpectrum(samples: samples, length: length)
  }

  /// The samples in a frame: as the file states, else 2,048, or all samples of a shorter file.
  private static func length(of count: Int, _ chunks: WAVChunks) throws(WavetableError) -> Int {
    let named = chunks.frameLength
    let length = named ?? min(count, defaultFrameLength)
    guard lengths.contains(length) else {
      throw WavetableError(
        "has frames of \(length) samples; \(lengths.lowerBound) to \(lengths.upperBound) can be read")
    }
    guard count >= length, named != nil || count % length == 0 else {
      throw WavetableError("has \(count) samples, which is no multiple of \(length)")
    }
    guard count < 2 * length || length & (length - 1) == 0 else {
      throw WavetableError("has frames of \(length) samples, which is no power of two")
    }
    return length
  }
}

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
