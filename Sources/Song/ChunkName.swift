/// The name of a chunk of a file, four letters.
enum ChunkName: Int {
  /// The header of a Standard MIDI File: `MThd`.
  case header = 0x4D54_6864
  /// A track: `MTrk`.
  case track = 0x4D54_726B
  /// A RIFF container around them: `RIFF`.
  case riff = 0x5249_4646
}
