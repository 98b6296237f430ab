/// The chunks of a Standard MIDI File.
struct MIDIFile {
  /// The largest file that is read, bytes.
  static let maxBytes = 16 << 20
  /// The most messages of a song. Each needs about 150 bytes of memory until the song plays.
  static let maxMessages = 1 << 21

  /// The header.
  let header: Header
  /// The tracks, in the order of the file.
  private(set) var tracks: [Track] = []

  /// Reads a file with at most `maxMessages` messages.
  init(
    _ bytes: [UInt8], maxMessages: Int, _ findings: inout Findings
  ) throws(SongError) {
    if bytes.count > Self.maxBytes {
      throw SongError("larger than \(Self.maxBytes >> 20) MiB", at: Self.maxBytes)
    }
    var file = Cursor(bytes, 0..<bytes.count, in: "the file")
    header = try Header(&file, &findings)
    var chunks = Chunks(file, header)
    var left = maxMessages
    if findings.isStrict {
      // Track by track, so that the first error is thrown.
      while let body = try chunks.next() { try read(bytes, body, &left, &findings) }
    } else {
      for body in try chunks.all(&findings) { try read(bytes, body, &left, &findings) }
    }
  }

  private mutating func read(
    _ bytes: [UInt8], _ body: Range<Int>, _ left: inout Int, _ findings: inout Findings
  ) throws(SongError) {
    let number = tracks.count + 1
    var cursor = Cursor(bytes, body, in: "track \(number)")
    let track = try Track(&cursor, number: number, maxMessages: left, &findings)
    left -= track.items.count
    tracks.append(track)
  }
}
