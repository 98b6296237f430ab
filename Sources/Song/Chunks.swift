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
