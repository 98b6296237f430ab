import MIDI
import Scratch
import Testing
@testable import Playback
@testable import Scenes
@testable import Synth

/// A song that goes by another clock.
@Suite("A song that follows the beat") struct SongFollowTests {
  /// Pulses of a device from a time on, each up to `jitter` seconds early or late.
  private func pulses(
    _ range: Range<Double>, perMinute: Double, jitter: Double = 0, seed: UInt64 = 1
  ) -> [(seconds: Double, message: ClockMessage)] {
    var random = SeededRandom(seed)
    let count = Int((range.upperBound - range.lowerBound) * perMinute * 24 / 60)
    var latest = 0.0
    return (0..<count).map { pulse in
      let due = range.lowerBound + Double(pulse) * 60 / 24 / perMinute
      latest = max(latest, due + (jitter > 0 ? Double.random(in: -jitter...jitter, using: &random) : 0))
      return (latest, .tick)
    }
  }

  @Test("Begins with the first pulse of a device, and stays in its time for minutes of jitter, without creep")
  func jitter() throws {
    // The song has another tempo of its own.
    let spy = try SongSpy(beats(500, tempos: [(0, 300_000), (40, 900_000)]))
    spy.press(60)
    spy.messages = [(0.5, .start)] + pulses(0.51..<240, perMinute: 123.4, jitter: 0.002)[...]
    spy.run(seconds: 239)
    #expect(spy.clock.isLedByDevice && spy.song.count > 485)
    #expect(spy.song.map(\.key) == (0..<spy.song.count).map { 36 + $0 % 60 })
    // The device hears its pulses 480 frames before the engine plays.
    let errors = spy.song.enumerated().map { beat, stroke -> Double in
      let due = 510 + Double(beat) * 60_000 / 123.4
      return Double(stroke.frame - 480) / 48 - due
    }
    #expect(errors.dropFirst(8).allSatisfy { abs($0) < 1.5 }, "\(errors.map { ($0 * 100).rounded() / 100 })")
    func mean(_ part: ArraySlice<Double>) -> Double { part.reduce(0, +) / Double(part.count) }
    #expect(abs(mean(errors[20..<120]) - mean(errors.suffix(100))) < 0.3)
    // A step and a note of one beat are corrected until they are played.
    let steps = spy.arp.map(\.frame)
    for stroke in spy.song.dropFirst(8) {
      #expect(steps.contains { abs($0 - stroke.frame) <= 6 }, "\(stroke)")
    }
    // The tempos of the song are nobody's.
    #expect(spy.commands.filter { $0.kind == .tempo && $0.source == UInt8(Limits.songSource) }.isEmpty)
  }

  @Test("Begins with the next beat of a line that runs")
  func nextBeat() throws {
    let spy = try SongSpy(beats(20))
    spy.press(60)
    spy.run(seconds: 1.3)
    spy.begin(at: 0, .follows)
    spy.run(seconds: 2)
    #expect(spy.song.map(\.frame).prefix(3) == [72_000, 96_000, 120_000])
    // From the middle of a beat, at the middle of a beat.
    spy.stop()
    let before = spy.song.count
    spy.begin(at: 10.5, .follows)
    spy.run(seconds: 1.2)
    #expect(spy.song.dropFirst(before).map(\.key).first == 47)
    #expect(spy.song.dropFirst(before).allSatisfy { $0.frame % 24_000 == 0 } && spy.clock.isRunning)
  }

