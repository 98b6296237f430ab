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
