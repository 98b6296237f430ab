/// The chunks of a Standard MIDI File.
struct MIDIFile {
  /// The largest file that is read.
  static let maxBytes = 16 << 20

  /// What a tick is.
  let division: TempoMap.Division
  /// The tracks, in the order of the file.
  let tracks: [Track]

  init(_ bytes: [UInt8]) throws(SongError) {
    if bytes.count > Self.maxBytes {
      throw SongError("larger than \(Self.maxBytes >> 20) MiB", at: Self.maxBytes)
    }
    var file = Cursor(bytes, 0..<bytes.count, in: "the file")
    guard bytes.count >= 4, try file.number(4) == Self.header else {
      throw SongError("not a Standard MIDI File: it does not begin with a header 'MThd'", at: 0)
    }
    let length = try file.number(4)
    if length < 6 { throw SongError("a header of \(length) bytes instead of 6", at: 4) }
    let format = try file.number(2)
    if format == 2 {
      throw SongError("format 2 (a collection of patterns) is not a song; save it as format 0 or 1", at: 8)
    }
    if format > 2 { throw SongError("format \(format) is unknown; 0 and 1 can be played", at: 8) }
    let promised = try file.number(2)
    if promised == 0 || (format == 0 && promised != 1) {
      throw SongError("a file of format \(format) with \(promised) tracks", at: 10)
    }
    division = try TempoMap.division(try file.number(2), at: 12)
    try file.skip(length - 6, of: "the header")

    var tracks: [Track] = []
    while tracks.count < promised {
      let place = file.offset
      if file.left == 0 {
        throw SongError("the file ends after \(tracks.count) of \(promised) tracks", at: place)
      }
      let kind = try file.number(4)
      let length = try file.number(4)
      let start = file.offset
      try file.skip(length, of: kind == Self.track ? "track \(tracks.count + 1)" : "an unknown chunk")
      if kind == Self.track {
        var body = Cursor(bytes, start..<file.offset, in: "track \(tracks.count + 1)")
        tracks.append(try Track(&body))
      }
    }
    self.tracks = tracks
  }

  private static let header = 0x4D54_6864  // MThd
  private static let track = 0x4D54_726B  // MTrk
}