  @Test(
    "A jump of the line neither repeats notes nor plays a burst", arguments: [-40.3, -0.4, 0.4, 3.2, 100.45])
  func jump(by beats: Double) throws {
    let spy = try SongSpy(pipitTests.beats(60))
    spy.begin(at: 8, .follows)
    spy.run(seconds: 4.1)
    let before = spy.song.count
    let beat = spy.clock.line.beat(at: Int64(spy.now)) + 100 + beats
    spy.player.link.midi.push(Event.clock(.clockStart, beat: beat, source: 3, frame: Int64(spy.now)))
    spy.run(seconds: 3)
    let keys = spy.song.map(\.key)
    #expect(keys == Array(Set(keys)).sorted() && (5...7).contains(keys.count - before))
    let after = spy.song.dropFirst(before + 1).map(\.frame)
    #expect(zip(after.dropFirst(), after).allSatisfy { abs($0 - $1 - 24_000) <= 1 })
    let line = spy.clock.line
    #expect(
      spy.song.suffix(3).allSatisfy { abs(line.beat(at: Int64($0.frame)).remainder(dividingBy: 1)) < 1e-4 })
    #expect(spy.held.count <= 1)
  }

  @Test(
    "A device takes the lead from a song, which goes on with it; when its clock is gone, at its last tempo")
  func deviceLeads() throws {
    let spy = try SongSpy(beats(200, tempos: [(0, 500_000)]))
    spy.press(60)
    spy.begin()
    spy.run(seconds: 2)
    spy.messages = pulses(2.1..<10, perMinute: 90)[...]
    while !spy.clock.isLedByDevice { spy.run(seconds: 0.05) }
    #expect(spy.now < 3 * 48_000)
    spy.change(to: .follows)
    spy.run(to: 10 * 48_000)
    let slow = spy.song.suffix(4).map(\.frame)
    #expect(zip(slow.dropFirst(), slow).allSatisfy { abs($0 - $1 - 32_000) < 40 })
    spy.player.send(.clockGone, source: 2)
    spy.run(seconds: 3)
    let fly = spy.song.suffix(4).map(\.frame)
    #expect(zip(fly.dropFirst(), fly).allSatisfy { abs($0 - $1 - 32_000) < 40 })
    #expect(spy.clock.leader == BeatClock.noLeader && spy.arp.suffix(4).map(\.frame) == fly)
    // It takes the lead where it is, with the tempo that it has there.
    spy.change(to: .leads)
    let keys = spy.song.count
    spy.run(seconds: 2.05)
    #expect(spy.clock.isLedBySong && spy.song.suffix(4).map(\.frame) == spy.arp.suffix(4).map(\.frame))
    let own = spy.song.suffix(3).map(\.frame)
    #expect(zip(own.dropFirst(), own).allSatisfy { $0 - $1 == 24_000 } && spy.song.count > keys)
    #expect(zip(spy.song.dropFirst(), spy.song).allSatisfy { $0.key == $1.key + 1 || $0.key == 36 })
  }

  @Test("A song that is made to follow before it has begun takes no lead, and begins with the next beat")
  func madeToFollow() throws {
    let spy = try SongSpy(beats(20), [("/tempo", 90)])
    spy.run(seconds: 0.5)
    spy.begin()
    spy.change(to: .follows)
    spy.run(seconds: 3)
    #expect(spy.clock.leader == BeatClock.noLeader && spy.clock.line.jumps == 0)
    #expect(spy.clock.line.perSecond == 1.5)
    #expect(spy.song.first == SongSpy.Stroke(frame: 32_000, key: 36))
    #expect(spy.song.map(\.frame).prefix(3) == [32_000, 64_000, 96_000])
  }

  @Test("A song takes the lead from no device")
  func priority() throws {
    let spy = try SongSpy(beats(20))
    spy.player.send(.clockTempo, source: 2, value: 77)
    spy.run(seconds: 0.1)
    spy.begin()
    spy.run(seconds: 0.5)
    #expect(spy.clock.leader == 2 && spy.clock.line.perSecond == Float(77) / 60)
  }

  @Test("A song without beats goes by itself")
  func film() throws {
    var bytes = beats(20)
    (bytes[12], bytes[13]) = (231, 40)
    let spy = try SongSpy(bytes, [("/tempo", 90)])
    spy.run(seconds: 0.1)
    #expect(!spy.course.playback.hasBeats)
    spy.begin(at: 0, .free)
    spy.run(seconds: 1)
    // 96 ticks of a millisecond.
    #expect(zip(spy.song.dropFirst(), spy.song).allSatisfy { abs($0.frame - $1.frame - 4_608) <= 1 })
    #expect(spy.song.count > 8 && spy.clock.leader == BeatClock.noLeader)
    #expect(spy.clock.line.perSecond == 1.5)
  }
}
