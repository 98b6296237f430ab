import CZlib

/// Compresses a gzip stream (RFC 1952). One thread.
final class GzipWriter {
  /// The compressed bytes so far that were not taken; complete after `finish`.
  private(set) var bytes: [UInt8] = []
  private var stream = z_stream()
  private var piece = [UInt8](repeating: 0, count: 1 << 16)

  /// The window size for zlib: 15 bits, plus 16 for gzip headers.
  static let windowBits: Int32 = 15 + 16

  /// Begins a stream. Throws if there is not enough memory.
  init() throws(BackupError) {
    let size = Int32(MemoryLayout<z_stream>.size)
    let status = deflateInit2_(
      &stream, 6, Z_DEFLATED, GzipWriter.windowBits, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, size)
    if status != Z_OK { throw BackupError("zlib has no memory to compress a backup") }
  }

  deinit { deflateEnd(&stream) }

  /// Appends bytes.
  func write(_ bytes: [UInt8]) { run(bytes, Z_NO_FLUSH) }

  /// Removes and returns the compressed bytes so far.
  func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Ends the stream.
  func finish() { run([], Z_FINISH) }

  private func run(_ input: [UInt8], _ flush: Int32) {
    input.withUnsafeBufferPointer { input in
      stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
      stream.avail_in = UInt32(input.count)
      repeat {
        let count = piece.withUnsafeMutableBufferPointer { output in
          stream.next_out = output.baseAddress
          stream.avail_out = UInt32(output.count)
          deflate(&stream, flush)
          return output.count - Int(stream.avail_out)
        }
        bytes += piece[..<count]
      } while stream.avail_out == 0
    }
  }
}
