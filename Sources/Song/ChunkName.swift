/// The four letters that a part of a file begins with.
enum ChunkName: Int {
  /// The header of a Standard MIDI File: `MThd`.
  case header = 0x4D54_6864
  /// A track: `MTrk`.
  case track = 0x4D54_726B
  /// What Windows wraps around either: `RIFF`.
  case riff = 0x5249_4646
}
