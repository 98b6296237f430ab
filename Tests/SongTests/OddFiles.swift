// Files that are not as the standard has them, each with what is played of it and what is said about it. A quarter note
// is 96 (0x60) ticks and lasts half a second.

import Testing

/// A file that is odd.
struct OddFile: CustomTestStringConvertible, Sendable {
  /// What is odd about it.
  let name: String
  let bytes: [UInt8]
  /// The notes, as `Heard` writes them.
  let heard: String
  /// The warnings, one for a kind.
  let warnings: [String]

  init(_ name: String, _ bytes: [UInt8], plays heard: String, _ warnings: String...) {
    (self.name, self.bytes, self.heard, self.warnings) = (name, bytes, heard, warnings)
  }

  var testDescription: String { name }
}

extension OddFile {
  /// A key that is struck at once and let go after a quarter note.
  private static func note(_ key: UInt8, _ channel: UInt8 = 0) -> [UInt8] {
    [0, 0x90 | channel, key, 100, 0x60, 0x80 | channel, key, 64]
  }

  /// A file of one track, whose events begin at byte 22.
  private static func one(_ parts: [UInt8]...) -> [UInt8] { midi(tracks: [Array(parts.joined())]) }

  private static func join(_ parts: [UInt8]...) -> [UInt8] { Array(parts.joined()) }

  private static let whole = one(note(60), end)

  private static let whole2 = midi(tracks: [join(note(60), end), join(note(64, 1), end)])

  /// `bytes` with other ones at a place.
  private static func with(_ bytes: [UInt8], _ place: Int, _ new: [UInt8]) -> [UInt8] {
    var changed = bytes
    changed.replaceSubrange(place..<place + new.count, with: new)
    return changed
  }

  static let all = running + statuses + numbers + tracks + chunks + headers + wrapped

  /// Running status goes on.
  static let running: [OddFile] = [
    OddFile(
      "running status after a meta event",
      one([0, 0x90, 60, 9, 0, 0xFF, 1, 1, 65, 0x60, 60, 0], end), plays: "1/60 0-0.5"),
    OddFile(
      "running status after system exclusive",
      one([0, 0x90, 60, 9, 0, 0xF0, 2, 1, 0xF7, 0x60, 60, 0], end), plays: "1/60 0-0.5"),
    OddFile(
      "running status after the continuation of a system exclusive message",
      one([0, 0x90, 60, 9, 0, 0xF7, 2, 1, 0xF7, 0x60, 60, 0], end), plays: "1/60 0-0.5"),
    OddFile(
      "running status after a status that must not be there",
      one([0, 0x90, 60, 9, 0, 0xF8, 0x60, 60, 0], end), plays: "1/60 0-0.5",
      "track 1, byte 27: status 0xF8 is not allowed in a file (skipped)"),
    OddFile(
      "a data byte at the beginning",
      one([0, 60, 1], note(60), end), plays: "1/60 0-0.5",
      "track 1, byte 23: data byte 0x3C without a status before it (skipped, up to the next status)"),
    OddFile(
      "nothing but data bytes in the second track",
      midi(tracks: [join(note(60), end), [0, 60, 1, 0, 7]]), plays: "1/60 0-0.5",
      "track 2, byte 43: data byte 0x3C without a status before it (skipped, up to the next status)"),
  ]

  /// Statuses that must not stand in a file.
  static let statuses: [OddFile] = {
    let lone: [UInt8] = [0xF4, 0xF5, 0xF6, 0xF8, 0xF9, 0xFA, 0xFB, 0xFC, 0xFD, 0xFE]
    let withData: [[UInt8]] = [[0xF1, 5], [0xF2, 1, 2], [0xF3, 7]]
    return (lone.map { [$0] } + withData).map { bytes in
      let hex = String(bytes[0], radix: 16, uppercase: true)
      return OddFile(
        "status \(hex) and \(bytes.count - 1) bytes", one([0], bytes, note(60), end), plays: "1/60 0-0.5",
        "track 1, byte 23: status 0x\(hex) is not allowed in a file (skipped)")
    }
  }()

