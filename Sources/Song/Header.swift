/// The header of a Standard MIDI File.
struct Header {
  /// How the tracks belong together: 0 and 1 are played at the same time, 2 one after the other.
  let format: Int
  /// How many tracks there are to be.
  let tracks: Int
  /// What a tick is.
  let division: TempoMap.Division
  /// Where what every header has ends, whatever length this one claims.
  let end: Int

  /// How far into something else a header is looked for: what mail and old computers put before a file is shorter.
  private static let searched = 1 << 16

  /// Reads the header; `file` then stands where the first chunk begins.
  init(_ file: inout Cursor, _ findings: inout Findings) throws(SongError) {
    try Header.find(&file, &findings)
    var place = file.offset
    let length = try file.number(4)
    if length < 6 {
      try findings.note(.header, SongError("a header of \(length) bytes instead of 6", at: place))
    }
    place = file.offset
    let format = try file.number(2)
    if format == 2 && findings.isStrict {
      throw SongError(
        "format 2 (a collection of patterns) is not a song; save it as format 0 or 1", at: place)
    }
    if format > 2 {
      let error = SongError("format \(format) is unknown; 0 and 1 can be played", at: place)
      try findings.note(.format, error)
    }
    self.format = format
    place = file.offset
    tracks = try file.number(2)
    if tracks == 0 || (format == 0 && tracks != 1) {
      try findings.note(
        .trackCount, SongError("a file of format \(format) with \(tracks) tracks", at: place))
    }
    place = file.offset
    division = try TempoMap.division(try file.number(2), at: place, &findings)
    end = file.offset
    do {
      try file.skip(max(0, length - 6), of: "the header")
    } catch {
      try findings.note(.header, error)
    }
  }

  /// Steps behind the name of the header.
  private static func find(_ file: inout Cursor, _ findings: inout Findings) throws(SongError) {
    let start = file.offset
    if file.stands(.header) { return file.seek(start + 4) }
    let none = SongError("not a Standard MIDI File: it does not begin with a header 'MThd'", at: start)
    if findings.isStrict { throw none }
    // The header of a RIFF file may have whole instruments before it.
    let isWrapped = file.stands(.riff)
    let end = isWrapped ? file.end : min(file.end, start + searched)
    guard let place = file.find(.header, before: end) else { throw none }
    file.seek(place + 4)
    if isWrapped { return }
    let error = SongError("the header 'MThd' stands after \(place) bytes of something else", at: place)
    try findings.note(.before, error)
  }
}
