/// A system exclusive message that states the instrument for which a device or a song is made.
public enum SetUp: Sendable {
  /// General MIDI, its second version, or one of its extensions: GS, XG.
  case generalMIDI
  /// The programs of the instrument itself: GM System Off.
  case native

  /// Reads `count` bytes of a message, without F0; bytes after the message, such as F7, are ignored. Nil for any
  /// other message. The second byte, the device number, may be any.
  @_noLocks
  public init?(_ bytes: UnsafePointer<UInt8>, count: Int) {
    guard count >= 4 else { return nil }
    switch (bytes[0], bytes[2], bytes[3]) {
    case (0x7E, 0x09, 0x01), (0x7E, 0x09, 0x03): self = .generalMIDI
    case (0x7E, 0x09, 0x02): self = .native
    // Roland: data for an address, of the GS reset or the system mode, and their checksum.
    case (0x41, 0x42, 0x12):
      guard count >= 9, bytes[5] == 0, bytes[6] == 0x7F else { return nil }
      let sum = Int(bytes[4]) &+ Int(bytes[6]) &+ Int(bytes[7]) &+ Int(bytes[8])
      if sum & 127 != 0 { return nil }
      guard bytes[4] == 0 || bytes[4] == 0x40 && bytes[7] == 0 else { return nil }
      self = .generalMIDI
    // Yamaha: XG System On, and the reset of all parameters.
    case (0x43, 0x4C, 0x00):
      guard count >= 7, bytes[4] == 0, bytes[5] == 0x7E || bytes[5] == 0x7F, bytes[6] == 0 else { return nil }
      self = .generalMIDI
    default: return nil
    }
  }
}
