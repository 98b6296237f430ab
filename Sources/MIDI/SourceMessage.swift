/// A channel message of a source, read once and completed by earlier messages of its channel. `MIDIDecoder.event`
/// converts it to a performance event, and `movement` to the movement of a bound control.
public struct SourceMessage: Equatable, Sendable {
  /// The place of a controller in a value that consists of several messages.
  enum Context: Equatable, Sendable {
    /// None: the message is complete by itself, or the first part of its value is missing.
    case none
    /// The upper half of a value. If `isPaired`, its lower half will follow, as it did before.
    case upper(isPaired: Bool)
    /// The lower half of a value; `whole` includes the upper half. If `isPaired`, both are sent together; otherwise
    /// the controller may just as well be a separate control.
    case lower(whole: MIDIValue, isPaired: Bool)
    /// Data entry for the selected parameter.
    case entry(ParameterEntry)
  }

  /// The index of the source, 0..<`Limits.sources`.
  public let source: UInt8
  /// MIDI channel 0…15.
  public let channel: UInt8
  /// The message as received.
  public let message: MIDIMessage
  let context: Context

  @_noLocks
  init(_ received: ChannelMessage, source: UInt8, _ context: Context) {
    (self.source, channel, message) = (source, received.channel & 15, received.message)
    self.context = context
  }
}

/// A message of a source from any transport: an event of the ALSA sequencer or a Universal MIDI Packet.
public enum IncomingMessage: Equatable, Sendable {
  /// A message on a channel, or one for all channels.
  case channel(ChannelMessage)
  /// A message of a MIDI clock.
  case clock(ClockMessage)
  /// Active sensing: the device is still connected.
  case activeSensing
  /// A system exclusive message, or a piece of one, whose bytes `MIDIDecoder.read` reads.
  case exclusive
}
