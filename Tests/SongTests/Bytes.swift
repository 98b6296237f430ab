// Standard MIDI Files, byte by byte.

/// A file of tracks; `division` is ticks of a quarter note unless its highest bit is set.
func midi(format: Int = 1, division: Int = 96, tracks: [[UInt8]]) -> [UInt8] {
  chunk("MThd", big(format, 2) + big(tracks.count, 2) + big(division, 2))
    + tracks.flatMap { chunk("MTrk", $0) }
}

/// A chunk that tells its true length.
func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + big(body.count, 4) + body }

/// The highest byte first.
func big(_ value: Int, _ count: Int) -> [UInt8] {
  (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
}

/// The end of a track.
let end: [UInt8] = [0x00, 0xFF, 0x2F, 0x00]

/// A tempo change in microseconds for a quarter note.
func tempo(_ microseconds: Int) -> [UInt8] { [0xFF, 0x51, 0x03] + big(microseconds, 3) }
