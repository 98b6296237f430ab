import CZlib

/// The container of a TouchOSC file: a zlib stream (RFC 1950).
enum Zlib {
  static func stream(_ bytes: [UInt8]) -> [UInt8] {
    var size = compressBound(uLong(bytes.count))
    return [UInt8](unsafeUninitializedCapacity: Int(size)) { buffer, count in
      let status = compress(buffer.baseAddress, &size, bytes, uLong(bytes.count))
      precondition(status == Z_OK, "zlib has no memory to compress a layout")
      count = Int(size)
    }
  }
}
