import MIDI
import Scratch
import Testing
@testable import Playback
@testable import Scenes
@testable import Synth

/// Muted channels, transposition and tempo of a song, as the engine hears them.
@Suite("A song that is played other than it is written") struct SongMixTests {
  private static func event(
    _ kind: Event.Kind, _ channel: UInt8, _ note: UInt8 = 0, _ value: Float = 0, at frame: Int64 = 0
  ) -> Event {
    Event(frame: frame, kind: kind, source: 0, target: channel, note: note, value: value)
  }

  /// What becomes of events, as kind, channel and key.
  private static func pass(_ mix: inout SongMix, _ events: Event...) -> [String] {
    var passed: [String] = []
    for event in events {
      mix.pass(event) { passed.append("\($0.kind) \($0.target) \($0.note)") }
    }
    return passed
  }

  @Test("A note ends on the key on which it began, whatever the transposition is then; drums stay")
  func keys() {
    var mix = SongMix()
    mix.drums = 1 << 9
    mix.transposition = 5
    let first = Self.pass(&mix, Self.event(.noteOn, 0, 60, 1), Self.event(.noteOn, 9, 38, 1))
    #expect(first == ["noteOn 0 65", "noteOn 9 38"])
    mix.transposition = -3
    let second = Self.pass(
      &mix, Self.event(.keyPressure, 0, 60, 1), Self.event(.noteOn, 0, 62, 1), Self.event(.noteOff, 0, 60),
      Self.event(.noteOff, 9, 38), Self.event(.noteOn, 0, 62))
    #expect(second == ["keyPressure 0 65", "noteOn 0 59", "noteOff 0 65", "noteOff 9 38", "noteOn 0 59"])
    // A key that is struck again before its end leaves no other key behind.
    let third = Self.pass(&mix, Self.event(.noteOn, 0, 60, 1))
    mix.transposition = 12
    let fourth = Self.pass(&mix, Self.event(.noteOn, 0, 60, 1), Self.event(.noteOff, 0, 60))
    #expect(third == ["noteOn 0 57"] && fourth == ["noteOff 0 57", "noteOn 0 72", "noteOff 0 72"])
    // Beyond the keys it is an octave nearer.
    mix.transposition = 12
    let high = Self.pass(&mix, Self.event(.noteOn, 0, 120, 1))
    mix.transposition = -7
    let low = Self.pass(&mix, Self.event(.noteOn, 0, 3, 1))
    #expect(high == ["noteOn 0 120"] && low == ["noteOn 0 8"])
    #expect(mix.sounding(at: 0, shortest: 0) == 1)
    let gone = Self.pass(&mix, Self.event(.sourceGone, 0))
    #expect(gone == ["sourceGone 0 0"])
    #expect(mix.sounding(at: 0, shortest: 0) == 0)
  }

  @Test("A muted channel has no notes, and everything else; a zone is muted by its manager")
  func muted() {
    var mix = SongMix()
    _ = Self.pass(
      &mix, Self.event(.mpeZone, 0, 3), Self.event(.noteOn, 2, 60, 1), Self.event(.noteOn, 4, 60, 1))
    #expect(mix.sounding(at: 0, shortest: 0) == 0b1_0001)
    let (ends, again) = (mix.mute(0, true), mix.mute(0, true))
    #expect(ends && !again)
    #expect(mix.sounding(at: 0, shortest: 0) == 0b1_0000)
    let passed = Self.pass(
      &mix, Self.event(.noteOn, 3, 61, 1), Self.event(.program, 0, 5), Self.event(.bend, 2, 0, 0.5),
      Self.event(.noteOff, 2, 60), Self.event(.noteOn, 4, 62, 1))
    #expect(passed == ["program 0 5", "bend 2 0", "noteOff 2 60", "noteOn 4 62"])
    let back = mix.mute(0, false)
    let heard = Self.pass(&mix, Self.event(.noteOn, 3, 61, 1))
    #expect(!back && heard == ["noteOn 3 61"])
    _ = Self.pass(&mix, Self.event(.sourceGone, 0))
    // The zone is gone with its source.
    _ = mix.mute(0, true)
    let member = Self.pass(&mix, Self.event(.noteOn, 3, 61, 1))
    #expect(member == ["noteOn 3 61"])
  }

