/// A MIDI message, independent of its transport: bytes, events of the ALSA sequencer, or Universal MIDI Packets.
/// Notes, controllers and programs are 0…127.
public enum MIDIMessage: Equatable, Sendable {
  /// A velocity of 0 is the softest stroke. A MIDI 1.0 note on with velocity 0 is a `noteOff` instead.
  case noteOn(note: UInt8, velocity: MIDIValue)
  case noteOff(note: UInt8, velocity: MIDIValue)
  case notePressure(note: UInt8, MIDIValue)
  case controller(UInt8, MIDIValue)
  /// A controller below 32 and the one 32 above it in one message of 14 bits, as the ALSA sequencer sends it.
  case pair(UInt8, MIDIValue)
  /// A parameter and its value in one message: a registered one (RPN), or one of the manufacturer (NRPN). The number
  /// is 0…16,383.
  case parameter(UInt16, isRegistered: Bool, MIDIValue)
  /// A relative change of a parameter, in units of its 32-bit value in MIDI 2.0.
  case parameterStep(UInt16, isRegistered: Bool, Int32)
  /// `bank` is 0…16,383, or nil when the message names none; then the bank of controllers 0 and 32 applies.
  case program(UInt8, bank: UInt16?)
  case pressure(MIDIValue)
  /// Pitch bend; the wheel rests at the centre.
  case bend(MIDIValue)
  /// The pitch of a key's next stroke only, in semitones from key 0 in equal temperament, 0…128.
  case noteOnPitch(note: UInt8, Float)
  /// Per-note pitch bend of one key, which rests at the centre.
  case noteBend(note: UInt8, MIDIValue)
  /// A per-note controller of one key, registered or assignable. Its number is 0…255.
  case noteController(note: UInt8, UInt8, isRegistered: Bool, MIDIValue)
  /// Per-note management of one key. `detaches`: its sounding notes keep their bend and controllers and ignore later
  /// changes. `resets`: bend and controllers of the key return to rest, after the notes are detached.
  case noteManagement(note: UInt8, detaches: Bool, resets: Bool)
  /// System reset: the sender was switched on. For all channels.
  case reset

  /// The controller that it moves, and its value; nil for any other message.
  var controller: (number: UInt8, value: MIDIValue)? {
    @_noLocks get {
      switch self {
      case .controller(let number, let value), .pair(let number, let value): (number, value)
      default: nil
      }
    }
  }

  /// A note on of MIDI 1.0, whose velocity has seven bits. With velocity 0 it is a note off, with the default release
  /// velocity of 64.
  @_noLocks
  public static func noteOn(_ note: UInt8, sevenBits velocity: UInt8) -> MIDIMessage {
    if velocity == 0 { return .noteOff(note: note, velocity: MIDIValue(64, bits: 7)) }
    return .noteOn(note: note, velocity: MIDIValue(UInt32(velocity), bits: 7))
  }
}

/// A message and its channel, 0…15; 0 for a message for all channels.
public struct ChannelMessage: Equatable, Sendable {
  /// MIDI channel 0…15.
  public let channel: UInt8
  /// The message without its channel.
  public let message: MIDIMessage

  /// `channel` is 0…15.
  @_noLocks
  public init(_ channel: UInt8, _ message: MIDIMessage) {
    (self.channel, self.message) = (channel, message)
  }

  /// The channel message of MIDI 1.0 that begins with `status`, 0x80…0xEF; nil for another. The upper bit of data
  /// bytes is ignored. A message with one data byte ignores `second`.
  @_noLocks
  public init?(status: UInt8, _ first: UInt8, _ second: UInt8) {
    let number = first & 0x7F
    let value = MIDIValue(UInt32(second), bits: 7)
    switch status >> 4 {
    case 0x8: self.init(status & 15, .noteOff(note: number, velocity: value))
    case 0x9: self.init(status & 15, .noteOn(number, sevenBits: second & 0x7F))
    case 0xA: self.init(status & 15, .notePressure(note: number, value))
    case 0xB: self.init(status & 15, .controller(number, value))
    case 0xC: self.init(status & 15, .program(number, bank: nil))
    case 0xD: self.init(status & 15, .pressure(MIDIValue(UInt32(first), bits: 7)))
    case 0xE:
      self.init(status & 15, .bend(MIDIValue(UInt32(second & 0x7F) << 7 | UInt32(number), bits: 14)))
    default: return nil
    }
  }

  /// The number of data bytes that follow a status of 0x80…0xEF.
  @_noLocks
  public static func dataBytes(after status: UInt8) -> Int { status >> 5 == 0b110 ? 1 : 2 }
}

/// The value of a controller or the velocity of a key, in the 32 bits of MIDI 2.0, whatever resolution it came in.
///
/// A coarser value is scaled up as MIDI 2.0 specifies (M2-115-U): minimum, centre and maximum are preserved exactly,
/// and scaling down is a plain shift. So 127 of 127, 16,383 of 16,383 and the largest 32-bit number are the same
/// value.
public struct MIDIValue: Equatable, Sendable {
  /// 0…4,294,967,295; the centre is 2³¹.
  public let raw: UInt32

  /// The value that MIDI 2.0 sends in 32 bits.
  @_noLocks public init(raw: UInt32) { self.raw = raw }

  /// A value of 2…32 `bits`: 7 for a data byte, 14 for two, 16 for a velocity in MIDI 2.0. Higher bits of `number`
  /// are lost.
  @_noLocks
  public init(_ number: UInt32, bits: UInt32) {
    let free = 32 - bits
    var all = number << free
    // Above the centre, the bits below the highest are repeated into those that are free.
    if all > 1 << 31 {
      let period = bits - 1
      var pattern = (all << 1) >> bits
      while pattern != 0 {
        all |= pattern
        pattern >>= period
      }
    }
    raw = all
  }

  /// 0…1, the centre is 0.5.
  public var unit: Float { @_noLocks get { Float(0.5 + 0.5 * position) } }

  /// -1…1, the centre is 0.
  public var bipolar: Float { @_noLocks get { Float(position) } }

  // Both ends are reached: there is one step less above the centre than below.
  private var position: Double {
    @_noLocks get {
      let offset = Double(raw) - 2_147_483_648
      return offset / (offset < 0 ? 2_147_483_648 : 2_147_483_647)
    }
  }

  /// 0…1, as MIDI 1.0 scales volumes: the seven-bit value divided by 127. The centre is 64/127.
  public var fraction: Float {
    @_noLocks get {
      let offset = Double(raw) - 2_147_483_648
      let steps = offset < 0 ? 64 + offset / 33_554_432 : 64 + 63 * (offset / 2_147_483_647)
      return Float(steps / 127)
    }
  }

  /// The value in 14 bits, 0…16,383: two halves of seven.
  public var fourteenBits: UInt16 { @_noLocks get { UInt16(truncatingIfNeeded: raw >> 18) } }

  /// The value in seven bits, 0…127: a number, or a switch.
  public var sevenBits: UInt8 { @_noLocks get { UInt8(truncatingIfNeeded: raw >> 25) } }
}

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

/// A message of a port, from any transport: an event of the ALSA sequencer or a Universal MIDI Packet.
public enum PortMessage: Equatable, Sendable {
  /// A message on a channel, or one for all channels.
  case channel(ChannelMessage)
  /// A message of a MIDI clock.
  case clock(ClockMessage)
  /// Active sensing: the device is still connected.
  case activeSensing
  /// A system exclusive message, or a piece of one, whose bytes `MIDIDecoder.read` reads.
  case exclusive
}
