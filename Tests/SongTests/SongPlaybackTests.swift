import Scenes
import Song
import Testing

@Suite("A song that is played in time")
struct SongPlaybackTests {
  /// A tempo of 60 from the third second on, a program, a wheel, a pedal, and a note every half second.
  private func playback() throws -> SongPlayback {
    var hands: [UInt8] = [0, 0xC0, 5, 0, 0xB0, 1, 64, 0, 64, 127]
    for key in UInt8(60)..<68 { hands += [0, 0x90, key, 100, 0x60, key, 0] }
    hands += [0, 0xB0, 1, 0, 0, 0xC0, 6]
    let tempos: [UInt8] = [0] + tempo(500_000) + [0x84, 0x40] + tempo(1_000_000)
    return SongPlayback(try Song(midi(tracks: [tempos + end, hands + end])), source: 31)
  }

  @Test("gives what is due, in order, and nothing before its time")
  func due() throws {
    var playback = try playback()
    #expect(playback.length == 8 && playback.seconds == 5 && playback.hasBeats)
    var (events, tempos, last) = (0, [Float](), 0.0)
    while let (beat, step) = playback.take(by: 5.8) {
      #expect(beat >= last && beat <= 5.8)
      last = beat
      switch step {
      case .event(let event):
        #expect(event.source == 31 && event.frame == 0)
        events += 1
      case .tempo(let tempo): tempos.append(tempo)
      case .meter: break
      }
    }
    #expect(tempos == [120] && events == 3 + 6 + 5)
    #expect(playback.next == 6)
    while let (_, step) = playback.take(by: playback.length) {
      if case .tempo(let tempo) = step { tempos.append(tempo) }
    }
    #expect(tempos == [120, 60] && playback.next == nil)
  }

  @Test("finds a place in quarter notes, over changes of tempo, and none beyond its end")
  func place() throws {
    let playback = try playback()
    let places: [(beat: Double, seconds: Double)] = [
      (0, 0), (1, 0.5), (5, 2.5), (6, 3), (7, 4), (7.5, 4.5), (8, 5),
    ]
    for (beat, seconds) in places {
      #expect(playback.seconds(at: beat) == seconds && playback.beat(at: seconds) == beat, "\(beat)")
    }
    #expect(playback.seconds(at: 1e9) == 5 && playback.beat(at: 1e9) == 8)
    #expect(playback.seconds(at: -1) == 0 && playback.beat(at: -1) == 0)
    #expect([0, 5.999, 6, 8].map { playback.tempo(at: $0) } == [120, 120, 60, 60])
  }

  @Test("goes anywhere: wheels, pedals, program and tempo as they stand there, and no note that began before")
  func seek() throws {
    var playback = try playback()
    func words(_ steps: [SongPlayback.Step]) -> [String] {
      steps.map { step in
        switch step {
        case .event(let event): "\(event.kind) \(event.note) \(event.value)"
        case .tempo(let tempo): "tempo \(tempo)"
        case .meter(let meter): "meter \(meter.beats)"
        }
      }
    }
    #expect(words(playback.seek(to: 0)).isEmpty && playback.next == 0)
    let middle = words(playback.seek(to: 6.2))
    #expect(Set(middle) == ["program 5 0.0", "wheel 0 0.5", "sustain 0 1.0", "tempo 60.0"])
    #expect(playback.next == 7)
    _ = playback.seek(to: playback.length + 1)
    #expect(playback.next == nil)
    #expect(playback.seek(to: 0.2).count == 4)
  }

