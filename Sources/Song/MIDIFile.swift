/// The tracks of a Standard MIDI File or a MIDI Clip File.
struct MIDIFile {
  /// The largest file that is read, bytes.
  static let maxBytes = 16 << 20
  /// The most messages of a song. Each needs about 150 bytes of memory until the song plays.
  static let maxMessages = 1 << 21

  /// Whether tracks are patterns, which are played one after the other.
  let isOfPatterns: Bool
  /// The length of a tick.
  let division: TempoMap.Division
  /// The tracks, in the order of the file.
  private(set) var tracks: [Track] = []

  /// Reads a file with at most `maxMessages` messages.
  init(
    _ bytes: [UInt8], maxMessages: Int, _ findings: inout Findings
  ) throws(SongError) {
    if bytes.count > Self.maxBytes {
      throw SongError("larger than \(Self.maxBytes >> 20) MiB", at: Self.maxBytes)
    }
    if bytes.starts(with: Track.clipName) {
      let clip = try Track.clip(bytes, maxMessages: maxMessages, &findings)
      (isOfPatterns, division, tracks) = (false, .quarter(ticks: clip.ticks), [clip.track])
      return
    }
    var file = Cursor(bytes, 0..<bytes.count, in: "the file")
    let header = try Header(&file, &findings)
    (isOfPatterns, division) = (header.format == 2, header.division)
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
