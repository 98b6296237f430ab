import Synth

/// Assembles the system exclusive messages of a source from pieces of any size. A message that is longer than any
/// known one is dropped.
struct ExclusiveBytes {
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Bytes of the message so far; -1 between messages, and above `Limits.exclusiveBytes` if it is too long.
  private var count = -1

  /// No message, in memory for `Limits.exclusiveBytes` bytes, which it uses exclusively.
  init(_ bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

  /// Drops a message that has begun.
  @_noLocks
  mutating func reset() { count = -1 }

  /// Appends the next byte of a stream, which may be any. Returns the message that it completes, without F0 and F7;
  /// nil if it completes none.
  @_noLocks
  mutating func append(_ byte: UInt8) -> (bytes: UnsafePointer<UInt8>, count: Int)? {
    switch byte {
    case 0..<0x80:
      if count >= 0, count < Limits.exclusiveBytes {
        bytes[count] = byte
        count &+= 1
      } else if count >= 0 {
        count = Limits.exclusiveBytes &+ 1
      }
    case 0xF0: count = 0
    // System real-time messages may occur anywhere.
    case 0xF8...: break
    case 0xF7:
      let whole = count
      count = -1
      if whole >= 0, whole <= Limits.exclusiveBytes { return (UnsafePointer(bytes), whole) }
    // Any other status byte aborts the message.
    default: count = -1
    }
    return nil
  }
}
