import MIDI
import Song
import Testing

@Suite("The demo song")
struct CanonTests {
  private let song: Song

  init() throws {
    let tests = #filePath.split(separator: "/").dropLast(2).joined(separator: "/")
    song = try Song(path: "/\(tests)/../presets/songs/canon.mid")
  }

  /// The notes that a channel strikes, with their times.
  private func notes(_ channel: UInt8) -> [(seconds: Double, note: UInt8)] {
    song.messages.compactMap { moment in
      guard moment.channel == channel, case .noteOn(let note, _) = moment.message else { return nil }
      return (moment.seconds, note)
    }
  }

  @Test("is a canon: each violin plays what the first has played, two bars later")
  func canon() {
    // 63 quarters a minute, as the file holds them: 952,381 microseconds.
    let bars = 8 * 0.952381
    let first = notes(0)
    for (violin, later) in [(UInt8(1), bars), (2, 2 * bars)] {
      // All but the last chord, in which the voices part, and the ritardando before it.
      let notes = notes(violin).filter { $0.seconds < 10 * bars - 4 }
      #expect(notes.count > 100)
      #expect(notes.map { $0.note } == first.prefix(notes.count).map { $0.note })
      for (mine, other) in zip(notes, first) { #expect(abs(mine.seconds - other.seconds - later) < 1e-9) }
    }
  }

  @Test("stands on its ground: D A B F# G D G A, ten times and a last D")
  func ground() {
    let line: [UInt8] = [50, 45, 47, 42, 43, 38, 43, 45]
    let played = Array(repeating: line, count: 10).joined() + [38]
    #expect(notes(4).map(\.note) == Array(played))
  }

  @Test("ends every note it begins, and uses what a player's hands and feet have")
  func whole() {
    var open: [[UInt8]: Int] = [:]
    var controllers = Set<UInt8>()
    var bends = Set<Float>()
    for moment in song.messages {
      switch moment.message {
      case .noteOn(let note, _): open[[moment.channel, note], default: 0] += 1
      case .noteOff(let note, _): open[[moment.channel, note], default: 0] -= 1
      case .controller(let number, _): controllers.insert(number)
      case .bend(let value): bends.insert(value.bipolar)
      default: break
      }
    }
    #expect(open.values.allSatisfy { $0 == 0 })
    #expect(controllers.isSuperset(of: [1, 7, 10, 11, 64]))
    #expect(bends.count > 4 && bends.contains(0))
    #expect(song.channels() == [0, 1, 2, 3, 4])
    // The ritardando makes it longer than 86 quarters at 63 a minute.
    let even = 86.0 * 60 / 63
    #expect(song.length > even + 2)
    #expect(song.length < 90)
  }
}