  /// Numbers that are out of their range.
  static let numbers: [OddFile] = [
    OddFile(
      "a key and a velocity with their top bit set",
      one([0, 0x90, 0x80 | 60, 0xFF, 0x60, 0x80, 60, 0], end), plays: "1/60 0-0.5",
      "track 1, byte 24: 0xBC instead of a data byte of 0 to 127 (2 times; its top bit is ignored)"),
    OddFile(
      "a time of five bytes",
      one([0x80, 0x80, 0x80, 0x80, 0x60, 0x90, 60, 1], note(60), end), plays: "1/60 0.5-0.5, 1/60 0.5-1",
      "track 1, byte 22: a variable-length number has more than four bytes (read as 0 if it is too large)"
    ),
    OddFile(
      "a time larger than any",
      one([0xFF, 0xFF, 0xFF, 0xFF, 0x60], Array(note(60).dropFirst()), end), plays: "1/60 0-0.5",
      "track 1, byte 22: a variable-length number has more than four bytes (read as 0 if it is too large)"
    ),
    OddFile(
      "a tempo of two bytes, and one of 0",
      one([0, 0xFF, 0x51, 2, 1, 2, 0], tempo(0), note(60), end), plays: "1/60 0-0.5",
      "track 1, byte 24: a tempo has 2 bytes instead of 3 (2 times; the tempo does not change)"),
    OddFile(
      "a pause of 8 days at the least tempo",
      one([0], tempo(500_000), note(60), [0x88, 0x80, 0x80, 0], Array(note(62).dropFirst()), end),
      plays: "1/60 0-0.5, 1/62 10.5-11",
      "after 0 seconds nothing happens for 24 hours (shortened to 10 seconds)"),
    OddFile(
      "a pause of 61 seconds, and one of a minute",
      one(
        [0], tempo(1_000_000), note(60), [0xAD, 0x60], Array(note(62).dropFirst()), [0xAD, 0x00],
        Array(note(64).dropFirst()), end),
      plays: "1/60 0-1, 1/62 11-12, 1/64 72-73",
      "after 1 seconds nothing happens for 61 seconds (shortened to 10 seconds)"),
    OddFile(
      "a note of 450 days",
      one([0], tempo(13_900_000), [0, 0x90, 60, 1, 0xFF, 0xFF, 0xFF, 0x7F, 60, 0], end),
      plays: "1/60 0-10",
      "after 0 seconds nothing happens for 449 days (shortened to 10 seconds)"),
    OddFile(
      "an end of the track after years",
      one([0], tempo(16_777_215), note(60), [0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0x2F, 0]),
      plays: "1/60 0-16.777",
      "after 16 seconds nothing happens for 542 days (shortened to 10 seconds)"),
  ]

  /// Tracks that break off, or lack their end.
  static let tracks: [OddFile] = [
    OddFile(
      "no end of the track, and a note and a pedal that are held",
      one([0, 0xB0, 64, 127, 0, 0x90, 60, 1, 0x60, 0x90, 62, 1]), plays: "1/60 0-0.5, 1/62 0.5-0.5"),
    OddFile(
      "a note that is held to the end of the song",
      midi(tracks: [join([0, 0x90, 60, 1, 0x60, 64, 1], end), join(note(70, 1), note(71, 1), end)]),
      plays: "1/60 0-1, 2/70 0-0.5, 1/64 0.5-1, 2/71 0.5-1"),
    OddFile(
      "a track that ends within a message, beside one that goes on",
      midi(tracks: [[0, 0x90, 60, 1, 0x60, 64], join(note(70, 1), note(71, 1), end)]),
      plays: "1/60 0-0.5, 2/70 0-0.5, 2/71 0.5-1",
      "byte 28: track 1 ends too early (played up to there)"),
    OddFile(
      "two tracks that end within a time and within a length",
      midi(tracks: [[0, 0x90, 60, 1, 0x81], join(note(70, 1), [0, 0xF0, 0x82])]),
      plays: "1/60 0-0, 2/70 0-0.5",
      "byte 27: track 1 ends too early (2 times; played up to there)"),
    OddFile(
      "a system exclusive message longer than its track",
      one([0, 0x90, 60, 1, 0x60, 0xF0, 9, 1, 2], end), plays: "1/60 0-0.5",
      "byte 29: a system exclusive message claims 9 bytes, track 1 has 6 left (played up to there)"),
    OddFile(
      "a meta event longer than its track",
      one(note(60), [0, 0xFF, 1, 0xFF, 0xFF, 0xFF, 0x7F]), plays: "1/60 0-0.5",
      "byte 37: meta event 0x01 claims 268435455 bytes, track 1 has 0 left (played up to there)"),
    OddFile(
      "rubbish behind the end of the track", one(note(60), end, [0, 0x90, 61, 1, 0xFE]), plays: "1/60 0-0.5"),
  ]

