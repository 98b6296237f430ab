import MIDI
import Scenes
import Testing
@testable import Song

/// MIDI Clip Files: packets with the ticks between them.
@Suite("A clip file") struct ClipFileTests {
  /// The bytes of a clip of packets. A quarter note has 96 ticks.
  private func clip(_ words: [UInt32], ticks: UInt32 = 96, ends: Bool = true) -> [UInt8] {
    var all: [UInt32] = [0x0040_0000, 0x0030_0000 | ticks, 0x0040_0000, 0xF020_0000, 0, 0, 0]
    all += words
    if ends { all += [0xF021_0000, 0, 0, 0] }
    return Array("SMF2CLIP".utf8) + all.flatMap { big(Int($0), 4) }
  }

  /// A time between two packets.
  private func wait(_ ticks: UInt32) -> UInt32 { 0x0040_0000 | ticks }

  @Test("plays notes of MIDI 1.0 and 2.0 at the ticks and tempos between them")
  func notes() throws {
    var words: [UInt32] = [wait(0), 0xD010_0000, 25_000_000, 0, 0]
    words += [wait(0), 0x2090_3C64, wait(96), 0x2080_3C40]
    words += [wait(0), 0x4091_4000, 0xFFFF_0000, wait(48), 0xD010_0000, 100_000_000, 0, 0]
    words += [wait(48), 0x4081_4000, 0x8000_0000, wait(96)]
    let song = try Song(clip(words), strict: true)
    #expect("\(Heard(song))" == "1/60 0-0.25, 2/64 0.25-0.875")
    #expect(song.tempos.map(\.perMinute) == [240, 60] && song.length == 1.875 && song.beats == 3)
    #expect(song.events(rate: 1_000).first { $0.target == 1 }?.value == 1)
    // Without its end it ends with its last packet, and without a tempo it has 120 beats a minute.
    #expect(try Song(clip([wait(96), 0x2090_3C64, wait(96)], ends: false), strict: true).length == 1)
  }

  @Test("has programs with their banks, per-note messages and system exclusive messages in pieces")
  func messages() throws {
    var words: [UInt32] = [wait(0), 0x40C0_0001, 0x0700_0102, wait(0), 0x4090_3C03, 0x8000_7880]
    // General MIDI System On, whole, and a master volume in three pieces.
    words += [wait(0), 0x3004_7E7F, 0x0901_0000]
    words += [wait(0), 0x3013_7F7F, 0x0400_0000, wait(0), 0x3022_0100, 0]
    words += [wait(0), 0x3031_4000, 0, wait(96)]
    let song = try Song(clip(words), strict: true)
    #expect(song.setUp == .generalMIDI)
    let events = song.events(rate: 1_000)
    #expect(events.map(\.kind) == [.program, .strokePitch, .noteOn, .setUp, .masterVolume, .noteOff])
    #expect(events[0].note == 7 && events[0].value == 130 && events[1].value == 0.25)
  }

  @Test("that is damaged is played up to there, and its notes end")
  func damaged() throws {
    let bytes = clip([wait(0), 0x2090_3C64, wait(96), 0x4080_3C00, 0], ends: false)
    let song = try Song(Array(bytes.dropLast(3)))
    #expect(song.warnings.map(\.kind) == [.broken] && Heard(song).allEnd && song.length == 0.5)
    #expect(throws: SongError.self) { try Song(Array(bytes.dropLast(3)), strict: true) }
    #expect(try Song(clip([wait(0), 0x2090_3C64], ticks: 0)).warnings.map(\.kind) == [.division])
    let many: [UInt32] = [wait(0), 0x2090_3C64, wait(0), 0x2090_3E64]
    let full = try Song(clip(many), strict: false, maxMessages: 1)
    #expect(full.warnings.map(\.kind) == [.messages] && Heard(full).allEnd)
    #expect(throws: SongError.self) { try Song(Array("SMF2CLIP".utf8)) }
  }

  @Test("of other packets is let by")
  func others() throws {
    // Time stamps, data of eight bits, a lyric, a system reset and an unknown type.
    var words: [UInt32] = [wait(0), 0x0020_1234, wait(0), 0x5001_0000, 0, 0, 0]
    words += [wait(0), 0xD010_0201, 1, 0, 0]
    words += [wait(0), 0x10FF_0000, wait(0), 0x6000_0000, wait(96), 0x2090_3C64, wait(96)]
    let song = try Song(clip(words), strict: true)
    #expect("\(Heard(song))" == "1/60 0.5-1" && song.messages.count == 1)
  }
}
