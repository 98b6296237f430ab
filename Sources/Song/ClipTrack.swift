import MIDI
import Scenes

// MIDI Clip Files (M2-116): Universal MIDI Packets behind a name, with the ticks between them.

extension Track {
  /// The bytes with which a clip file begins.
  static let clipName = Array("SMF2CLIP".utf8)

  /// Reads a clip file, with at most `maxMessages` messages, and the ticks of its quarter note. All groups are read as
  /// one, and packets with another meaning than messages, tempos and times are skipped. A missing end is assumed at the
  /// last packet; notes held where a damaged clip ends are released there.
  static func clip(
    _ bytes: [UInt8], maxMessages: Int, _ findings: inout Findings
  ) throws(SongError) -> (track: Track, ticks: Int) {
    var track = Track(maxMessages: maxMessages)
    var (ticks, place) = (0, clipName.count)
    do throws(SongError) {
      while place < bytes.count {
        let words = UMP.words(UInt32(bytes[place]) << 24)
        guard bytes.count - place >= 4 * words else {
          throw SongError("the clip ends within a packet", at: place)
        }
        var packet: [UInt32] = []
        for word in 0..<words {
          let first = place + 4 * word
          packet.append(bytes[first..<first + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        // The end of the clip.
        if packet[0] >> 16 == 0xF021 { break }
        switch packet[0] >> 20 {
        case 0x003: ticks = Int(packet[0] & 0xFFFF)
        case 0x004: track.wait(Int(packet[0] & 0xFFFFF))
        default:
          if !track.add(packet) {
            try findings.note(.messages, SongError("more messages than a song may have", at: place))
            track.release()
            return (track, ticks)
          }
        }
        place += 4 * words
      }
    } catch {
      try findings.note(.broken, error)
      track.release()
    }
    if ticks == 0 {
      let error = SongError("a clip without the ticks of a quarter note", at: clipName.count)
      try findings.note(.division, error)
      ticks = 192
    }
    return (track, ticks)
  }
}

extension UMP {
  /// The bytes that a packet of type 3 has of a system exclusive message, without F0 and F7.
  static func exclusive(_ first: UInt32, _ second: UInt32) -> [UInt8] {
    let all = UInt64(first & 0xFFFF) << 32 | UInt64(second)
    return (0..<min(first >> 16 & 15, 6)).map { place in
      let shift = 40 - 8 * UInt64(place)
      return UInt8(truncatingIfNeeded: all >> shift) & 0x7F
    }
  }
}
