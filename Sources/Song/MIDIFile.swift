/// The chunks of a Standard MIDI File.
struct MIDIFile {
  /// The largest file that is read.
  static let maxBytes = 16 << 20
  /// The most messages of a song. Each takes some 150 bytes until the song is played.
  static let maxMessages = 1 << 21

  /// What its header tells.
  let header: Header
  /// The tracks, in the order of the file.
  private(set) var tracks: [Track] = []

  /// Reads `bytes`, no more than `room` messages.
  init(
    _ bytes: [UInt8], room: Int, _ findings: inout Findings
  ) throws(SongError) {
    if bytes.count > Self.maxBytes {
      throw SongError("larger than \(Self.maxBytes >> 20) MiB", at: Self.maxBytes)
    }
    var file = Cursor(bytes, 0..<bytes.count, in: "the file")
    header = try Header(&file, &findings)
    var chunks = Chunks(file, header)
    var room = room
    if findings.isStrict {
      // Track by track, so that what is thrown is what comes first.
      while let body = try chunks.next() { try read(bytes, body, &room, &findings) }
    } else {
      for body in try chunks.all(&findings) { try read(bytes, body, &room, &findings) }
    }
  }

  private mutating func read(
    _ bytes: [UInt8], _ body: Range<Int>, _ room: inout Int, _ findings: inout Findings
  ) throws(SongError) {
    let number = tracks.count + 1
    var cursor = Cursor(bytes, body, in: "track \(number)")
    let track = try Track(&cursor, number: number, room: room, &findings)
    room -= track.items.count
    tracks.append(track)
  }
}
