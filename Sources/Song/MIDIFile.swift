import System

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

/// The header of a Standard MIDI File.
struct Header {
  /// The format: tracks of formats 0 and 1 are played together, those of format 2 one after the other.
  let format: Int
  /// The stated number of tracks.
  let tracks: Int
  /// The length of a tick.
  let division: TempoMap.Division
  /// The end of the standard fields, whatever length the header claims.
  let end: Int

  /// The part of a file that is searched for the header, bytes. The prefixes that mail programs and old computers add
  /// are shorter.
  private static let searched = 1 << 16

  /// Reads the header and moves `file` to the first chunk.
  init(_ file: inout Cursor, _ findings: inout Findings) throws(SongError) {
    try Header.find(&file, &findings)
    var offset = file.offset
    let length = try file.number(4)
    if length < 6 {
      try findings.note(.header, SongError("a header of \(length) bytes instead of 6", at: offset))
    }
    offset = file.offset
    let format = try file.number(2)
    if format == 2 && findings.isStrict {
      throw SongError(
        "format 2 (a collection of patterns) is not a song; save it as format 0 or 1", at: offset)
    }
    if format > 2 {
      let error = SongError("format \(format) is unknown; 0 and 1 can be played", at: offset)
      try findings.note(.format, error)
    }
    self.format = format
    offset = file.offset
    tracks = try file.number(2)
    if tracks == 0 || (format == 0 && tracks != 1) {
      try findings.note(
        .trackCount, SongError("a file of format \(format) with \(tracks) tracks", at: offset))
    }
    offset = file.offset
    division = try TempoMap.division(try file.number(2), at: offset, &findings)
    end = file.offset
    do {
      try file.skip(max(0, length - 6), of: "the header")
    } catch {
      try findings.note(.header, error)
    }
  }

  /// Moves after the name of the header.
  private static func find(_ file: inout Cursor, _ findings: inout Findings) throws(SongError) {
    let start = file.offset
    if file.isAt(.header) { return file.seek(start + 4) }
    let none = SongError("not a Standard MIDI File: it does not begin with a header 'MThd'", at: start)
    if findings.isStrict { throw none }
    // A RIFF file may have large chunks before the header.
    let isWrapped = file.isAt(.riff)
    let end = isWrapped ? file.end : min(file.end, start + searched)
    guard let offset = file.find(.header, before: end) else { throw none }
    file.seek(offset + 4)
    if isWrapped { return }
    let error = SongError("the header 'MThd' comes after \(offset) bytes of something else", at: offset)
    try findings.note(.before, error)
  }
}

/// Finds the tracks of a file after its header.
struct Chunks {
  /// The most tracks that a header can state.
  private static let maxTracks = 65_535

  private var file: Cursor
  private let header: Header
  // Tracks so far.
  private var count = 0

  /// The chunks from the offset of `file` on.
  init(_ file: Cursor, _ header: Header) { (self.file, self.header) = (file, header) }

  /// The next track by the chunk lengths; skips chunks of other names. Nil after as many tracks as the header states.
  mutating func next() throws(SongError) -> Range<Int>? {
    while count < header.tracks {
      let offset = file.offset
      if file.left == 0 {
        throw SongError("the file ends after \(count) of \(header.tracks) tracks", at: offset)
      }
      let isTrack = try file.number(4) == ChunkName.track.rawValue
      let length = try file.number(4)
      let start = file.offset
      try file.skip(length, of: isTrack ? "track \(count + 1)" : "an unknown chunk")
      guard isTrack else { continue }
      count += 1
      return start..<file.offset
    }
    return nil
  }

  /// All tracks of the file: by the chunk lengths if these are valid, else by the chunk names.
  func all(_ findings: inout Findings) throws(SongError) -> [Range<Int>] {
    if header.tracks == 0 { return named }
    var chunks = self
    var tracks: [Range<Int>] = []
    do {
      while let track = try chunks.next() { tracks.append(track) }
    } catch {
      try findings.note(.chunks, error)
      return named
    }
    let more = chunks.further
    if let first = more.first {
      let error = SongError(
        "a track more than the \(header.tracks) of the header", at: first.lowerBound - 8)
      for _ in more { try findings.note(.moreTracks, error) }
    }
    return tracks + more
  }

  /// The tracks directly after the last one that the header states.
  private var further: [Range<Int>] {
    var rest = file
    var tracks: [Range<Int>] = []
    while tracks.count + count < Self.maxTracks, rest.isAt(.track), let body = rest.body {
      tracks.append(body)
      rest.seek(body.upperBound)
    }
    return tracks
  }

  /// The tracks found by their names anywhere after the fields of the header. A track has its stated length if a track,
  /// an end of track or the end of the file confirms it, or else extends to the next name; its events then define its
  /// end.
  private var named: [Range<Int>] {
    var rest = file
    rest.seek(header.end)
    var tracks: [Range<Int>] = []
    while tracks.count < Self.maxTracks, let offset = rest.find(.track, before: rest.end) {
      rest.seek(offset)
      if let body = rest.body, rest.isEnd(body) {
        tracks.append(body)
        rest.seek(body.upperBound)
      } else {
        let start = min(offset + 8, rest.end)
        rest.seek(start)
        let end = rest.find(.track, before: rest.end) ?? rest.end
        tracks.append(start..<end)
        rest.seek(end)
      }
    }
    return tracks
  }
}

extension Cursor {
  /// The body of the chunk at the offset; nil if it extends past the end.
  fileprivate var body: Range<Int>? {
    guard left >= 8, let length = word(offset + 4), length <= left - 8 else { return nil }
    return offset + 8..<offset + 8 + length
  }

  /// Whether a track can end at the end of `body`: at the end of the file, before a track, or after an end of track.
  fileprivate func isEnd(_ body: Range<Int>) -> Bool {
    let end = body.upperBound
    if end == self.end || word(end) == ChunkName.track.rawValue { return true }
    return body.count >= 3 && word(end - 4).map { $0 & 0xFF_FFFF == 0xFF2F00 } == true
  }
}

/// The name of a chunk of a file, four letters.
enum ChunkName: Int {
  /// The header of a Standard MIDI File: `MThd`.
  case header = 0x4D54_6864
  /// A track: `MTrk`.
  case track = 0x4D54_726B
  /// A RIFF container around them: `RIFF`.
  case riff = 0x5249_4646
}

extension Song {
  /// Reads the file at `path` as `init(_:strict:)` does. The error names the problem and its byte.
  public init(path: String, strict: Bool = false) throws(FileError) {
    let bytes = try readFile(path, limit: MIDIFile.maxBytes)
    do { try self.init(bytes, strict: strict) } catch { throw FileError("read", path, error.description) }
  }
}
