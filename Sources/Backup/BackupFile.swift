import CZlib

/// A file in a backup.
struct BackupFile: Sendable, Equatable {
  /// The path below the top folder.
  let path: String
  let bytes: [UInt8]
  /// When it last changed, seconds since 1970; nil if that is unknown.
  var modified: Int?

  /// The CRC-32 of its bytes.
  var checksum: UInt32 { BackupFile.checksum(bytes) }

  static func checksum(_ bytes: [UInt8]) -> UInt32 {
    UInt32(truncatingIfNeeded: crc32(0, bytes, UInt32(bytes.count)))
  }
}
