import MIDI
import Scenes
import Testing
@testable import Song

@Suite("Times and channels of a song")
struct SongUseTests {
  @Test("Of several tempos at one tick the last counts, whatever track it is in, from that tick on")
  func tempos() throws {
    // At the first quarter note two tempos, of which the second counts, and a third in the other track.
    let first: [[UInt8]] = [
      [0x60], tempo(250_000), [0], tempo(1_000_000), [0x83, 0x00], tempo(500_000), end,
    ]
    let second: [[UInt8]] = [
      [0x60, 0x90, 60, 1, 0], tempo(2_000_000), [0x60, 60, 0, 0x60], tempo(400_000), [0x60, 61, 1],
      [0x81, 0x40, 61, 0], end,
    ]
    let song = try Song(midi(tracks: [Array(first.joined()), Array(second.joined())]))
    // Ticks 96, 192, 384 and 576.
    #expect(song.messages.map(\.seconds) == [0.5, 2.5, 4.9, 5.8])
    #expect(song.tempos.map(\.seconds) == [0, 0.5, 0.5, 0.5, 4.5, 5.3])
    #expect(song.tempos.map(\.perMinute) == [120, 240, 60, 30, 150, 120])
    #expect(song.length == 5.8)
  }

  @Test(
    "A song without a tempo goes at 120, and its ticks are those of its header",
    arguments: [1, 96, 480, 32_767])
  func division(ticks: Int) throws {
    // Two quarter notes.
    let count = 2 * ticks
    let time = [count >> 14, count >> 7, count].map { UInt8($0 & 127) }
    let song = try Song(
      midi(division: ticks, tracks: [[time[0] | 0x80, time[1] | 0x80, time[2], 0xC0, 1] + end]))
    #expect(song.messages.first?.seconds == 1 && song.tempos.map(\.perMinute) == [120])
  }

  @Test("What the header says of film frames with 29 is 29.97 of them, and 30 is 30")
  func film() throws {
    var findings = Findings(isStrict: true)
    func seconds(_ word: Int, _ tick: Int) throws -> Double {
      var map = TempoMap(try TempoMap.division(word, at: 0, &findings), tempos: [])
      return map.seconds(at: tick)
    }
    // An hour of frames, four ticks each.
    for (code, frames) in [(24, 24.0), (25, 25), (29, 30_000 / 1_001.0), (30, 30)] {
      let word = (256 - code) << 8 | 4
      #expect(abs(try seconds(word, Int(frames * 3_600) * 4) - 3_600) < 0.05, "\(code)")
    }
    #expect(try seconds((256 - 29) << 8 | 1, 30_000) == 1_001)
    for code in [23, 26, 28, 31] {
      #expect(throws: SongError.self) { try seconds((256 - code) << 8 | 4, 1) }
    }
  }

  @Test("A pause of a minute stays, a longer one is ten seconds, and a song ends at a day exactly")
  func clock() throws {
    var findings = Findings(isStrict: false)
    var clock = SongClock()
    #expect(try clock.time(60, beat: 2 * 60, &findings) == 60 && findings.warnings.isEmpty)
    #expect(try clock.time(120.5, beat: 2 * 120.5, &findings) == 70)
    #expect(findings.warnings.map(\.kind) == [.pause] && clock.beat == 140)
    // What comes later keeps its distance.
    #expect(try clock.time(121, beat: 2 * 121, &findings) == 70.5)
    #expect(try clock.time(121, beat: 2 * 121, &findings) == 70.5)
    var strict = Findings(isStrict: true)
    var long = SongClock()
    #expect(try long.time(86_400, beat: 0, &strict) == 86_400)
    #expect(throws: SongError.self) { try long.time(86_400.001, beat: 0, &strict) }
    #expect(long.now == 86_400)
  }

  @Test("Each channel says with which program its first note is played, in the order of these notes")
  func uses() throws {
    let song = try Song(
      midi(tracks: [
        [0, 0xB3, 0, 1, 0, 32, 2, 0, 0xC3, 7, 0, 0x93, 60, 1, 0, 61, 1, 0, 0x92, 60, 1, 0, 0xC2, 9]
          + [0, 0xC3, 8, 0, 0x93, 62, 1, 0, 62, 0, 0, 0xC5, 4] + end
      ]))
    let uses = song.uses()
    #expect(uses.map(\.channel) == [3, 2] && song.channels() == [2, 3])
    #expect(uses.map(\.notes) == [3, 1])
    // The program of the second comes after its note.
    #expect(uses.map(\.first) == [ChannelUse.Program(bank: 130, program: 7), nil])
  }

  @Test("A phrase strikes and lets go each key, and the wheel ends where it is to")
  func phrases() {
    let all: [Phrase] = [
      .basses, .leads, .pads, .keys, .plucks, .organs, .strings, .motion, .drums,
    ]
    for phrase in all {
      let song = Song(phrase)
      var held: [UInt8: Int] = [:]
      var wheel: UInt32?
      var last = 0.0
      for moment in song.messages {
        #expect(moment.seconds >= last && moment.channel == 0)
        last = moment.seconds
        switch moment.message {
        case .noteOn(let note, _): held[note, default: 0] += 1
        case .noteOff(let note, _): held[note, default: 0] -= 1
        case .controller(1, let value): wheel = value.raw >> 25
        default: Issue.record("\(moment.message)")
        }
      }
      #expect(held.values.allSatisfy { $0 == 0 } && song.length == last)
      #expect(wheel.map(Double.init) == phrase.wheel.last?.to)
      #expect(song.tempos == [Song.Tempo(seconds: 0, beat: 0, perMinute: Float(phrase.tempo))])
      // A beat lasts as long as the tempo says.
      let end = phrase.chords.map { $0.start + $0.length }.max() ?? 0
      #expect(
        abs(song.length - max(end, phrase.wheel.last?.times.upperBound ?? 0) * 60 / phrase.tempo) < 1e-9)
    }
  }

  @Test("A reset ends the zones of a song: its channels are used by themselves from then on")
  func reset() throws {
    let zone: [UInt8] = [0, 0xB0, 101, 0, 0, 100, 6, 0, 6, 15]
    let note: [UInt8] = [0, 0x91, 60, 1, 0, 60, 0]
    let systemOn: [UInt8] = [0, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    #expect(try Song(midi(tracks: [zone + note + end])).channels() == [0])
    #expect(try Song(midi(tracks: [zone + systemOn + note + end])).channels() == [1])
    #expect(try Song(midi(tracks: [zone + note + systemOn + note + end])).channels() == [0, 1])
    // The player's own zones stay.
    #expect(try Song(midi(tracks: [systemOn + note + end])).channels(mpe: .lower(15)) == [0])
  }
}
