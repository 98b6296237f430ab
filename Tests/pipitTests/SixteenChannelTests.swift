import Control
import MIDI
import Parameters
import Presets
import Scenes
import Scratch
import Song
import Synth
import System
import Testing
@testable import Playback
@testable import pipit

/// Songs whose channels all have programs of their own. 96 ticks are half a second.
@Suite("Songs of more than eight channels") struct SixteenChannelTests {
  private let folder = Folder()
  private let rate = Limits.rates.lowerBound

  /// Sixteen presets, of which program n sounds like no other.
  private var library: Library {
    for number in 0..<16 {
      let name = number < 9 ? "0\(number + 1)" : "\(number + 1)"
      folder.file(
        "factory/\(name)-x.txt",
        """
        pipit preset 1
        name Sound \(number)
        /osc/1/wave \(["sine", "saw", "square", "triangle"][number % 4])
        /osc/1/level/percent 15
        /filter/cutoff/hz \(400 + 300 * number)
        /amp/sustain/percent 100
        /amp/release/seconds 0.01
        \(number % 3 == 0 ? "/delay/on on\n/delay/sync 1/8" : "")

        """)
    }
    return Library(database: nil, factory: folder.path + "/factory", log: { Issue.record("\($0)") })
  }

  @Test("Events that the ring of parts 9 to 16 cannot take are counted")
  func droppedEvents() {
    let link = Link(.initial)
    let stage = SongPartsStage(.initial, tuning: nil, kit: Kit(), beside: link)
    let most = 100_000
    for _ in 0..<most { stage.send(Event(frame: 0, kind: .bend)) }
    let taken = most - Int(link.meters[.songDropped])
    #expect(taken > 100 && taken < most)
    stage.remove()
  }

  private static func delta(_ ticks: Int) -> [UInt8] {
    ticks < 128 ? [UInt8(ticks)] : [UInt8(ticks >> 7) | 0x80, UInt8(ticks & 0x7F)]
  }

