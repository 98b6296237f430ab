import CZlib
import System

/// Decompresses a gzip stream piece by piece, so that neither a large file nor a small one that expands to a
/// huge one fills the memory. One thread.
final class GzipReader {
  private let input: FileContents
  private var stream = z_stream()
  // A piece of the input, its place there, and the number of bytes of the input that are decompressed.
  private var piece: [UInt8] = []
  private var start = 0
  private var taken = 0
  private var isAtEnd = false

  /// Begins to read. Throws if the bytes are not a gzip stream.
  init(_ input: FileContents) throws(BackupError) {
    self.input = input
    piece = try GzipReader.read(input, at: 0)
    guard piece.starts(with: [0x1F, 0x8B]) else {
      throw BackupError("this is no backup of pipit: it does not begin as a .tar.gz file")
    }
    // The size of the window, 15 bits, plus 16 for a gzip header.
    if inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) != Z_OK {
      throw BackupError("zlib has no memory to read a backup")
    }
  }

  deinit { inflateEnd(&stream) }

  /// The next bytes, `count` of them, or fewer at the end. Throws for a damaged or cut stream.
  func read(_ count: Int) throws(BackupError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count && !isAtEnd {
      if taken == start + piece.count && taken < input.count {
        (piece, start) = (try GzipReader.read(input, at: taken), taken)
      }
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

  private func step(_ output: inout [UInt8], from filled: Int) -> (status: Int32, got: Int, used: Int) {
    piece.withUnsafeBufferPointer { piece in
      output.withUnsafeMutableBufferPointer { output in
        // Limited, since the counters of zlib have 32 bits.
        let most = 1 << 24
        let rest = piece.count - (taken - start)
        let capacity = min(output.count - filled, most)
        stream.next_in = piece.baseAddress.map { UnsafeMutablePointer(mutating: $0 + (taken - start)) }
        stream.next_out = output.baseAddress.map { $0 + filled }
        (stream.avail_in, stream.avail_out) = (UInt32(rest), UInt32(capacity))
        let status = inflate(&stream, Z_NO_FLUSH)
        return (status, capacity - Int(stream.avail_out), rest - Int(stream.avail_in))
      }
    }
  }

  /// A piece of the input, 64 kB or what is left.
  private static func read(_ input: FileContents, at offset: Int) throws(BackupError) -> [UInt8] {
    do throws(FileError) { return try input.read(at: offset, count: 64 << 10) } catch {
      throw BackupError("the backup cannot be read: \(error)")
    }
  }

  private func damaged(_ reason: String) -> BackupError { BackupError("the backup is damaged: \(reason)") }
}
