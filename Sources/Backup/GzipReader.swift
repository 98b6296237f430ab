import CZlib

/// Decompresses a gzip stream piece by piece, so that a small file that expands to a huge one does not fill the
/// memory. One thread.
final class GzipReader {
  private let input: [UInt8]
  private var stream = z_stream()
  private var taken = 0
  private var isAtEnd = false

  /// Begins to read. Throws if the bytes are not a gzip stream.
  init(_ bytes: [UInt8]) throws(BackupError) {
    input = bytes
    guard bytes.starts(with: [0x1F, 0x8B]) else {
      throw BackupError("this is no backup of pipit: it does not begin as a .tar.gz file")
    }
    let size = Int32(MemoryLayout<z_stream>.size)
    if inflateInit2_(&stream, GzipWriter.windowBits, ZLIB_VERSION, size) != Z_OK {
      throw BackupError("zlib has no memory to read a backup")
    }
  }

  deinit { inflateEnd(&stream) }

  /// The next bytes, `count` of them, or fewer at the end. Throws for a damaged or cut stream.
  func read(_ count: Int) throws(BackupError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count && !isAtEnd {
      let (status, got, used) = step(&output, from: filled)
      (filled, taken) = (filled + got, taken + used)
      if status == Z_STREAM_END {
        isAtEnd = true
        if taken < input.count { throw damaged("\(input.count - taken) bytes follow its end") }
      } else if status == Z_BUF_ERROR || status == Z_OK && got == 0 && used == 0 {
        throw damaged("it is cut off after \(input.count) bytes")
      } else if status != Z_OK {
        throw damaged("its compressed data is wrong near byte \(taken)")
      }
    }
    output.removeLast(count - filled)
    return output
  }

  private func step(_ output: inout [UInt8], from start: Int) -> (status: Int32, got: Int, used: Int) {
    input.withUnsafeBufferPointer { input in
      output.withUnsafeMutableBufferPointer { output in
        // Limited, since the counters of zlib have 32 bits.
        let most = 1 << 24
        let rest = input[taken...].prefix(most)
        let capacity = min(output.count - start, most)
        stream.next_in = input.baseAddress.map { UnsafeMutablePointer(mutating: $0 + taken) }
        stream.next_out = output.baseAddress.map { $0 + start }
        (stream.avail_in, stream.avail_out) = (UInt32(rest.count), UInt32(capacity))
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, capacity - Int(stream.avail_out), rest.count - Int(stream.avail_in))
      }
    }
  }

  private func damaged(_ reason: String) -> BackupError { BackupError("the backup is damaged: \(reason)") }
}