  private func words(_ steps: [SongPlayback.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .event(let event): "\(event.target + 1) \(event.kind) \(event.note) \(event.value)"
      case .tempo(let tempo): "tempo \(tempo)"
      case .meter(let meter): "meter \(meter.beats)"
      }
    }
  }

  @Test(
    "What stands exactly where it goes to is still to come, what is a moment before is brought there")
  func edges() throws {
    var playback = try playback()
    let atStart = words(playback.seek(to: 6))
    #expect(playback.next == 6 && !atStart.contains("tempo 60.0") && atStart.contains("tempo 120.0"))
    let after = words(playback.seek(to: 6.000_001))
    #expect(playback.next == 7 && after.contains("tempo 60.0") && !after.contains("tempo 120.0"))
    // Forth and back again, it is as it was.
    #expect(words(playback.seek(to: 6)) == atStart && playback.next == 6)
    let (early, due) = (playback.take(by: 5.999_999)?.beat, playback.take(by: 6)?.beat)
    #expect(early == nil && due == 6)
  }

  @Test("Of each thing the latest counts, on each channel, in the order in which they came")
  func latest() throws {
    let first: [UInt8] = [0, 0xB0, 74, 1, 0, 71, 2, 0, 0xB1, 74, 3, 0, 0xE0, 0, 0, 0, 0xD1, 9, 0, 0xC1, 4]
    let second: [UInt8] = [0x60, 0xB0, 74, 5, 0, 64, 127, 0, 0xE0, 0, 64, 0, 0xA0, 60, 7, 0, 0xC1, 6]
    let third: [UInt8] = [0x60, 0xB0, 74, 8, 0, 0x90, 60, 1]
    var playback = SongPlayback(try Song(midi(tracks: [first + second + third + end])), source: 31)
    let steps = words(playback.seek(to: 1.2))
    #expect(
      steps.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "tempo 120.0", "1 controller 71", "2 controller 74", "2 timbre 0", "2 pressure 0", "1 controller 74",
        "1 timbre 0",
        "1 sustain 0", "1 bend 0", "2 program 6",
      ])
    #expect(steps.last == "2 program 6 0.0")
    #expect(playback.next == 2)
  }

  @Test("Its length is that of its ticks, and the time of a place lies within it")
  func length() throws {
    // Two ticks of 96 at 120 a minute: 10,416.67 microseconds.
    let playback = SongPlayback(try Song(midi(tracks: [[2, 0xC0, 1] + end])), source: 31)
    #expect(playback.length == 2.0 / 96 && playback.next == 0 && playback.seconds == 1.0 / 96)
    #expect(playback.seconds(at: 0.01) == 0.005 && playback.seconds(at: 1) == 1.0 / 96)
  }

  @Test("sets a tempo before what happens at the same moment")
  func order() throws {
    let track: [UInt8] = [0, 0x90, 60, 1, 0x60] + tempo(1_000_000) + [0, 0x90, 62, 1] + end
    var playback = SongPlayback(try Song(midi(tracks: [track])), source: 31)
    var steps: [SongPlayback.Step] = []
    while let (_, step) = playback.take(by: 1) { steps.append(step) }
    #expect(
      words(steps).dropFirst().prefix(3) == ["1 noteOn 60 0.0078125", "tempo 60.0", "1 noteOn 62 0.0078125"])
  }

  @Test("A pause that is shortened leaves out whole beats, and the song stays in time")
  func pause() throws {
    // 200 quarter notes and a third at 120 a minute: 100 seconds, of which 10 are played.
    let track: [UInt8] = [0, 0x90, 60, 1, 0x60, 60, 0, 0x81, 0x96, 0x20, 62, 1, 0x60, 62, 0] + end
    let playback = SongPlayback(try Song(midi(tracks: [track])), source: 31)
    let beat = playback.beat(at: 10.5)
    #expect(beat > 19 && beat < 22 && (beat + 180) * 96 == ((beat + 180) * 96).rounded())
    #expect(abs(playback.length - beat - 1) < 1e-9)
  }

  @Test("A song timed in film frames has no beats of its own: half a second is one")
  func film() throws {
    let bytes = midi(division: (256 - 25) << 8 | 40, tracks: [[0, 0x90, 60, 1, 100, 60, 0] + end])
    let playback = SongPlayback(try Song(bytes), source: 31)
    #expect(!playback.hasBeats && playback.length == 0.2 && playback.seconds == 0.1)
  }
}
