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
