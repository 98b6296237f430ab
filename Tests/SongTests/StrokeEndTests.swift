import EngineHarness
import Scenes
import Scratch
import Song
import Testing

/// A song whose keys are struck again before they end, and what its offs do then.
@Suite("A key struck again before its end") struct StrokeEndTests {
  /// A note on or off of a song, as the test has put it there.
  private struct Move {
    let tick: Int
    let track: Int
    let channel: Int
    let key: Int
    let isOn: Bool

    var name: Int { channel * 128 + key }
  }

  private static let ticksPerSecond = 192.0

  /// A file of moves, in the order given where they are at one tick of one track.
  private func song(_ moves: [Move]) throws -> Song {
    let tracks = (0...(moves.map(\.track).max() ?? 0)).map { track in
      var (bytes, tick) = ([UInt8](), 0)
      for move in moves.enumerated().filter({ $0.element.track == track })
        .sorted(by: { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }).map(\.element)
      {
        let wait = move.tick - tick
        bytes += [UInt8(wait >> 7) | 0x80, UInt8(wait & 127)]
        bytes += [(move.isOn ? 0x90 : 0x80) | UInt8(move.channel), UInt8(move.key), 100]
        tick = move.tick
      }
      return bytes + end
    }
    return try Song(midi(tracks: tracks))
  }

  /// The keys that are down after each tick at which there are moves, as the engine hears them: an off ends its key.
  private func heard(_ song: Song) -> [Int: Set<Int>] {
    var (down, after) = (Set<Int>(), [Int: Set<Int>]())
    for event in song.events(rate: Self.ticksPerSecond) {
      let name = Int(event.target) * 128 + Int(event.note)
      switch event.kind {
      case .noteOn: down.insert(name)
      case .noteOff: down.remove(name)
      default: continue
      }
      after[Int(event.frame)] = down
    }
    return after
  }

  @Test("sounds until it has had an off for each stroke, in any order at one tick and across tracks")
  func counted() throws {
    var random = SeededRandom(SeededRandom.chosenSeed ?? 1)
    for _ in 0..<300 {
      var moves: [Move] = []
      for _ in 0..<Int.random(in: 1...60, using: &random) {
        // Few keys and few ticks, so that most strokes overlap and meet.
        let (tick, length) = (Int.random(in: 0...40, using: &random), Int.random(in: 1...12, using: &random))
        let (channel, key) = (Int.random(in: 0...1, using: &random), Int.random(in: 60...61, using: &random))
        for (tick, isOn) in [(tick, true), (tick + length, false)] {
          let track = Int.random(in: 0...2, using: &random)
          moves.append(Move(tick: tick, track: track, channel: channel, key: key, isOn: isOn))
        }
      }
      moves.shuffle(using: &random)
      let song = try song(moves)
      #expect(song.events(rate: 1).filter { $0.kind == .noteOn }.count == moves.count / 2)
      let heard = heard(song)
      for tick in Set(moves.map(\.tick)).sorted() {
        let past = moves.filter { $0.tick <= tick }
        let strokes = Dictionary(grouping: past, by: \.name).filter { _, all in
          all.filter(\.isOn).count > all.filter { !$0.isOn }.count
        }
        // Ticks with dropped offs alone have no events: what was down is down.
        let down = heard.filter { $0.key <= tick }.max { $0.key < $1.key }?.value
        #expect(down == Set(strokes.keys), "tick \(tick) of \(moves)")
      }
    }
  }

  /// The moves of one key, a word each: `+0` strikes it at tick 0, `-10` ends it.
  private func moves(_ words: String) -> [Move] {
    words.split(separator: " ").map { word in
      let tick = Int(word.dropFirst()) ?? 0
      return Move(tick: tick, track: 0, channel: 0, key: 60, isOn: word.first == "+")
    }
  }

  @Test(
    "is not held by a stroke that has no off",
    arguments: [
      ("+0 +10 -20", [20]), ("+0 +10 -20 +30 -40 +50 -60", [20, 40, 60]), ("+0 +10 +20 -30", [30]),
      ("+0 -10 -20 +30 -40", [10, 20, 40]), ("-0 +10 -20", [0, 20]), ("+0 +10 -20 +30 -40 -50", [50]),
      ("+0 +10", [10]), ("+0 -10 +20", [10, 20]),
    ] as [(String, [Int64])])
  func unbalanced(words: String, offs: [Int64]) throws {
    let events = try song(moves(words)).events(rate: Self.ticksPerSecond)
    #expect(events.filter { $0.kind == .noteOff }.map(\.frame) == offs)
  }

