import MIDI
import Song
import Testing

@Suite("A song for several ports or with other receive channels") struct SongPortTests {
  private let note: [UInt8] = [0, 0x90, 60, 1, 0x60, 60, 0]

  private func port(_ number: UInt8) -> [UInt8] { [0, 0xFF, 0x21, 1, number] }

  /// A key of a channel, 0…15, for a quarter note.
  private func note(_ channel: UInt8, _ key: UInt8) -> [UInt8] { [0, 0x90 | channel, key, 1, 0x60, key, 0] }

  /// The channel and the key of each stroke.
  private func strokes(_ song: Song) -> [String] {
    song.messages.compactMap { timed in
      if case .noteOn(let key, _) = timed.message { "\(timed.channel) \(key)" } else { nil }
    }
  }

  @Test("A second port's channels get free ones, and its drums are those of the first")
  func ports() throws {
    let volume: [UInt8] = [0, 0xB0, 7, 0]
    let song = try Song(
      midi(tracks: [
        port(0) + note(0, 60) + note(1, 61) + end,
        port(1) + volume + note(0, 70) + note(9, 36) + end,
        port(2) + note(0, 80) + end,
      ]))
    #expect(strokes(song) == ["0 60", "2 70", "3 80", "1 61", "9 36"])
    let controllers = song.messages.filter { if case .controller = $0.message { true } else { false } }
    #expect(controllers.map(\.channel) == [2])
    #expect(song.warnings.isEmpty)
  }

  @Test("One port's channels stay, whatever its number, and text and time of all ports count")
  func onePort() throws {
    let song = try Song(midi(tracks: [port(3) + note(5, 60) + end, port(3) + note(9, 36) + end]))
    #expect(strokes(song) == ["5 60", "9 36"])
    let marker: [UInt8] = [0, 0xFF, 6, 1, 0x41]
    #expect(try Song(midi(tracks: [port(0) + note + end, port(1) + marker + end])).markers.count == 1)
  }

  @Test("Channels for which there is no room are counted")
  func room() throws {
    let all = (0..<16).map { port(0) + note(UInt8($0), 60) + end }
    let song = try Song(midi(tracks: all + [port(1) + note(4, 70) + note(5, 70) + note(9, 36) + end]))
    #expect(strokes(song).count == 17)
    #expect(
      song.warnings.map(\.description)
        == ["2 more channels with notes than the 16 of a song (those of the last ports are left out)"])
  }

  private func exclusive(_ bytes: [UInt8]) -> [UInt8] { [0, 0xF0, UInt8(bytes.count + 1)] + bytes + [0xF7] }

  @Test("A part of GS or XG receives the channel that a system exclusive message gives it, or none")
  func receiveChannels() throws {
    // Part 3 receives channel 1, as part 1 does.
    let layered = exclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x02, 0, 0x2B])
    let reset = exclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41])
    let wrong = exclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0x13, 0x02, 0, 0x2C])
    #expect(try strokes(Song(midi(tracks: [layered + note(0, 60) + note(2, 61) + end]))) == ["0 60", "2 60"])
    #expect(try strokes(Song(midi(tracks: [wrong + note(0, 60) + end]))) == ["0 60"])
    #expect(
      try strokes(Song(midi(tracks: [layered + note(0, 60) + reset + note(2, 61) + end]))) == [
        "0 60", "2 60", "2 61",
      ])
    // Block 0 is part 10; XG counts from 0 and has 127 for none.
    let tenth = exclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0x10, 0x02, 5, 0x29])
    #expect(try strokes(Song(midi(tracks: [tenth + note(5, 60) + end]))) == ["5 60", "9 60"])
    let none = exclusive([0x43, 0x10, 0x4C, 8, 1, 4, 0x7F])
    #expect(try strokes(Song(midi(tracks: [none + note(1, 60) + note(0, 61) + end]))) == ["0 61"])
  }

  @Test("A song does not grow to many times its messages by parts that receive one channel")
  func copies() throws {
    let all = (1..<16).flatMap { exclusive([0x43, 0x10, 0x4C, 8, UInt8($0), 4, 0]) }
    let notes = (0..<100).flatMap { _ in note(0, 60) }
    let song = try Song(midi(tracks: [all + notes + end]))
    // Fifteen messages more that change channels, 200 of notes, so many copies, and the ends of what fifteen parts hold.
    #expect(song.messages.count <= 215 + 215 + 2 * 15 * 5)
    var held: Set<UInt8> = []
    for timed in song.messages {
      switch timed.message {
      case .noteOn: held.insert(timed.channel)
      case .noteOff, .controller(123, _): held.remove(timed.channel)
      default: break
      }
    }
    #expect(held.isEmpty)
  }

  @Test("What a part holds ends when its channel changes")
  func heldNotes() throws {
    let moved = exclusive([0x43, 0x10, 0x4C, 8, 0, 4, 3])
    let song = try Song(midi(tracks: [[0, 0x90, 60, 1] + moved + [0x60, 0x80, 60, 0] + end]))
    let ends = song.messages.filter { $0.message == .controller(123, MIDIValue(0, bits: 7)) }
    #expect(ends.map(\.channel) == [0])
    let reset = exclusive([0x41, 0x10, 0x42, 0x12, 0x40, 0, 0x7F, 0, 0x41])
    let track = Array([moved, [0, 0x93, 60, 1], reset, [0x60, 0x83, 60, 0], end].joined())
    let back = try Song(midi(tracks: [track]))
    #expect(back.messages.count { $0.message == .controller(123, MIDIValue(0, bits: 7)) } == 2)
  }
}
