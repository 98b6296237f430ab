/// Universal MIDI Packets (UMP) of 32-bit words, which carry messages of MIDI 2.0 and MIDI 1.0.
public enum UMP {
  /// The number of words, 1…4, of a packet whose first word is `first`.
  @_noLocks
  public static func words(_ first: UInt32) -> Int {
    switch first >> 28 {
    case 0x0...0x2, 0x6, 0x7: 1
    case 0x3, 0x4, 0x8...0xA: 2
    case 0xB, 0xC: 3
    default: 4
    }
  }

  /// The group of a packet, 0…15, which has sixteen channels of its own. Packets of types 0 and F have none.
  @_noLocks
  public static func group(_ first: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: first >> 24) & 15 }

  /// The message in a packet; nil if pipit does not know it. In a packet of one word, `second` is ignored. Before a
  /// note on with a pitch attribute, play its `noteOnPitch`.
  @_noLocks
  public static func read(_ first: UInt32, _ second: UInt32 = 0) -> PortMessage? {
    let status = UInt8(truncatingIfNeeded: first >> 16)
    switch first >> 28 {
    case 0x1 where status == 0xFE: return .activeSensing
    case 0x1 where status < 0xFE:
      let (high, low) = (UInt8(truncatingIfNeeded: first >> 8), UInt8(truncatingIfNeeded: first))
      guard let message = ClockMessage(status: status, high, low) else { return nil }
      return .clock(message)
    case 0x3: return .exclusive
    default:
      guard let message = message(first, second) else { return nil }
      return .channel(message)
    }
  }

  /// The channel message in a packet; nil when it holds none that pipit knows. In a packet of one word, `second` is
  /// ignored. Time stamps, which no manufacturer sends, and stream messages are ignored.
  @_noLocks
  public static func message(_ first: UInt32, _ second: UInt32 = 0) -> ChannelMessage? {
    let status = UInt8(truncatingIfNeeded: first >> 16)
    let (high, low) = (UInt8(truncatingIfNeeded: first >> 8), UInt8(truncatingIfNeeded: first))
    switch first >> 28 {
    case 0x1: return status == 0xFF ? ChannelMessage(0, .reset) : nil
    case 0x2: return ChannelMessage(status: status, high, low)
    case 0x4: return message(status, number: high & 0x7F, flags: low, second)
    default: return nil
    }
  }

  /// A channel message of MIDI 2.0.
  @_noLocks
  private static func message(
    _ status: UInt8, number: UInt8, flags: UInt8, _ data: UInt32
  ) -> ChannelMessage? {
    let channel = status & 15
    let value = MIDIValue(raw: data)
    let velocity = MIDIValue(data >> 16, bits: 16)
    switch status >> 4 {
    case 0x0, 0x1, 0x6, 0xF: return note(channel, status >> 4, number, flags, value)
    case 0x2...0x5:
      let isRegistered = status & 0x10 == 0
      let parameter = UInt16(number) << 7 | UInt16(flags & 0x7F)
      let isStep = status >> 4 >= 0x4
      let step = MIDIMessage.parameterStep(
        parameter, isRegistered: isRegistered, Int32(bitPattern: data))
      return ChannelMessage(
        channel, isStep ? step : .parameter(parameter, isRegistered: isRegistered, value))
    case 0x8: return ChannelMessage(channel, .noteOff(note: number, velocity: velocity))
    case 0x9: return ChannelMessage(channel, .noteOn(note: number, velocity: velocity))
    case 0xA: return ChannelMessage(channel, .notePressure(note: number, value))
    // A value of 32 bits has no lower half, so controllers that carry lower halves are ignored.
    case 0xB where number > 32 && number < 64 && number != 38: return nil
    case 0xB: return ChannelMessage(channel, .controller(number, value))
    case 0xC:
      let bank = UInt16(data >> 8 & 0x7F) << 7 | UInt16(data & 0x7F)
      return ChannelMessage(
        channel, .program(UInt8(data >> 24 & 0x7F), bank: flags & 1 == 0 ? nil : bank))
    case 0xD: return ChannelMessage(channel, .pressure(value))
    case 0xE: return ChannelMessage(channel, .bend(value))
    default: return nil
    }
  }
}

// Per-note messages of MIDI 2.0.

extension UMP {
  /// The pitch attribute of a note on, to be decoded before the note; nil if the key alone determines the pitch.
  @_noLocks
  public static func noteOnPitch(_ first: UInt32, _ second: UInt32) -> ChannelMessage? {
    // A note on with attribute 3, its pitch in semitones: a whole number of seven bits, and a fraction of nine bits.
    if first & 0xF0F0_00FF != 0x4090_0003 { return nil }
    let (channel, note) = (UInt8(truncatingIfNeeded: first >> 16) & 15, UInt8(truncatingIfNeeded: first >> 8))
    return ChannelMessage(channel, .noteOnPitch(note: note & 0x7F, Float(second & 0xFFFF) / 512))
  }

  /// A per-note message: `number` is the key, `flags` the byte after it.
  @_noLocks
  static func note(
    _ channel: UInt8, _ status: UInt8, _ number: UInt8, _ flags: UInt8, _ value: MIDIValue
  ) -> ChannelMessage {
    switch status {
    case 0x0, 0x1:
      let isRegistered = status == 0x0
      return ChannelMessage(
        channel, .noteController(note: number, flags, isRegistered: isRegistered, value))
    case 0x6: return ChannelMessage(channel, .noteBend(note: number, value))
    default:
      let (detaches, resets) = (flags & 2 != 0, flags & 1 != 0)
      return ChannelMessage(
        channel, .noteManagement(note: number, detaches: detaches, resets: resets))
    }
  }
}