  @Test("starts to count anew after all notes off, all sound off, mono, poly and a reset")
  func ended() throws {
    let systemOn: [UInt8] = [10, 0xF0, 5, 0x7E, 0x7F, 9, 1, 0xF7]
    var ends: [[UInt8]] = [systemOn]
    for number in [120, 123, 126, 127] as [UInt8] { ends.append([10, 0xB0, number, 0]) }
    for ending in ends {
      let strokes: [UInt8] = [0, 0x90, 60, 100, 10, 0x90, 60, 100]
      let later: [UInt8] = [10, 0x90, 60, 100, 10, 0x80, 60, 0, 10, 0x80, 60, 0]
      let song = try Song(midi(tracks: [strokes + ending + later + end]))
      let offs = song.events(rate: Self.ticksPerSecond).filter { $0.kind == .noteOff }
      #expect(offs.first?.frame == 40, "\(ending)")
    }
    // Others do not end notes.
    let other: [UInt8] = [0, 0x90, 60, 100, 10, 60, 100, 10, 0xB0, 121, 0, 10, 0x90, 60, 0, 10, 60, 0]
    let song = try Song(midi(tracks: [other + end]))
    #expect(song.events(rate: Self.ticksPerSecond).filter { $0.kind == .noteOff }.map(\.frame) == [40])
  }

  @Test("leaves no pressure of its finger to a seek behind its end")
  func finger() throws {
    let zone: [UInt8] = [0, 0xB0, 101, 0, 0, 100, 6, 0, 6, 15, 0, 0xD1, 100]
    let stroke: [UInt8] = [0, 0x91, 60, 1]
    let twice: [UInt8] = [0, 0x91, 60, 1, 10, 60, 1, 10, 0x81, 60, 0, 10, 60, 0]
    func pressures(_ events: [UInt8]) throws -> Int {
      let song = try Song(midi(tracks: [zone + events + [0x60, 0xB0, 1, 1] + end]))
      var playback = SongPlayback(song, source: 1)
      return playback.seek(to: song.beats).count { step in
        if case .event(let event) = step { event.kind == .pressure } else { false }
      }
    }
    #expect(try pressures(stroke) == 1)
    #expect(try pressures(twice) == 0)
  }

  /// Files whose second stroke is to be heard at a second: one key, held by the second stroke.
  private static let files: [[UInt8]] = {
    // Overlapping: on, on, off, off.
    let overlap: [UInt8] = [0x64, 0x90, 60, 100, 0x14, 0x80, 60, 64, 0x87, 0x54, 0x80, 60, 64]
    // One tick, the stroke first.
    let together: [UInt8] = [0x64, 0x90, 60, 100, 0, 0x80, 60, 64, 0x87, 0x68, 0x80, 60, 64]
    let head: [UInt8] = [0, 0xC0, 16, 0, 0x90, 60, 100]
    var files = [midi(division: 500, tracks: [head + overlap + end])]
    files.append(midi(division: 500, tracks: [head + together + end]))
    // One tick of two tracks, that of the stroke first.
    let (stroke, last): ([UInt8], [UInt8]) = ([0x64, 0x90, 60, 100], [0x87, 0x68, 0x80, 60, 64])
    files.append(midi(division: 500, tracks: [stroke + last + end, head + [0x64, 0x80, 60, 64] + end]))
    return files
  }()

  @Test("is heard", arguments: files)
  func level(file: [UInt8]) throws {
    var scene = Scene.with([("/osc/1/wave", 0), ("/amp/sustain", 1), ("/amp/release", 0.01)])
    scene[0].strip.channel = 1
    let player = Player(scene)
    for event in try Song(file).events(rate: 48_000, source: UInt8(Limits.songSource)) {
      if !event.kind.isForControl { player.link.midi.push(event) }
    }
    player.play(43_200)
    player.left = []
    player.play(4_800)
    #expect(player.left.reduce(0) { $0 + $1 * $1 } / 4_800 > 1e-5)
    // Silent after its end.
    player.play(24_000)
    player.left = []
    player.play(4_800)
    #expect(player.left.allSatisfy { abs($0) < 1e-4 })
  }
}
