import Song
import Synth
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
    #expect(playback.length == 5_000_000)
    var (events, tempos, last) = (0, [Float](), Int64(0))
    while let (time, step) = playback.take(by: 2_900_000) {
      #expect(time >= last && time <= 2_900_000)
      last = time
      switch step {
      case .event(let event):
        #expect(event.source == 31 && event.frame == time)
        events += 1
      case .tempo(let tempo): tempos.append(tempo)
      }
    }
    #expect(tempos == [120] && events == 3 + 6 + 5)
    #expect(playback.next == 3_000_000)
    while let (_, step) = playback.take(by: playback.length) {
      if case .tempo(let tempo) = step { tempos.append(tempo) }
    }
    #expect(tempos == [120, 60] && playback.next == nil)
  }

  @Test("finds a place in quarter notes, over changes of tempo, and none beyond its end")
  func place() throws {
    let playback = try playback()
    let times = [0, 1, 5, 6, 7, 8, 1e9].map { playback.time(quarters: $0) }
    #expect(times == [0, 500_000, 2_500_000, 3_000_000, 4_000_000, 5_000_000, 5_000_000])
  }

  @Test("goes anywhere: wheels, pedals, program and tempo as they stand there, and no note that began before")
  func seek() throws {
    var playback = try playback()
    func words(_ steps: [SongPlayback.Step]) -> [String] {
      steps.map { step in
        switch step {
        case .event(let event): "\(event.kind) \(event.note) \(event.value)"
        case .tempo(let tempo): "tempo \(tempo)"
        }
      }
    }
    #expect(words(playback.seek(to: 0)).isEmpty && playback.next == 0)
    let middle = words(playback.seek(to: 3_200_000))
    #expect(Set(middle) == ["program 5 0.0", "wheel 0 0.5", "sustain 0 1.0", "tempo 60.0"])
    #expect(playback.next == 4_000_000)
    _ = playback.seek(to: playback.length + 1)
    #expect(playback.next == nil)
    #expect(playback.seek(to: 100_000).count == 4)
  }

  private func words(_ steps: [SongPlayback.Step]) -> [String] {
    steps.map { step in
      switch step {
      case .event(let event): "\(event.target + 1) \(event.kind) \(event.note) \(event.value)"
      case .tempo(let tempo): "tempo \(tempo)"
      }
    }
  }

  @Test(
    "What stands exactly where it goes to is still to come, what is a microsecond before is brought there")
  func edges() throws {
    var playback = try playback()
    let atStart = words(playback.seek(to: 3_000_000))
    #expect(playback.next == 3_000_000 && !atStart.contains("tempo 60.0") && atStart.contains("tempo 120.0"))
    let after = words(playback.seek(to: 3_000_001))
    #expect(playback.next == 4_000_000 && after.contains("tempo 60.0") && !after.contains("tempo 120.0"))
    // Forth and back again, it is as it was.
    #expect(words(playback.seek(to: 3_000_000)) == atStart && playback.next == 3_000_000)
    let (early, due) = (playback.take(by: 2_999_999)?.time, playback.take(by: 3_000_000)?.time)
    #expect(early == nil && due == 3_000_000)
  }

  @Test("Of each thing the latest counts, on each channel, in the order in which they came")
  func latest() throws {
    let first: [UInt8] = [0, 0xB0, 74, 1, 0, 71, 2, 0, 0xB1, 74, 3, 0, 0xE0, 0, 0, 0, 0xD1, 9, 0, 0xC1, 4]
    let second: [UInt8] = [0x60, 0xB0, 74, 5, 0, 64, 127, 0, 0xE0, 0, 64, 0, 0xA0, 60, 7, 0, 0xC1, 6]
    let third: [UInt8] = [0x60, 0xB0, 74, 8, 0, 0x90, 60, 1]
    var playback = SongPlayback(try Song(midi(tracks: [first + second + third + end])), source: 31)
    let steps = words(playback.seek(to: 600_000))
    #expect(
      steps.map { $0.split(separator: " ").prefix(3).joined(separator: " ") } == [
        "1 controller 71", "2 controller 74", "2 timbre 0", "2 pressure 0", "1 controller 74", "1 timbre 0",
        "1 sustain 0", "1 bend 0", "2 program 6",
      ])
    #expect(steps.last == "2 program 6 0.0")
    #expect(playback.next == 1_000_000)
  }

  @Test("Its length is rounded up to a microsecond, and the time of a place lies within it")
  func length() throws {
    // Two ticks of 96 at 120 a minute: 10,416.67 microseconds.
    let playback = SongPlayback(try Song(midi(tracks: [[2, 0xC0, 1] + end])), source: 31)
    #expect(playback.length == 10_417 && playback.next == 10_417)
    #expect(playback.time(quarters: -1) == 0 && playback.time(quarters: 0.01) == 5_000)
    #expect(playback.time(quarters: 1) == 10_417)
  }

  @Test("sets a tempo before what happens at the same moment")
  func order() throws {
    let track: [UInt8] = [0, 0x90, 60, 1, 0x60] + tempo(1_000_000) + [0, 0x90, 62, 1] + end
    var playback = SongPlayback(try Song(midi(tracks: [track])), source: 31)
    var steps: [SongPlayback.Step] = []
    while let (_, step) = playback.take(by: 500_000) { steps.append(step) }
    #expect(words(steps).prefix(3) == ["1 noteOn 60 0.0078125", "tempo 60.0", "1 noteOn 62 0.0078125"])
  }
}
