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
