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
