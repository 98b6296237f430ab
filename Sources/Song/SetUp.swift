/// What a song's system exclusive messages say of the instrument that it is for, before it begins to play.
public enum SetUp: Sendable {
  /// General MIDI, its second version, or what has grown out of it: GS, XG.
  case generalMIDI
  /// The instrument's own programs: GM System Off.
  case own

  /// What a message means, without F0 and with its F7; nil where it is any other.
  init?(_ bytes: ArraySlice<UInt8>) {
    // The number of the device is anything.
    func begins(_ pattern: [UInt8?]) -> Bool {
      bytes.count > pattern.count && zip(bytes, pattern).allSatisfy { $1 == nil || $0 == $1 }
    }
    if begins([0x7E, nil, 0x09, 0x01]) || begins([0x7E, nil, 0x09, 0x03]) || begins(Self.gs)
      || begins(Self.gsMode) || begins(Self.xg)
    {
      self = .generalMIDI
    } else if begins([0x7E, nil, 0x09, 0x02]) {
      self = .own
    } else {
      return nil
    }
  }

  private static let gs: [UInt8?] = [0x41, nil, 0x42, 0x12, 0x40, 0x00, 0x7F, 0x00]
  private static let gsMode: [UInt8?] = [0x41, nil, 0x42, 0x12, 0x00, 0x00, 0x7F]
  private static let xg: [UInt8?] = [0x43, nil, 0x4C, 0x00, 0x00, 0x7E, 0x00]
}
