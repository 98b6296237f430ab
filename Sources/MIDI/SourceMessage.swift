/// A channel message of a source, read once and completed by earlier messages of its channel. `MIDIDecoder.event` makes the
/// performance event of it, and `movement` the movement of a bound control.
public struct SourceMessage: Equatable, Sendable {
  /// The message that a controller belongs to.
  enum Context: Equatable, Sendable {
    /// None: the message is complete, or its first part is missing.
    case none
    /// The upper half of a value. Where `isPaired`, its lower half will follow: it always has.
    case upper(isPaired: Bool)
    /// The lower half of a value, `whole` with its upper half. Where `isPaired`, both come together; else the number may just
    /// as well be another control.
    case lower(whole: MIDIValue, isPaired: Bool)
    /// The value of the parameter that is chosen.
    case entry(ParameterEntry)
  }

  /// The index of the source, 0..<`Limits.sources`.
  public let source: UInt8
  /// MIDI channel 0…15.
  public let channel: UInt8
  /// The message as it came.
  public let message: MIDIMessage
  let context: Context

  @_noLocks
  init(_ received: ChannelMessage, source: UInt8, _ context: Context) {
    (self.source, channel, message) = (source, received.channel & 15, received.message)
    self.context = context
  }
}

/// A message of a source, whatever carried it: an event of a sequencer or a Universal MIDI Packet.
public enum IncomingMessage: Equatable, Sendable {
  /// A message on a channel, or one for all channels.
  case channel(ChannelMessage)
  /// A message of a sequencer to those that follow it.
  case clock(ClockMessage)
  /// The sign of life of a device.
  case activeSensing
  /// A system exclusive message, or a piece of one, whose bytes `MIDIDecoder.read` reads.
  case exclusive
}
