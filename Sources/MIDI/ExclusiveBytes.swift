import Synth

/// Puts the pieces of a source's system exclusive messages together, whatever they come in. A message that is longer
/// than any that is known is dropped.
struct ExclusiveBytes {
  private let bytes: UnsafeMutablePointer<UInt8>
  /// Bytes of the message so far; -1 between messages, and more than there is room for where it is too long.
  private var count = -1

  /// No message, in memory for `Limits.exclusiveBytes` bytes that nobody else uses.
  init(_ bytes: UnsafeMutablePointer<UInt8>) { self.bytes = bytes }

  /// Drops a message that has begun.
  @_noLocks
  mutating func reset() { count = -1 }

  /// Appends the next byte of a stream, which may be any. The message that it ends, without F0 and F7; nil where it ends none.
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
    // Clock and the like may stand anywhere.
    case 0xF8...: break
    case 0xF7:
      let whole = count
      count = -1
      if whole >= 0, whole <= Limits.exclusiveBytes { return (UnsafePointer(bytes), whole) }
    // Any other message breaks it off.
    default: count = -1
    }
    return nil
  }
}
