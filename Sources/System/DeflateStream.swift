import CZlib

/// Compresses a stream by zlib, piece by piece. One thread.
public final class DeflateStream {
  /// The container of the compressed bytes.
  public enum Container: Sendable {
    /// RFC 1950.
    case zlib
    /// RFC 1952.
    case gzip
  }

  /// The compressed bytes so far that were not taken; complete after `finish`.
  public private(set) var bytes: [UInt8] = []
  private var stream = z_stream()
  private var piece = [UInt8](repeating: 0, count: 1 << 14)

  /// Begins a stream at a level of zlib, 1 to 9. Nil if there is not enough memory.
  public init?(_ container: Container, level: Int32 = 6) {
    // The size of the window, 15 bits, plus 16 for a gzip header; and the largest memory.
    let status = deflateInit2_(
      &stream, level, Z_DEFLATED, container == .gzip ? 15 + 16 : 15, 9, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
      Int32(MemoryLayout<z_stream>.size))
    if status != Z_OK { return nil }
  }

  deinit { deflateEnd(&stream) }

  /// Appends bytes.
  public func write(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { compress($0, Z_NO_FLUSH) } }

  /// Appends the UTF-8 of a text.
  public func write(_ text: String) {
    var text = text
    text.withUTF8 { compress($0, Z_NO_FLUSH) }
  }

  /// Removes and returns the compressed bytes so far.
  public func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// Ends the stream.
  public func finish() { compress(UnsafeBufferPointer(start: nil, count: 0), Z_FINISH) }

  private func compress(_ input: UnsafeBufferPointer<UInt8>, _ flush: Int32) {
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
