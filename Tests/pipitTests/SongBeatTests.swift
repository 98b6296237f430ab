import MIDI
import Scratch
import Song
import System
import Testing
@testable import Playback
@testable import Scenes
@testable import Synth

/// A song that leads the beat line: arpeggios and it are together, to the frame.
@Suite("A song that leads the beat") struct SongBeatTests {
  /// Tempos that change on beats, between them, and at a bar.
  private static let tempos: [(beat: Double, microseconds: Int)] = [
    (0, 487_804), (3.5, 612_345), (8, 333_333), (10.75, 1_001_001), (12, 487_804), (20.03125, 500_000),
  ]

  @Test("A song that is about to begin has its own tempo until it has begun, whatever is asked meanwhile")
  func tempoBeforeItsBeginning() throws {
    let spy = try SongSpy(beats(8))
    spy.begin()
    var sent: [Event] = []
    spy.course.play(at: 2, isOn: true, frame: Int64(spy.now)) { sent.append($0) }
    #expect(sent.isEmpty && spy.course.multiple == 1)
    spy.multiple = 2
    spy.run(seconds: 1)
    #expect(spy.course.multiple == 2 && spy.shown == 240)
  }

  @Test(
    "A step on a beat is at the same frame as a note on it, through changes of tempo and whatever the blocks",
    arguments: [32, 128, 1_000, 4_096])
  func together(turn: Int) throws {
    let spy = try SongSpy(beats(32, tempos: Self.tempos), turn: turn)
    spy.press(60)
    spy.begin()
    spy.run(seconds: 16)
    #expect(spy.song.count >= 28 && spy.clock.isLedBySong)
    #expect(spy.song.map(\.key) == (0..<spy.song.count).map { 36 + $0 })
    let first = try #require(spy.song.first?.frame)
    let steps = spy.arp.map(\.frame).filter { $0 >= first }
    #expect(steps.count == spy.song.count && steps == spy.song.map(\.frame))
    // Its line and that of the engine are one.
    for beat in stride(from: 0.0, to: 32, by: 0.37) {
      #expect(spy.course.frame(of: beat) == spy.clock.line.frame(of: beat))
    }
    // The time of each beat is that of the tempo map.
    for (beat, stroke) in spy.song.enumerated() {
      let seconds = spy.course.playback.seconds(at: Double(beat))
      #expect(abs(Double(stroke.frame - first) - seconds * 48_000) < 6, "\(beat)")
    }
  }

  /// The sizes of the groups of steps that begin with the lowest key.
  private func groups(_ keys: [Int]) -> [Int] {
    keys.split(separator: 60, omittingEmptySubsequences: false).dropFirst().map { $0.count + 1 }
  }

  @Test(
    "The order of an arpeggio begins with each bar of the song, through changes, a seek and a loop, led or followed",
    arguments: [false, true])
  func bars(follows: Bool) throws {
    let timing: SongCourse.Timing = follows ? .follows : .leads
    let signatures: [(beat: Double, beats: UInt8, power: UInt8)] = [(0, 3, 2), (6, 7, 3), (13, 5, 2)]
    let spy = try SongSpy(beats(23, signatures: signatures), [("/arp/retrigger", 2), ("/arp/sync", 12)])
    for key in stride(from: 60, through: 82, by: 2) { spy.press(key) }
    spy.run(seconds: 0.3)
    func keys(from beat: Double, to end: Double) -> [Int] {
      let (first, last) = (Int(spy.course.frame(of: beat)), Int(spy.course.frame(of: end)))
      spy.run(to: last)
      return spy.arp.filter { $0.frame >= first && $0.frame < last }.map(\.key)
    }
    spy.begin(timing)
    spy.run(seconds: 0.1)
    #expect(groups(keys(from: 0, to: 22.9)) == [6, 6, 7, 7, 10, 10])
    for (beat, bar) in [(0.0, 1), (6, 3), (12.9, 4), (13, 5), (18, 6)] {
      #expect(spy.course.bar(atLine: beat + spy.course.shift) == bar)
    }
    // Into the second eighth of the first bar of 7/8.
    spy.stop(transport: false)
    spy.begin(at: 6.5, timing)
    spy.run(seconds: 0.1)
    #expect(groups(keys(from: 9.5, to: 22.9)) == [7, 10, 10])
    spy.stop(transport: false)
    spy.course.loops = true
    spy.begin(at: 22, timing)
    spy.run(seconds: 1.2)
    #expect(groups(keys(from: 0, to: 12.9)) == [6, 6, 7, 7])
    spy.stop()
    spy.run(seconds: 0.1)
    #expect(!spy.clock.hasMeter)
  }

