/// Finds the channel messages in a stream of MIDI 1.0 bytes, from a cable or a file, with running status and with
/// system messages in between. Unknown messages are skipped. Plain data.
public struct MIDIParser: Sendable {
  // The running status, which data bytes belong to; 0 for none.
  private var status: UInt8 = 0
  // The first of two data bytes, once it was received.
  private var first: UInt8?

  /// A parser at the beginning of a stream.
  @_noLocks public init() {}

  /// True while there is a running status, to which data bytes belong.
  public var hasStatus: Bool { @_noLocks get { status != 0 } }

  /// Ends running status: data bytes are ignored until the next status byte.
  @_noLocks public mutating func endStatus() { (status, first) = (0, nil) }

  /// Reads the next byte of the stream. Returns the message that it completes; nil if it completes none.
  @_noLocks
  public mutating func parse(_ byte: UInt8) -> ChannelMessage? {
    switch byte {
    case 0xFF:
      endStatus()
      return ChannelMessage(0, .reset)
    // System real-time messages, such as clock and active sensing, may occur anywhere, even within another message.
    case 0xF8...: return nil
    // A system common message or system exclusive: the data bytes after it are its own.
    case 0xF0...:
      endStatus()
      return nil
    case 0x80...:
      (status, first) = (byte, nil)
      return nil
    default: break
    }
    if status == 0 { return nil }
    if first == nil && ChannelMessage.dataBytes(after: status) == 2 {
      first = byte
      return nil
    }
    defer { first = nil }
    return ChannelMessage(status: status, first ?? byte, byte)
  }
}
