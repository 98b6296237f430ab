/// Finds the messages in a stream of MIDI 1.0 bytes, as a cable carries them or a file holds them: with running
/// status, and with bytes of the system in between. What it does not know it skips. Plain data.
public struct MIDIParser: Sendable {
  // The status that data bytes belong to, 0 when there is none; it goes on from message to message.
  private var status: UInt8 = 0
  // The first of two data bytes, once it is there.
  private var first: UInt8?

  /// A parser at the beginning of a stream.
  @_noLocks public init() {}

  /// True when a data byte would mean something.
  public var hasStatus: Bool { @_noLocks get { status != 0 } }

  /// Ends running status: data bytes mean nothing until the next status.
  @_noLocks public mutating func endStatus() { (status, first) = (0, nil) }

  /// Reads the next byte of the stream. The message that it completes; nil where it completes none.
  @_noLocks
  public mutating func parse(_ byte: UInt8) -> ChannelMessage? {
    switch byte {
    case 0xFF:
      endStatus()
      return ChannelMessage(0, .reset)
    // A clock, or a sign of life: it may stand anywhere, within another message too, and disturbs nothing.
    case 0xF8...: return nil
    // A message of the system: what follows are its data.
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
