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
    if block == 0 { return master(address, bytes + 7, length, shift: 5, &memory) }
    if block >> 4 != 1 { return nil }
    // Block 0 is channel 10, and the others are the other channels in order.
    let number = block & 15
    let channel = number == 0 ? 9 : number < 10 ? number - 1 : number
    switch address {
    case 0x15: return .rhythm(channel: channel, isOn: data > 0)
    case 0x40...0x4B:
      let tone = address - 0x40
      return .tones(first: 7, tone: tone, count: UInt8(min(length, 12 - Int(tone))), channel: channel)
    default: return nil
    }
  }

  /// The content of a message of Yamaha's XG, without F0 and F7. Nil for any other.
  @_noLocks
  static func xg(_ bytes: UnsafePointer<UInt8>, count: Int, _ memory: inout SourceMemory) -> Content? {
    guard count >= 7, bytes[0] == 0x43, bytes[1] >> 4 == 1, bytes[2] == 0x4C else { return nil }
    let (high, middle, address) = (bytes[3], bytes[4], bytes[5])
    if high == 0, middle == 0 { return master(address, bytes + 6, count - 6, shift: 6, &memory) }
    // A part is the channel of its number, and its mode is 0 for melodies.
    if high == 8, middle < 16, address == 7 { return .rhythm(channel: middle, isOn: bytes[6] > 0) }
    return nil
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
}