  private static func file(_ track: [UInt8]) throws -> Song {
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let length: [UInt8] = [0, 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)]
    var file: [UInt8] = Array("MThd".utf8)
    for part in [head, Array("MTrk".utf8), length, track] { file += part }
    return try Song(file)
  }

  /// Each channel has its program, a pan of its own, and a key that begins a tick after that of the channel before.
  /// With `heard`, the keys of the other channels are left out.
  private func song(_ channels: ClosedRange<UInt8>, heard: UInt8? = nil) throws -> Song {
    var track: [UInt8] = []
    for channel in channels {
      track += [0, 0xB0 | channel, 0, 0, 0, 0xC0 | channel, channel, 0, 0xB0 | channel, 10, 8 * channel]
    }
    for channel in channels {
      let isAudible = heard == nil || heard == channel
      track += isAudible ? [1, 0x90 | channel, 40 + 3 * channel, 90] : [1, 0xB0 | channel, 1, 0]
    }
    track += Self.delta(96)
    for channel in channels {
      track += (channel == channels.lowerBound ? [] : [0]) + [0x80 | channel, 40 + 3 * channel, 0]
    }
    return try Self.file(track + [0, 0xFF, 0x2F, 0])
  }

  private func renderer(_ song: Song, _ library: Library) -> SongRenderer {
    let assignment = ChannelAssignment(song.uses(), order: .pipit)
    let further = assignment.needsSongParts ? assignment.scene(from: Limits.parts) { _ in .initial } : nil
    return SongRenderer(
      song, scene: assignment.scene { _ in .initial }, songPartsScene: further,
      programs: ProgramMap(library, order: .pipit), rate: rate)
  }

  private func render(_ song: Song, _ library: Library, block: Int = 512) throws -> (
    sound: [Float], voices: Int
  ) {
    let renderer = renderer(song, library)
    var sound: [Float] = []
    try renderer.render(block: block) { left, right, frames, _ in
      for frame in 0..<frames { sound += [left[frame], right[frame]] }
    }
    #expect(renderer.lost == 0 && renderer.programs?.missing.isEmpty == true)
    return (sound, renderer.mostVoices)
  }

  @Test("are rendered channel by channel as the songs of each channel alone, in blocks of any size")
  func shares() throws {
    let library = library
    let whole = try render(song(0...15), library)
    #expect(whole.voices == 16)
    var sum = [Float](repeating: 0, count: whole.sound.count)
    for channel: UInt8 in 0...15 {
      let alone = try render(song(0...15, heard: channel), library).sound
      #expect((alone.map { abs($0) }.max() ?? 0) > 0.003, "channel \(channel)")
      for (index, sample) in alone.enumerated() where index < sum.count { sum[index] += sample }
    }
    let most = whole.sound.map { abs($0) }.max() ?? 1
    let off = zip(whole.sound, sum).map { abs($0 - $1) }.max() ?? 1
    #expect(most < 0.8 && off < 1e-4, "\(off) of \(most)")
    let other = try render(song(0...15), library, block: 77)
    // The tails of effects end where they are below everything, at the end of a block.
    let differs = zip(other.sound, whole.sound).map { abs($0 - $1) }.max() ?? 1
    #expect(differs < 1e-9 && other.sound.count == whole.sound.count, "\(differs)")
  }

  @Test("lose no note, whatever the channels", arguments: 0..<12)
  func random(seed: Int) throws {
    var random = SeededRandom(UInt64(seed))
    var (track, notes): ([UInt8], Int) = ([], 0)
    for channel in Array(UInt8(0)...15).shuffled(using: &random).prefix(
      Int.random(in: 9...16, using: &random))
    {
      track += [0, 0xB0 | channel, 0, 0, 0, 0xC0 | channel, UInt8.random(in: 0...15, using: &random)]
      // Of a part no more than a sixteenth of the voices of eight parts.
      for key in 0..<UInt8.random(in: 1...16, using: &random) {
        track += [UInt8.random(in: 0...2, using: &random), 0x90 | channel, 36 + 3 * key, 20]
        notes += 1
      }
    }
    let rendered = try render(Self.file(track + [96, 0xFF, 0x2F, 0]), library)
    #expect(rendered.voices == notes, "\(rendered.voices) of \(notes)")
  }

  // MARK: - On the instrument

  /// An instrument, its engine and its player of songs. Time passes as the engine renders.
  private final class Box {
    private final class Time { var now = monotonic() }

    let loop: PollLoop
    let link = Link(.initial)
    let instrument: Instrument
    let songs: SongPlayer
    private let engine = UnsafeMutablePointer<Engine>.allocate(capacity: 1)
    private let block = UnsafeMutablePointer<Float>.allocate(capacity: 960)
    private let time = Time()

    init(_ library: Library) throws {
      let made = PollLoop { [time] in time.now }
      loop = try #require(made)
      instrument = Instrument(link: link, library: library, log: { _ in })
      instrument.join(loop)
      songs = SongPlayer(folders: [], instrument, loop)
      engine.initialize(to: Engine(rate: 48_000, link: link))
      link.scene.audioSide.setRunning(true)
    }

    deinit {
      engine.deinitialize(count: 1)
      engine.deallocate()
      block.deallocate()
    }

    /// Renders until it is so, for a minute of the engine's time at most.
    func until(_ isSo: (Box) -> Bool) -> Bool {
      for _ in 0..<6_000 {
        pass()
        if isSo(self) { return true }
      }
      return false
    }

    /// Ten milliseconds.
    private func pass() {
      engine.pointee.render(left: block, right: block + 480, frames: 480)
      time.now += 10_000_000
      link.clock.publish(frame: engine.pointee.frame, nanoseconds: time.now, latency: 480, rate: 48_000)
      loop.round(limit: 0)
    }

    /// Renders three seconds.
    func passThreeSeconds() { for _ in 0..<300 { pass() } }

    var voices: UInt64 { link.meters[.voices] }
    var patches: [Float] { (0..<Limits.parts).map { instrument.stage.scene[$0].patch.filter.cutoff } }
  }

  /// A song that holds a key on each channel for ten seconds.
  private func held(_ channels: ClosedRange<UInt8>) -> [UInt8] {
    var track: [UInt8] = []
    for channel in channels { track += [0, 0xB0 | channel, 0, 0, 0, 0xC0 | channel, channel] }
    for channel in channels { track += [0, 0x90 | channel, 60, 60] }
    track += [0x8F, 0x00, 0xFF, 0x2F, 0]
    let head: [UInt8] = [0, 0, 0, 6, 0, 0, 0, 1, 0, 96]
    let length: [UInt8] = [0, 0, UInt8(track.count >> 8), UInt8(track.count & 0xFF)]
    return Array("MThd".utf8) + head + Array("MTrk".utf8) + length + track
  }

  private func play(_ bytes: [UInt8], _ box: Box) -> String? {
    box.songs.handle(.take(bytes, at: 0)) ?? box.songs.handle(.load("a song")) ?? box.songs.handle(.play(nil))
  }

  @Test("play all their channels on the instrument, and the further parts are gone after it")
  func live() throws {
    let box = try Box(library)
    #expect(box.until { $0.link.meters[.blocks] > 3 })
    #expect(box.songs.channels.isEmpty)
    #expect(play(held(0...15), box) == nil)
    #expect(box.until { $0.voices == 16 })
    let channels = box.songs.channels
    #expect(channels.map(\.channel) == Array(0...15) && channels.map(\.parts) == (0..<16).map { [$0] })
    #expect(channels.map(\.preset) == (0..<16).map { "Sound \($0)" })
    // The eight parts have the sounds of the first channels, as with any song.
    #expect(box.patches == (0..<8).map { Float(400 + 300 * $0) })
    // A player's key plays the part that it is for, and no other.
    box.instrument.performance.play(.noteOn, source: Limits.surfaceSources, part: 0, note: 72, value: 1)
    #expect(box.until { $0.voices == 17 })
    // Elsewhere in the song, and back.
    #expect(box.songs.handle(.move(5)) == nil)
    #expect(box.until { $0.voices == 1 })
    #expect(box.songs.handle(.move(0)) == nil)
    #expect(box.until { $0.voices == 17 })
    box.instrument.performance.play(.panic, source: Limits.surfaceSources, part: 0)
    #expect(box.until { $0.voices == 0 })
    #expect(box.songs.handle(.stop) == nil)
    // The same parts for the next song, whose channels begin with other programs.
    #expect(play(held(3...15), box) == nil)
    #expect(box.until { $0.voices == 13 })
    #expect(box.songs.channels.map(\.parts) == (0..<13).map { [$0] })
    // A song of few channels is heard alone.
    #expect(play(held(0...1), box) == nil)
    #expect(box.until { $0.voices == 2 })
    #expect(box.songs.handle(.stop) == nil)
    box.passThreeSeconds()
    #expect(box.voices == 0)
    #expect(box.link.scene.retiredCount == 0 && box.link.meters[.faults] == 0)
    #expect(box.link.meters[.refused] == 0 && box.link.meters[.stolen] == 0)
  }
}
