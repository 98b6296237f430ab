import System

/// A stereo WAV file that is being written under a temporary name. `finish` gives it its name; without `finish` it is
/// deleted. One thread.
public final class WAVFile {
  private let path: String
  private let format: WAVFormat
  private let rate: Int
  private let file: NewFile
  private var buffer: [UInt8] = []
  private static let piece = 1 << 16
  /// The most bytes of sound in a WAV, whose length has 32 bits.
  public static let maxBytes = Int(UInt32.max) - 100
  /// Frames written so far.
  public private(set) var frames = 0

  // Whether it is a pipe, whose header cannot be rewritten with the length.
  private let isStream: Bool

  /// Begins a file at `path`, which may exist, as `NewFile` does. A pipe gets a stream of unstated length. Throws if
  /// the file cannot be created.
  public init(
    path: String, format: WAVFormat, rate: Int, isInterrupted: @escaping () -> Bool = { false }
  ) throws(FileError) {
    (self.path, self.format, self.rate) = (path, format, rate)
    file = try NewFile(path, isInterrupted: isInterrupted)
    do {
      try file.rewind()
      isStream = false
    } catch { isStream = true }
    buffer.reserveCapacity(Self.piece + 16)
    buffer = format.header(rate: rate, frames: isStream ? nil : 0)
  }

  /// Appends frames. Throws if the disk is full, or the file would exceed 4 GB, the limit of WAV.
  public func write(
    left: UnsafePointer<Float>, right: UnsafePointer<Float>, frames count: Int
  ) throws(FileError) {
    if (frames + count) * 2 * format.bytes > Self.maxBytes {
      throw FileError("write", path, "a WAV holds 4 GB at most; take a lower rate or fewer bits")
    }
    for frame in 0..<count {
      format.append(left[frame], to: &buffer)
      format.append(right[frame], to: &buffer)
      if buffer.count >= Self.piece { try flush() }
    }
    frames += count
  }

  /// Rewrites the header with the final length, and gives the file its name.
  public func finish() throws(FileError) {
    try flush()
    if isStream { return try file.finish() }
    try file.rewind()
    buffer = format.header(rate: rate, frames: frames)
    try flush()
    try file.finish()
  }

  private func flush() throws(FileError) {
    defer { buffer.removeAll(keepingCapacity: true) }
    try file.write(buffer)
  }
}

/// The sample format of a WAV.
public enum WAVFormat: String, CaseIterable, Sendable {
  /// 16-bit integers.
  case s16
  /// 24-bit integers.
  case s24
  /// 32-bit floating point.
  case f32

  /// The size of a sample, bytes.
  public var bytes: Int {
    switch self {
    case .s16: 2
    case .s24: 3
    case .f32: 4
    }
  }

  /// The header of a stereo file of `frames` frames. Floating point needs a `fact` chunk and the size of a format
  /// extension, which is 0. A stream of unknown length, nil, states the largest size.
  func header(rate: Int, frames: Int?) -> [UInt8] {
    let frame = 2 * bytes
    let unknown = Int(UInt32.max)
    let float = self == .f32
    var format = word(float ? 3 : 1, 2) + word(2, 2) + word(rate, 4) + word(rate * frame, 4)
    format += word(frame, 2) + word(8 * bytes, 2) + (float ? word(0, 2) : [])
    var chunks = name("WAVE") + name("fmt ") + word(format.count, 4) + format
    if float { chunks += name("fact") + word(4, 4) + word(frames ?? unknown, 4) }
    chunks += name("data") + word(frames.map { $0 * frame } ?? unknown, 4)
    return name("RIFF") + word(frames.map { chunks.count + $0 * frame } ?? unknown, 4) + chunks
  }

  /// Appends a sample to `bytes`. A sample beyond full scale is clipped, and NaN becomes 0.
  @inline(__always)
  func append(_ sample: Float, to bytes: inout [UInt8]) {
    switch self {
    case .f32: low(Int(sample.bitPattern), 4, into: &bytes)
    case .s24: low(whole(sample, 8_388_608), 3, into: &bytes)
    case .s16: low(whole(sample, 32_768), 2, into: &bytes)
    }
  }
}

/// Appends the lowest `count` bytes of a number, the lowest first.
@inline(__always)
private func low(_ number: Int, _ count: Int, into bytes: inout [UInt8]) {
  var rest = number
  for _ in 0..<count {
    bytes.append(UInt8(truncatingIfNeeded: rest))
    rest >>= 8
  }
}

/// The nearest integer to `sample` times `scale`, at most `scale` - 1.
@inline(__always)
private func whole(_ sample: Float, _ scale: Double) -> Int {
  if sample.isNaN { return 0 }
  // Double holds 24 bits and a half exactly, and this rounding needs no call of the C library.
  let number = max(-scale, min(Double(sample) * scale, scale - 1))
  return Int(clamping: number + (number < 0 ? -0.5 : 0.5))
}

private func name(_ text: String) -> [UInt8] { Array(text.utf8) }

private func word(_ value: Int, _ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  low(value, count, into: &bytes)
  return bytes
}
