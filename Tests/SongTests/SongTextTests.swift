import Song
import Testing

@Suite("The words and the markers of a song") struct SongTextTests {
  /// A text event a quarter note after the one before.
  private func event(_ type: UInt8, _ words: String) -> [UInt8] {
    let bytes = Array(words.utf8)
    return [0x60, 0xFF, type, UInt8(bytes.count)] + bytes
  }

  private func song(_ events: [[UInt8]]) throws -> Song {
    let note: [UInt8] = [0, 0x90, 60, 1, 0, 60, 0]
    return try Song(midi(tracks: [note + events.flatMap { $0 } + end]))
  }

  private func lines(_ type: UInt8, _ words: [String]) throws -> [String] {
    try song(words.map { event(type, $0) }).lyrics.map { "\(Int($0.beat)) \($0.text)" }
  }

  @Test("Lyric events are joined to lines, which end at a return")
  func lyrics() throws {
    #expect(
      try lines(5, ["Twin", "kle ", "star\r", "How ", "I\n", "\r", "won", "der"]) == [
        "1 Twinkle star", "4 How I", "7 wonder",
      ])
    #expect(try lines(5, ["One", "\rTwo", " three"]) == ["1 One", "2 Two three"])
  }

  @Test("Syllables that are joined by hyphens, without blanks, become words")
  func hyphens() throws {
    #expect(try lines(5, ["Hel-", "lo", "my", "dar-", "ling\r", "Bye"]) == ["1 Hello my darling", "6 Bye"])
  }

  @Test("A karaoke file has its words in text events: / and \\ begin lines, @ describes the file")
  func karaoke() throws {
    let words = ["@KMIDI KARAOKE FILE", "@TTitle", "\\Oh", " when", "/the ", "saints"]
    #expect(try lines(1, words) == ["3 Oh when", "5 the saints"])
    // Remarks are no words, and lyric events are preferred.
    #expect(try lines(1, ["Sequenced by me", "and/or"]).isEmpty)
    #expect(try song([event(1, "/a"), event(1, "/b"), event(5, "c")]).lyrics.map(\.text) == ["c"])
  }

  @Test("A line without an end is broken between words, and at a rest of over two bars")
  func breaks() throws {
    let long = try song((0..<40).map { event(5, "word\($0) ") }).lyrics
    #expect(long.count > 3 && long.allSatisfy { $0.text.utf8.count <= 60 && $0.text.hasPrefix("word") })
    #expect(long.map(\.text).joined(separator: " ") == (0..<40).map { "word\($0)" }.joined(separator: " "))
    // 960 ticks later.
    let rest: [UInt8] = [0x87, 0x40, 0xFF, 5, 2] + Array("b ".utf8)
    #expect(try song([event(5, "a "), rest]).lyrics.map(\.text) == ["a", "b"])
  }

  @Test("Old files in Latin-1 are read, and invisible characters are left out")
  func letters() throws {
    let latin: [UInt8] = [0, 0xFF, 5, 4, 0x66, 0xFC, 0x72, 0x07]
    #expect(try song([latin]).lyrics.map(\.text) == ["für"])
    #expect(try lines(5, ["für \u{202E}ab\u{7}"]) == ["1 für ab"])
    // A letter at the end of what is read of an event.
    let cut = try song([event(5, String(repeating: "a", count: 119) + "ü")]).lyrics
    #expect(cut.map(\.text) == [String(repeating: "a", count: 119)])
  }

  @Test("Markers are those of events 6, without loop points; the last of a beat counts")
  func markers() throws {
    let second: [UInt8] = [0, 0xFF, 6, 1, 0x42]
    let song = try song([event(6, "Verse"), event(6, "loopStart"), event(6, "A"), second, event(6, "  ")])
    #expect(song.markers == [SongText(beat: 1, text: "Verse"), SongText(beat: 3, text: "B")])
  }

  @Test("While a song plays, a line holds until the next")
  func playback() throws {
    let events = [event(5, "one\r"), event(5, "two\r"), event(6, "Chorus")]
    let playback = SongPlayback(try song(events), source: 15)
    #expect(playback.lyrics(at: 0) == ("", "one") && playback.marker(at: 2.9) == "")
    #expect(playback.lyrics(at: 1) == ("one", "two") && playback.lyrics(at: 99) == ("two", ""))
    #expect(playback.marker(at: 3) == "Chorus")
  }
}
