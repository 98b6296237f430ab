/// Finds the tracks of a file behind its header.
struct Chunks {
  /// As many tracks as a header can tell.
  private static let maxTracks = 65_535

  private var file: Cursor
  private let header: Header
  // Tracks so far.
  private var count = 0

  /// The chunks from where `file` stands.
  init(_ file: Cursor, _ header: Header) { (self.file, self.header) = (file, header) }

  /// The next track as the lengths have it, after chunks of other names; nil after the last that the header tells.
  mutating func next() throws(SongError) -> Range<Int>? {
    while count < header.tracks {
      let place = file.offset
      if file.left == 0 {
        throw SongError("the file ends after \(count) of \(header.tracks) tracks", at: place)
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

  /// All tracks that are there: by their lengths when these are right, else by their names.
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
        "a track more than the \(header.tracks) that the header tells", at: first.lowerBound - 8)
      for _ in more { try findings.note(.moreTracks, error) }
    }
    return tracks + more
  }

  /// The tracks that follow at once, one after the other, after the last that the header tells.
  private var further: [Range<Int>] {
    var rest = file
    var tracks: [Range<Int>] = []
    while tracks.count + count < Self.maxTracks, rest.stands(.track), let body = rest.body {
      tracks.append(body)
      rest.seek(body.upperBound)
    }
    return tracks
  }

  /// What begins with the name of a track, wherever it stands behind the header's fields. It reaches as far as its
  /// length says, if something follows there or an end of track precedes, and else to the next name: its events then
  /// tell where it ends.
  private var named: [Range<Int>] {
    var rest = file
    rest.seek(header.end)
    var tracks: [Range<Int>] = []
    while tracks.count < Self.maxTracks, let place = rest.find(.track, before: rest.end) {
      rest.seek(place)
      if let body = rest.body, rest.isEnd(body) {
        tracks.append(body)
        rest.seek(body.upperBound)
      } else {
        let start = min(place + 8, rest.end)
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
  /// The body of the chunk that begins here; nil when it reaches past the end.
  fileprivate var body: Range<Int>? {
    guard left >= 8, let length = word(offset + 4), length <= left - 8 else { return nil }
    return offset + 8..<offset + 8 + length
  }

  /// Whether a track can end where `body` does: at the end of all, before a track, or behind an end of track.
  fileprivate func isEnd(_ body: Range<Int>) -> Bool {
    let end = body.upperBound
    if end == self.end || word(end) == ChunkName.track.rawValue { return true }
    return body.count >= 3 && word(end - 4).map { $0 & 0xFF_FFFF == 0xFF2F00 } == true
  }
}