  @Test("A lamp is lit while a key or a pedal holds a note, and for a moment by the shortest")
  func lamps() {
    var mix = SongMix()
    func lit(_ frame: Int64) -> UInt16 { mix.sounding(at: frame, shortest: 4_800) }
    _ = Self.pass(&mix, Self.event(.noteOn, 9, 38, 1, at: 1_000), Self.event(.noteOff, 9, 38, at: 1_010))
    #expect(lit(1_100) == 1 << 9 && lit(5_800) == 0)
    _ = Self.pass(
      &mix, Self.event(.sustain, 1, 0, 1), Self.event(.noteOn, 1, 60, 1), Self.event(.noteOff, 1, 60))
    #expect(lit(90_000) == 2)
    _ = Self.pass(&mix, Self.event(.sustain, 1))
    #expect(lit(90_000) == 0)
  }

  @Test("Transposed and muted while its notes sound, a song leaves nothing behind in the engine")
  func nothingHangs() throws {
    let spy = try SongSpy(beats(16))
    spy.begin()
    for semitones in [7, -5, 12, 0, -12, 3] {
      spy.run(seconds: 0.35)
      spy.mix.transposition = semitones
    }
    let keys = spy.song.map(\.key)
    #expect(keys.count >= 4 && keys != (0..<keys.count).map { 36 + $0 }, "\(keys)")
    spy.run(seconds: 8)
    #expect(spy.held.isEmpty)
  }

  @Test(
    "The tempo changes at once, and the position stays; it is the song's own times as much, after a seek too",
    arguments: [0.25, 0.5, 2, 4] as [Float])
  func tempo(multiple: Float) throws {
    // 120 a minute, and 60 from beat 12 on.
    let spy = try SongSpy(beats(40, tempos: [(0, 500_000), (12, 1_000_000)]))
    spy.begin()
    spy.run(seconds: 2.25)
    let before = spy.course.beat(at: Int64(spy.now))
    let strokes = spy.song.count
    spy.multiple = multiple
    spy.run(seconds: 0.01)
    let after = spy.course.beat(at: Int64(spy.now))
    #expect(after > before && after - before < 0.1)
    spy.run(seconds: 3 / Double(multiple))
    let later = spy.song[strokes...].prefix(4).map(\.frame)
    #expect(spy.song.map(\.key) == (0..<spy.song.count).map { 36 + $0 })
    for (one, other) in zip(later.dropFirst(), later.dropFirst(2)) {
      #expect(abs(Double(other - one) - 24_000 / Double(multiple)) <= 1, "\(later)")
    }
    #expect(spy.shown == max(20, min(120 * multiple, 300)))
    // The line of the engine is the song's.
    #expect(abs(spy.clock.line.beat(at: Int64(spy.now)) - spy.course.line.beat(at: Int64(spy.now))) < 1e-6)
    _ = spy.stop(transport: false)
    let next = spy.song.count
    spy.begin(at: 20)
    spy.run(seconds: 2.5 / Double(multiple))
    let sought = spy.song[next...].map(\.frame)
    try #require(sought.count >= 2)
    #expect(abs(Double(sought[1] - sought[0]) - 48_000 / Double(multiple)) <= 1)
  }

  @Test("A song that follows another clock keeps its tempo")
  func follows() throws {
    let spy = try SongSpy(beats(16))
    spy.show(tempo: 100)
    spy.begin(.follows)
    spy.multiple = 2
    spy.run(seconds: 4)
    let frames = spy.song.map(\.frame)
    try #require(frames.count > 3)
    for (one, other) in zip(frames, frames.dropFirst()) { #expect(abs(other - one - 28_800) <= 1) }
  }
}