  @Test("What is heard does not depend on the blocks")
  func blocks() throws {
    func sound(_ turn: Int, _ block: Int) throws -> [Float] {
      let spy = try SongSpy(beats(8, tempos: Self.tempos), [("/arp/sync", 15)], turn: turn)
      spy.press(60, 67)
      spy.course.begin(at: 0, frame: 9_600, .leads, spy.clock, now: 0) { spy.player.link.control.push($0) }
      while spy.player.left.count < 96_000 {
        let frame = Int64(spy.now + 9_000)
        spy.course.synchronize(with: spy.clock, frame: frame, .leads, rate: 48_000) { _ in }
        _ = spy.course.play(to: frame, most: 64) { event in
          if !event.kind.isForControl { spy.player.link.control.push(event) }
        }
        spy.player.play(turn, block: block)
      }
      return Array(spy.player.left[..<96_000])
    }
    let whole = try sound(4_096, 4_096)
    #expect(whole.contains { abs($0) > 0.01 })
    for (turn, block) in [(64, 64), (480, 480), (1_000, 37)] { #expect(try sound(turn, block) == whole) }
  }

  @Test(
    "A seek ends the sounding step and the sounding note once, and the next due ones follow without a burst")
  func seek() throws {
    let spy = try SongSpy(beats(40), [("/arp/gate", 0.9)])
    spy.press(60)
    spy.begin()
    spy.run(seconds: 2.1)
    #expect(spy.held.contains(60) && spy.held.count == 2)
    let (before, steps) = (spy.song.count, spy.arp.count)
    #expect(spy.stop(transport: false) > 4)
    spy.begin(at: 20.5)
    spy.run(seconds: 0.02)
    #expect(spy.held == [60])
    spy.run(seconds: 0.9)
    #expect(spy.song.dropFirst(before).map(\.key) == [36 + 21, 36 + 22])
    // Until the line has jumped, no step is due; behind it, each is together with a note.
    #expect(spy.arp.dropFirst(steps).map(\.frame) == spy.song.dropFirst(before).map(\.frame))
    #expect(abs(spy.clock.line.beat(at: Int64(spy.now)) - 22.3) < 0.2 && spy.clock.isRunning)
  }

  @Test(
    "A loop goes on at its beginning, with steps and notes together at each wrap", arguments: [64, 1_024])
  func loop(turn: Int) throws {
    let spy = try SongSpy(beats(4, tempos: [(0, 400_000), (2.25, 300_000)]), turn: turn)
    spy.press(60)
    spy.course.loops = true
    spy.begin()
    spy.run(seconds: 8)
    #expect(spy.song.count >= 20 && spy.song.map(\.key) == (0..<spy.song.count).map { 36 + $0 % 4 })
    let first = spy.song[0].frame
    #expect(spy.arp.map(\.frame).filter { $0 >= first } == spy.song.map(\.frame))
    // Two and a quarter beats of 0.4 s and one and three quarters of 0.3 s.
    for wrap in 1..<5 { #expect(abs(spy.song[4 * wrap].frame - first - wrap * 68_400) <= wrap * 2) }
    #expect(!spy.course.hasEnded(at: Int64(spy.now)))
  }

  /// Four beats that lead in, four that are repeated, and two that a loop never reaches.
  @Test("A loop between loop points is repeated after what leads to it", arguments: [true, false])
  func loopPoints(leads: Bool) throws {
    let points: [(beat: Double, bytes: [UInt8])] = [(4, [0xB1, 116, 0]), (8, [0xB1, 117, 127])]
    let spy = try SongSpy(beats(10, others: points))
    spy.press(60)
    spy.course.loops = true
    spy.begin(at: 0, leads ? .leads : .follows)
    spy.run(seconds: 10)
    let keys = spy.song.map { $0.key - 36 }
    #expect(keys.count >= 16 && keys == (0..<keys.count).map { $0 < 4 ? $0 : 4 + $0 % 4 })
    for (one, next) in zip(spy.song, spy.song.dropFirst()) {
      #expect(abs(next.frame - one.frame - 24_000) <= 1)
    }
    // Without the loop the song goes on to its end.
    spy.course.loops = false
    spy.run(seconds: 6)
    #expect(spy.song.suffix(2).map { $0.key - 36 } == [8, 9])
  }

  @Test("At each wrap of a loop all that the song has held or turned ends, before it begins anew")
  func wraps() throws {
    var course = SongCourse(SongPlayback(try Song(beats(4)), source: UInt8(Limits.songSource)))
    course.loops = true
    var sent: [Event] = []
    course.begin(at: 0, frame: 960, .leads, BeatClock(rate: 48_000), now: 0) { sent.append($0) }
    #expect(course.play(to: 200_000, most: 512) { sent.append($0) })
    let ends = sent.indices.filter { sent[$0].kind == .sourceGone }
    #expect(ends.count == 2)
    for (end, wrap) in zip(ends, 1...) {
      #expect(abs(sent[end].frame - 960 - Int64(wrap) * 96_000) <= 1)
      #expect(sent[(end + 1)...].first { $0.kind == .noteOn }?.note == 36)
    }
  }

  @Test("A stop pauses what is latched and ends the notes; the song goes on where it stood")
  func stop() throws {
    let spy = try SongSpy(beats(40), [("/arp/latch", 1)])
    spy.press(60)
    spy.begin()
    spy.run(seconds: 1)
    spy.lift(60)
    spy.run(seconds: 0.6)
    let (notes, steps) = (spy.song.count, spy.arp.count)
    #expect(notes == 4 && steps >= 4)
    let beat = spy.stop()
    spy.run(seconds: 2)
    #expect(spy.held.isEmpty && spy.song.count == notes && spy.arp.count == steps)
    #expect(!spy.clock.isRunning && spy.clock.leader == BeatClock.noLeader)
    spy.begin(at: beat)
    spy.run(seconds: 1)
    #expect(spy.clock.isRunning && spy.song.dropFirst(notes).map(\.key) == [40, 41])
    #expect(spy.arp.dropFirst(steps).map(\.frame) == spy.song.dropFirst(notes).map(\.frame))
  }

  @Test("Its tempos are shown, and stay when it has stopped")
  func shown() throws {
    let spy = try SongSpy(beats(8, tempos: [(0, 500_000), (2, 400_000)]))
    spy.begin()
    spy.run(seconds: 2)
    #expect(spy.commands.filter { $0.kind == .tempo }.map(\.value) == [120, 120, 150])
    spy.stop()
    spy.run(seconds: 0.1)
    #expect(spy.clock.line.perSecond == 2.5)
  }

  @Test("A knob of the tempo that is moved while it leads is set back within a beat")
  func knob() throws {
    let spy = try SongSpy(beats(20, tempos: [(0, 500_000), (4, 150_000)]))
    spy.begin()
    spy.run(seconds: 1.1)
    spy.show(tempo: 140)
    spy.run(seconds: 0.6)
    #expect(spy.shown == 120 && spy.clock.line.perSecond == 2)
    // It is where it was: nothing more is said.
    let said = spy.commands.count
    spy.run(seconds: 0.3)
    #expect(spy.commands.count == said)
    // Faster than the knob goes.
    spy.run(seconds: 1)
    #expect(spy.shown == 300 && abs(spy.clock.line.perSecond - 400.0 / 60) < 1e-4)
    spy.stop()
    spy.run(seconds: 0.1)
    #expect(spy.clock.line.perSecond == 5)
  }

  @Test("A stop before it has begun leaves the transport alone; one right after a seek stops it")
  func soon() throws {
    let spy = try SongSpy(beats(20))
    spy.run(seconds: 0.1)
    spy.begin()
    spy.stop()
    spy.run(seconds: 0.1)
    #expect(spy.clock.isRunning && spy.song.isEmpty)
    spy.begin()
    spy.run(seconds: 1)
    spy.stop(transport: false)
    spy.run(seconds: 0.1)
    #expect(spy.clock.isRunning)
    spy.begin(at: 8)
    spy.stop()
    spy.run(seconds: 0.1)
    #expect(!spy.clock.isRunning)
  }

  @Test("A change of tempo that a correction of the line leaves out counts")
  func leftOut() throws {
    let spy = try SongSpy(beats(20, tempos: [(0, 250_000), (4, 4_000_000), (4.25, 500_000)]))
    spy.begin()
    while spy.song.count < 4 { spy.run(to: spy.now + 128) }
    // The control thread stands still until a tenth of a second after the first change: the engine is 0.4 beats ahead.
    let change = Int(spy.course.frame(of: 4))
    spy.run(to: change - 400)
    spy.player.play(5_200, block: 128)
    spy.run(seconds: 1)
    #expect(spy.clock.line.perSecond == 2 && spy.shown == 120)
    spy.run(seconds: 2)
    let notes = spy.song.suffix(3).map(\.frame)
    #expect(zip(notes.dropFirst(), notes).allSatisfy { $0 - $1 == 24_000 })
  }

  @Test("Too late a word to the engine is found out, and both are together again")
  func late() throws {
    let spy = try SongSpy(beats(40, tempos: [(0, 500_000), (4, 250_000)]))
    spy.press(60)
    spy.begin()
    // A tenth of a second without the control thread, over the change of tempo.
    while spy.song.count < 4 { spy.run(to: spy.now + 128) }
    spy.run(seconds: 0.45)
    spy.player.play(4_800, block: 128)
    spy.run(seconds: 4)
    let late = spy.arp.suffix(8).map(\.frame)
    #expect(late == spy.song.suffix(8).map(\.frame))
  }

  @Test("An engine that has forgotten the song is led again")
  func again() throws {
    let spy = try SongSpy(beats(60))
    spy.press(60)
    spy.begin()
    spy.run(seconds: 2)
    spy.player.engine.pointee.parts.ensemble.renderer.beatClock = BeatClock(rate: 48_000)
    spy.run(seconds: 1)
    #expect(spy.clock.isLedBySong)
    let before = spy.song.count
    spy.run(seconds: 2)
    #expect(spy.song.count - before == 4)
    #expect(spy.arp.suffix(4).map(\.frame) == spy.song.suffix(4).map(\.frame))
  }

  @Test("A held chord is arpeggiated in the time of the demo song tide: with each kick there is a step")
  func tide() throws {
    let folder = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let spy = try SongSpy(
      readFile(folder + "/presets/songs/tide.mid", limit: 1 << 20), [("/arp/sync", 15)], turn: 256)
    spy.press(57, 60, 64)
    spy.begin()
    spy.run(seconds: 53)
    let steps = Set(spy.arp.map(\.frame))
    #expect(spy.song.count > 80 && spy.arp.count > 4 * 90)
    #expect(spy.song.allSatisfy { steps.contains($0.frame) })
  }
}
