import Testing

@testable import Song

@Suite("A file that is large, or claims to be,")
struct LargeFileTests {
  @Test("lasts a day at the longest, and ends there")
  func day() throws {
    // 1,500 notes a minute apart: 5,760 ticks, 96 of them a second.
    var track: [UInt8] = [0] + tempo(1_000_000)
    for _ in 0..<1_500 { track += [0xAD, 0x00, 0x90, 60, 1, 0, 60, 0] }
    let song = try Song(midi(tracks: [track + end]))
    #expect(song.length > 23 * 3_600 && song.length <= 86_400)
    #expect(song.warnings.map { $0.description } == ["the song lasts longer than 24 hours (it ends there)"])
    #expect(Heard(song).allEnd && Heard(song).notes.count == 24 * 60)
  }

  @Test("has no more messages than it may; the rest is left out, and nothing is left held")
  func messages() throws {
    #expect(MIDIFile.maxMessages == 1 << 21)
    let track: [UInt8] = [0, 0x90, 60, 1, 0, 0xD0, 0, 0, 0, 0, 0, 0, 0]
    let bytes = midi(tracks: [track, [0, 0x91, 61, 1] + end])
    #expect(try Song(bytes, strict: true, maxMessages: 6).warnings.isEmpty)
    let song = try Song(bytes, strict: false, maxMessages: 4)
    #expect(song.messages.count == 5)
    #expect(Heard(song).description == "1/60 0-0")
    #expect(
      song.warnings.map { $0.description } == [
        "byte 33: more messages than a song may have (2 times; the rest is skipped)"
      ])
    #expect(throws: SongError.self) { try Song(bytes, strict: true, maxMessages: 4) }
  }

  @Test("takes as long as it has bytes: 77,000 tempos, 730 held notes, names of tracks all over")
  func linear() throws {
    // Were any of it quadratic, this would take minutes.
    var tempos: [UInt8] = []
    for index in 0..<77_000 { tempos += [1] + tempo(400_000 + index) }
    var keys: [UInt8] = []
    for note in 0..<730 { keys += [0, 0x90 | UInt8(note % 16), UInt8(note / 16), 1] }
    let song = try Song(midi(tracks: [tempos + end, keys]))
    #expect(song.warnings.isEmpty && Heard(song).allEnd && Heard(song).notes.count == 730)
    // The tick before the first, and one of each but the last, which is at the end.
    let sum = 500_000 + 76_999 * 400_000 + 76_998 * 76_999 / 2
    #expect(song.length == Double(sum) / 96_000_000)

    let header = Array(midi(tracks: []).prefix(10)) + [0xFF, 0xFF, 0, 96]
    // Each claims all that follows it, and has a note.
    var liars: [UInt8] = []
    for _ in 0..<10_000 { liars += Array("MTrk".utf8) + [0x7F, 0, 0, 0, 0, 0x90, 60, 1] }
    #expect(try Song(header + liars).messages.count == 20_000)
    // None has anything, and the last a note.
    var empty: [UInt8] = []
    for _ in 0..<20_000 { empty += Array("MTrk".utf8) + [0, 0, 0, 0] }
    #expect(try Song(header + empty + chunk("MTrk", [0, 0x90, 60, 1])).messages.count == 2)
  }
}