  /// Chunks whose lengths lie, and files that are cut off.
  static let chunks: [OddFile] = [
    OddFile(
      "a file cut off within its last note", Array(whole.dropLast(6)), plays: "1/60 0-0.5",
      "byte 22: track 1 claims 12 bytes, the file has 6 left (the tracks are found by their names)",
      "byte 28: track 1 ends too early (played up to there)"),
    OddFile(
      "a file cut off between two events of its second track, where a note is held",
      Array(midi(tracks: [join(note(60), note(62), end), join(note(64, 1), end)]).dropLast(8)),
      plays: "1/60 0-0.5, 2/64 0-0, 1/62 0.5-1",
      "byte 50: track 2 claims 12 bytes, the file has 4 left (the tracks are found by their names)"),
    OddFile(
      "a file cut off behind the name of its second track", Array(whole2.dropLast(16)), plays: "1/60 0-0.5",
      "byte 38: the file ends too early (the tracks are found by their names)"),
    OddFile(
      "a track of no length, as streamed", with(whole2, 18, [0, 0, 0, 0]),
      plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 30: an unknown chunk claims 1619016768 bytes, the file has 24 left (the tracks are found by their names)"
    ),
    OddFile(
      "a track that claims too little", with(whole2, 21, [6]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 36: an unknown chunk claims 788548948 bytes, the file has 18 left (the tracks are found by their names)"
    ),
    OddFile(
      "a track that claims the next one too", with(whole2, 21, [16]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 46: an unknown chunk claims 9519204 bytes, the file has 8 left (the tracks are found by their names)"
    ),
    OddFile(
      "a track that claims more than the file", with(whole2, 18, [0xFF, 0xFF, 0xFF, 0xFF]),
      plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 22: track 1 claims 4294967295 bytes, the file has 32 left (the tracks are found by their names)"),
    OddFile(
      "bytes between two tracks",
      join(whole, [1, 2, 3], Array(midi(format: 1, tracks: [join(note(64, 1), end)]).dropFirst(14))),
      plays: "1/60 0-0.5"),
    OddFile(
      "bytes between the two tracks that the header tells",
      join(with(whole, 11, [2]), [1, 2, 3], chunk("MTrk", join(note(64, 1), end))),
      plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 42: an unknown chunk claims 1416784640 bytes, the file has 15 left (the tracks are found by their names)"
    ),
    OddFile(
      "fewer tracks than the header tells", with(whole2, 10, [0, 9]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 54: the file ends after 2 of 9 tracks (the tracks are found by their names)"),
    OddFile(
      "more tracks than the header tells", with(whole2, 10, [0, 1]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 34: a track more than the 1 of the header (played as well)"),
    OddFile(
      "chunks of other names",
      join(Array(whole2.prefix(14)), chunk("XFIH", [1]), Array(whole2.dropFirst(14)), chunk("XFKM", [2])),
      plays: "1/60 0-0.5, 2/64 0-0.5"),
    OddFile("rubbish behind the last track", join(whole, [77, 84, 114, 107, 1]), plays: "1/60 0-0.5"),
    OddFile(
      "a second file behind the first", join(whole, whole2), plays: "1/60 0-0.5"),
  ]

  /// Headers that are wrong.
  static let headers: [OddFile] = [
    OddFile(
      "format 0 with two tracks", with(whole2, 9, [0]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 10: a file of format 0 with 2 tracks (all tracks are played together)"),
    OddFile(
      "no track at all, by its header", with(whole2, 10, [0, 0]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 10: a file of format 1 with 0 tracks (all tracks are played together)"),
    OddFile(
      "format 2: each pattern with its own tempo, and let go at its end",
      midi(
        format: 2,
        tracks: [
          join([0], tempo(1_000_000), [0, 0x90, 60, 1, 0x60, 62, 1], end), join(note(64), end),
          join([0, 0xB0, 64, 127], note(65), end),
        ]),
      plays: "1/60 0-1, 1/62 1-1, 1/64 1-1.5, 1/65 1.5-2"),
    OddFile(
      "format 9", with(whole2, 8, [0, 9]), plays: "1/60 0-0.5, 2/64 0-0.5",
      "byte 8: format 9 is unknown; 0 and 1 can be played (played as format 1)"),
    OddFile(
      "a header that claims four bytes", with(whole, 7, [4]), plays: "1/60 0-0.5",
      "byte 4: a header of 4 bytes instead of 6 (read as 6 bytes)"),
    OddFile(
      "a header that claims the track", with(whole, 7, [20]), plays: "1/60 0-0.5",
      "byte 34: the file ends too early (the tracks are found by their names)"
    ),
    OddFile(
      "a header that claims more than the file", with(whole, 4, [1, 0, 0, 6]), plays: "1/60 0-0.5",
      "byte 14: the header claims 16777216 bytes, the file has 20 left (read as 6 bytes)"),
    OddFile(
      "a quarter note of no ticks", with(whole, 12, [0, 0]), plays: "1/60 0-0.25",
      "byte 12: a quarter note of 0 ticks (the tempo is a guess)"),
    OddFile("film, 25 frames of 40 ticks", with(whole, 12, [0xE7, 40]), plays: "1/60 0-0.096"),
    OddFile(
      "film frames of no ticks", with(whole, 12, [0xE7, 0]), plays: "1/60 0-0.096",
      "byte 12: a film frame of 0 ticks (the tempo is a guess)"),
    OddFile(
      "film of 100 frames a second", with(whole, 12, [0x9C, 10]), plays: "1/60 0-0.096",
      "byte 12: 100 film frames a second; 24, 25, 29 and 30 are known (the tempo is a guess)"),
  ]

  /// What stands before the header.
  static let wrapped: [OddFile] = [
    OddFile(
      "RIFF RMID", join(Array("RIFF".utf8), [46, 0, 0, 0], Array("RMIDdata".utf8), [34, 0, 0, 0], whole),
      plays: "1/60 0-0.5"),
    OddFile(
      "a RIFF file with 100,000 bytes before the song, and with information behind it",
      join(
        Array("RIFF".utf8), [0, 0, 0, 0], Array("RMIDDLS ".utf8), [UInt8](repeating: 7, count: 100_000),
        whole2, Array("LIST".utf8), [4, 0, 0, 0, 1, 2, 3, 4]),
      plays: "1/60 0-0.5, 2/64 0-0.5"),
    OddFile(
      "the 128 bytes of a MacBinary header", join([UInt8](repeating: 0, count: 128), whole),
      plays: "1/60 0-0.5",
      "byte 128: the header 'MThd' comes after 128 bytes of something else (the bytes before it are skipped)"
    ),
    OddFile(
      "a byte order mark", join([0xEF, 0xBB, 0xBF], whole), plays: "1/60 0-0.5",
      "byte 3: the header 'MThd' comes after 3 bytes of something else (the bytes before it are skipped)"),
  ]
}
