import Scenes

// System exclusive messages of GS and XG that set more than the kind of instrument.

extension SystemExclusiveMessage {
  /// The content of a message of Roland's GS, without F0 and F7: data for one address, with a checksum, which must be
  /// valid. Nil for any other.
  @_noLocks
  static func gs(_ bytes: UnsafePointer<UInt8>, count: Int, _ memory: inout SourceMemory) -> Content? {
    guard count >= 9, bytes[0] == 0x41, bytes[2] == 0x42, bytes[3] == 0x12, bytes[4] == 0x40 else {
      return nil
    }
    var (sum, index) = (0, 4)
    while index < count {
      sum &+= Int(bytes[index])
      index &+= 1
    }
    if sum & 127 != 0 { return nil }
    let (block, address, data, length) = (bytes[5], bytes[6], bytes[7], count - 8)
    if block == 0 {
      // The pan of all parts.
      if address == 6 {
        return .setting(.masterBalance, note: 0, channel: 0, MIDIValue(UInt32(data), bits: 7).bipolar)
      }
      return master(address, bytes + 7, length, shift: 5, &memory)
    }
    // Block 0 is channel 10, and the others are the other channels in order.
    let number = block & 15
    let channel = number == 0 ? 9 : number < 10 ? number - 1 : number
    switch (block >> 4, address) {
    case (1, 0x13): return .setting(data == 0 ? .mono : .poly, note: 0, channel: channel, 0)
    case (1, 0x15): return .setting(.rhythm, note: 0, channel: channel, data > 0 ? 1 : 0)
    case (1, 0x16): return shift(channel, data)
    case (1, 0x19): return volume(channel, data)
    case (1, 0x1C): return pan(channel, data)
    case (1, 0x21): return .controller(93, channel: channel, data)
    case (1, 0x22): return .controller(91, channel: channel, data)
    case (1, 0x30): return .controller(76, channel: channel, data)
    case (1, 0x31): return .controller(77, channel: channel, data)
    case (1, 0x32): return .controller(74, channel: channel, data)
    case (1, 0x33): return .controller(71, channel: channel, data)
    case (1, 0x34): return .controller(73, channel: channel, data)
    case (1, 0x35): return .controller(75, channel: channel, data)
    case (1, 0x36): return .controller(72, channel: channel, data)
    case (1, 0x37): return .controller(78, channel: channel, data)
    case (1, 0x40...0x4B):
      let tone = address - 0x40
      return .tones(first: 7, tone: tone, count: UInt8(min(length, 12 - Int(tone))), channel: channel)
    case (2, 0x10): return bendRange(channel, data)
    default: return nil
    }
  }

  /// The content of a message of Yamaha's XG, without F0 and F7. Nil for any other.
  @_noLocks
  static func xg(_ bytes: UnsafePointer<UInt8>, count: Int, _ memory: inout SourceMemory) -> Content? {
    guard count >= 7, bytes[0] == 0x43, bytes[1] >> 4 == 1, bytes[2] == 0x4C else { return nil }
    let (high, middle, address, data) = (bytes[3], bytes[4], bytes[5], bytes[6])
    if high == 0, middle == 0 { return master(address, bytes + 6, count - 6, shift: 6, &memory) }
    // A part is the channel of its number.
    if high != 8 || middle >= 16 { return nil }
    switch address {
    case 0x05: return .setting(data == 0 ? .mono : .poly, note: 0, channel: middle, 0)
    // 0 is for melodies.
    case 0x07: return .setting(.rhythm, note: 0, channel: middle, data > 0 ? 1 : 0)
    case 0x08: return shift(middle, data)
    case 0x0B: return volume(middle, data)
    case 0x0E: return pan(middle, data)
    case 0x12: return .controller(93, channel: middle, data)
    case 0x13: return .controller(91, channel: middle, data)
    case 0x15...0x17: return .controller(76 + (address - 0x15), channel: middle, data)
    case 0x18: return .controller(74, channel: middle, data)
    case 0x19: return .controller(71, channel: middle, data)
    case 0x1A: return .controller(73, channel: middle, data)
    case 0x1B: return .controller(75, channel: middle, data)
    case 0x1C: return .controller(72, channel: middle, data)
    case 0x23: return bendRange(middle, data)
    default: return nil
    }
  }

  /// The settings of the whole device: at 0 its tuning, tenths of a cent around 1,024 in four nibbles; at 4 its volume;
  /// at `shift` semitones around 64.
  @_noLocks
  private static func master(
    _ address: UInt8, _ data: UnsafePointer<UInt8>, _ length: Int, shift: UInt8, _ memory: inout SourceMemory
  ) -> Content? {
    switch address {
    case 0:
      if length < 4 { return nil }
      let (first, second) = (Int(data[0] & 15) << 12 | Int(data[1] & 15) << 8, Int(data[2] & 15) << 4)
      let tenths = first | second | Int(data[3] & 15)
      memory.fine = max(-1, min(Float(tenths - 1024) / 1000, 1))
    case 4: return .masterVolume(MIDIValue(UInt32(data[0]), bits: 7))
    case shift: memory.coarse = max(-24, min(Float(data[0]) - 64, 24))
    default: return nil
    }
    return .masterTuning(memory.tuning)
  }

  // MARK: - Parts

  /// The volume of a part is that of its channel.
  @_noLocks
  private static func volume(_ channel: UInt8, _ data: UInt8) -> Content {
    .setting(.volume, note: 0, channel: channel, MIDIValue(UInt32(data), bits: 7).fraction)
  }

  /// The pan of a part is that of its channel. 0 is a new place for each note, here the middle.
  @_noLocks
  private static func pan(_ channel: UInt8, _ data: UInt8) -> Content {
    .controller(10, channel: channel, data == 0 ? 64 : data)
  }

  /// Semitones around 64, in addition to the tuning of the channel; nil for channel 10, whose drums have no key.
  @_noLocks
  private static func shift(_ channel: UInt8, _ data: UInt8) -> Content? {
    if Int(channel) == Limits.drumChannel { return nil }
    return .setting(.tuning, note: 0, channel: channel, max(-24, min(Float(data) - 64, 24)))
  }

  /// Semitones above 64. XG has those below as well, for a wheel that turns the other way: they are not read.
  @_noLocks
  private static func bendRange(_ channel: UInt8, _ data: UInt8) -> Content? {
    data < 64 ? nil : .setting(.bendRange, note: 0, channel: channel, Float(min(data - 64, 24)))
  }
}

extension SystemExclusiveMessage.Content {
  /// The value of a controller of a channel.
  @_noLocks
  static func controller(_ number: UInt8, channel: UInt8, _ data: UInt8) -> Self {
    .setting(.controller, note: number, channel: channel, MIDIValue(UInt32(data), bits: 7).unit)
  }
}
