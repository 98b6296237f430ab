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
}
