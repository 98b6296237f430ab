import MIDI
import Scenes
import Song
import Testing

@Suite("A song")
struct SongTests {
  @Test("of format 0 gives its messages, with running status, in order and in time")
  func runningStatus() throws {
    let song = try Song(
      midi(
        format: 0,
        tracks: [
          [0x00, 0x93, 60, 100, 0x30, 64, 90, 0x30, 60, 0, 0x00, 64, 0] + [0x00, 0xC3, 7, 0x60, 9] + end
        ]))
    #expect(song.messages.map { $0.seconds } == [0, 0.25, 0.5, 0.5, 0.5, 1])
    #expect(
      song.messages.map { $0.message } == [
        .noteOn(note: 60, velocity: seven(100)), .noteOn(note: 64, velocity: seven(90)),
        .noteOff(note: 60, velocity: seven(64)), .noteOff(note: 64, velocity: seven(64)),
        .program(7, bank: nil), .program(9, bank: nil),
      ])
    #expect(song.messages.allSatisfy { $0.channel == 3 })
    #expect(song.channels() == [3])
    #expect(song.length == 1)
  }

  @Test("of format 1 merges its tracks, in their order where they coincide, under the tempo of the first")
  func merges() throws {
    let song = try Song(
      midi(tracks: [
        Array([[0x00], tempo(1_000_000), [0x60], tempo(250_000), end].joined()),
        [0x60, 0x90, 60, 1, 0x60, 0x80, 60, 0] + end,
        [0x00, 0xB1, 7, 100, 0x60, 0x91, 62, 2, 0x81, 0x40, 0x81, 62, 5] + end,
      ]))
    #expect(song.messages.map { $0.seconds } == [0, 1, 1, 1.25, 1.5])
    #expect(song.messages.map { $0.channel } == [1, 0, 1, 0, 1])
    #expect(song.channels() == [0, 1])
  }

  @Test("reads every channel message")
  func messages() throws {
    let bytes: [UInt8] =
      [0, 0x80, 1, 2, 0, 0x90, 3, 4, 0, 0xA0, 5, 6, 0, 0xB0, 7, 8, 0, 0xC0, 9, 0, 0xD0, 10, 0, 0xE0, 0, 64]
      + end
    let song = try Song(midi(tracks: [bytes]))
    #expect(
      song.messages.map { $0.message } == [
        .noteOff(note: 1, velocity: seven(2)), .noteOn(note: 3, velocity: seven(4)),
        .notePressure(note: 5, seven(6)), .controller(7, seven(8)), .program(9, bank: nil),
        .pressure(seven(10)), .bend(MIDIValue(8192, bits: 14)),
      ])
  }

  @Test("keeps time to the sample over an hour of odd tempos: the sum has no rounding")
  func exact() throws {
    // 333,333 us a quarter, 96 ticks: after 10,368 quarters 3,455.996544 s, in steps of one tick each.
    var track = [UInt8(0)] + tempo(333_333)
    let count = 96 * 10_368 / 128
    for _ in 0..<count { track += [0x81, 0x00, 0xC0, 0] }
    let song = try Song(midi(tracks: [track + end]))
    let exact = Double(96 * 10_368) * 333_333 / 96_000_000
    #expect(song.messages.last?.seconds == exact)
    #expect(song.messages.last?.frame(rate: 48_000) == Int64((exact * 48_000).rounded()))
  }

  @Test("counts film frames where the header says so, whatever the tempo")
  func film() throws {
    for (code, seconds) in [(0xE8, 1.0), (0xE7, 24.0 / 25), (0xE3, 24 * 1.001 / 30), (0xE2, 24.0 / 30)] {
      // 24 frames of 40 ticks are 960 = 0x87 0x40.
      let track = [0x00] + tempo(1) + [0x87, 0x40, 0xC0, 1] + end
      let song = try Song(midi(division: code << 8 | 40, tracks: [track]))
      #expect(abs((song.messages.first?.seconds ?? 0) - seconds) < 1e-12)
    }
  }

  @Test("skips exclusive and meta messages, unknown chunks, a longer header and what follows the tracks")
  func skips() throws {
    let track: [UInt8] =
      [0, 0xF0, 3, 0x7E, 0x09, 0xF7, 0, 0xF7, 2, 0x90, 0x90, 0, 0xFF, 0x01, 2, 0x90, 0x40]
      + [0, 0xFF, 0x7F, 0x81, 0x00] + [UInt8](repeating: 0xFF, count: 128) + [0x60, 0x90, 60, 1]
    let bytes =
      chunk("MThd", big(1, 2) + big(1, 2) + big(96, 2) + [1, 2, 3]) + chunk("XFIH", [1, 2, 3])
      // Behind the end of a track there is nothing to be read, be it ever so wrong.
      + chunk("MTrk", track + end + [0xFE, 0xFE]) + [0, 0, 0]
    let song = try Song(bytes)
    #expect(song.messages.map { $0.message } == [.noteOn(note: 60, velocity: seven(1))])
    #expect(song.length == 0.5)
  }

  @Test("has bars of its time signatures, each from where it stands, and counts them")
  func signatures() throws {
    func signature(_ beats: UInt8, _ power: UInt8) -> [UInt8] { [0xFF, 0x58, 4, beats, power, 24, 8] }
    // 3/4 for two bars, 6/8 for a bar and a third, 5/4; a beat is 0x60 ticks.
    let pieces: [[UInt8]] = [
      [0], signature(4, 2), [0], signature(3, 2), [0x84, 0x40], signature(6, 3), [0x83, 0x00],
      signature(5, 2), [0x60, 0x90, 60, 1],
    ]
    var track = Array(pieces.joined())
    // None of these is one.
    let others: [[UInt8]] = [
      signature(0, 2), signature(128, 2), signature(4, 7), [0xFF, 0x58, 1, 4], [0xFF, 0x58, 0],
    ]
    for wrong in others {
      track.append(1)
      track += wrong
    }
    for song in [try Song(midi(tracks: [track + end])), try Song(midi(tracks: [end, track + end]))] {
      #expect(song.signatures.map(\.meter.beats) == [3, 6, 5] && song.signatures.map(\.bar) == [1, 3, 5])
      #expect(song.signatures.map(\.meter.unit) == [1, 0.5, 1])
      #expect(song.signatures.map(\.meter.origin) == [0, 6, 10] && song.signatures[1].seconds == 3)
      let playback = SongPlayback(song, source: 31)
      let places: [(Double, Int)] = [
        (0, 1), (2.9, 1), (3, 2), (6, 3), (8.5, 3), (9, 4), (10, 5), (14.9, 5), (15, 6),
      ]
      for (beat, bar) in places { #expect(playback.bar(at: beat) == bar, "\(beat)") }
    }
    let second: [[UInt8]] = [[0x84, 0x60], signature(2, 2), [0, 0x90, 60, 1], end]
    let late = try Song(midi(tracks: [Array(second.joined())]))
    // Bars before it have four quarter notes.
    #expect(late.signatures.map(\.bar) == [3] && SongPlayback(late, source: 31).bar(at: 6) == nil)
    // Without beats there are no bars.
    #expect(try Song(midi(division: 0xE728, tracks: [track + end])).signatures.isEmpty)
  }

  @Test("may lack the end of a track")
  func noEnd() throws {
    let song = try Song(midi(tracks: [[0x60, 0x90, 60, 1]]))
    #expect(song.messages.count == 1)
    #expect(song.length == 0.5)
  }

  @Test(
    "becomes events, each at its frame: notes and wheels for the engine, knobs and programs with their bank")
  func events() throws {
    let track: [UInt8] =
      [0, 0xB2, 0, 1, 0, 32, 2, 0, 0xC2, 5, 0x60, 0x92, 60, 127, 0x60, 60, 0, 0, 0xA2, 60, 9]
      + [0, 0xB2, 1, 127, 0, 74, 127, 0, 122, 0, 0, 0xE2, 0, 0, 0, 0xC3, 6]
    let song = try Song(midi(tracks: [track + end]))
    let events = song.events(rate: 48_000, source: 2)
    #expect(
      events.map { $0.kind } == [
        .program, .noteOn, .noteOff, .keyPressure, .wheel, .controller, .bend, .program,
      ])
    #expect(events.map { $0.frame } == [0, 24_000, 48_000, 48_000, 48_000, 48_000, 48_000, 48_000])
    #expect(events.map { $0.value } == [130, 1, 0.5, 0.0703125, 1, 1, -1, 0])
    #expect(events.map { $0.note } == [5, 60, 60, 60, 0, 74, 0, 6])
    #expect(events.map { $0.target } == [2, 2, 2, 2, 2, 2, 2, 3] && events.allSatisfy { $0.source == 2 })
    // Played again, it begins anew.
    #expect(song.events(rate: 48_000).first?.value == 130)
  }

  @Test("has each event at the nearest frame")
  func nearestFrames() throws {
    let song = try Song(midi(tracks: [[1, 0x90, 60, 100, 1, 60, 0] + end]))
    // A tick is 229.6875 frames.
    #expect(song.events(rate: 44_100).map(\.frame) == [230, 459])
    #expect(song.messages.map { $0.frame(rate: 44_100) } == [230, 459])
  }

  private func seven(_ number: UInt32) -> MIDIValue { MIDIValue(number, bits: 7) }
}
