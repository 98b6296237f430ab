import Presets
import Scenes
import Synth
import Testing
@testable import Control
@testable import Surface

@Suite("The clock on a tablet") struct ClockNodeTests {
  @Test("A tablet is told each beat once, on the beat, and each bar")
  func beats() {
    let stand = Stand()
    stand.player.say("/click/beats/value", 3)
    stand.player.say("/clock/start", 1)
    _ = stand.play(20)
    stand.player.forget()
    var changes = 0
    stand.player.control.listen { if $0 == .beat { changes += 1 } }
    let beats = stand.play(300)
    #expect(beats.map(\.value) == [2, 3, 1, 2, 3, 1].map { .int($0) })
    for (one, next) in zip(beats, beats.dropFirst()) { #expect(abs(next.at - one.at - 50) <= 5, "\(beats)") }
    #expect(stand.player.shown["/beat/bar"] == .int(3) && changes == 6)
  }

  @Test("The beats and bars of a song are those of its time signature")
  func meter() {
    let stand = Stand()
    let song = UInt8(Limits.songSource)
    stand.player.control.clock.songBar = { Int($0 / 3) + 7 }
    let events: [Event] = [
      Event(frame: 0, kind: .clockTempo, source: song, value: 120),
      .clock(.clockStart, beat: 0, source: song, frame: 0),
      Meter(beats: 6, power: 3).event(source: song, frame: 0),
    ]
    for event in events { stand.link.control.push(event) }
    _ = stand.play(20)
    stand.player.forget()
    let beats = stand.play(200)
    #expect(beats.map(\.value) == [2, 3, 4, 5, 6, 1, 2, 3].map { .int($0) })
    for (one, next) in zip(beats, beats.dropFirst()) { #expect(abs(next.at - one.at - 25) <= 5, "\(beats)") }
    #expect(stand.player.shown["/beat/bar"] == .int(8))
    stand.link.control.push(Event(frame: 0, kind: .sourceGone, source: song))
    stand.player.say("/click/on", 1)
    _ = stand.play(20)
    stand.player.forget()
    #expect(stand.play(200).map(\.value) == [2, 3, 4, 1].map { .int($0) })
  }

  @Test("Stop and continue are shown, and nothing is told while nothing runs")
  func stop() {
    let stand = Stand()
    stand.player.say("/clock/start", 1)
    _ = stand.play(30)
    stand.player.say("/clock/stop", 1)
    _ = stand.play(20)
    #expect(stand.player.shown["/clock/running"] == .int(0) && stand.player.shown["/beat"] == .int(0))
    stand.player.forget()
    #expect(stand.play(200).isEmpty && stand.player.shown["/beat/bar"] == nil)
    stand.player.say("/clock/continue", 1)
    #expect(stand.play(70).isEmpty == false && stand.player.shown["/clock/running"] == .int(1))
  }

  @Test("While nothing goes by the beat, nothing is told of it; an arpeggiator goes by it")
  func rest() {
    let stand = Stand()
    _ = stand.play(30)
    stand.player.forget()
    #expect(stand.play(200).isEmpty && stand.player.shown["/beat"] == nil)
    stand.player.say("/arp/on", 1)
    #expect(stand.play(120).count >= 2)
  }

  @Test("A start counts the bars in, which are bar 0")
  func countIn() {
    let stand = Stand()
    stand.player.say("/click/count-in/value", 1)
    stand.player.say("/click/beats/value", 2)
    _ = stand.play(3)
    stand.player.say("/clock/start", 1)
    _ = stand.play(50)
    #expect(stand.player["/beat/bar"] == .int(0) && stand.player["/clock/running"] == .int(0))
    #expect(!stand.link.beatClock.now.isRunning && stand.link.beatClock.now.countIn == 2)
    _ = stand.play(80)
    #expect(stand.player["/beat/bar"] == .int(1) && stand.player["/clock/running"] == .int(1))
  }

  @Test("While a device's clock leads, the own transport is refused with a notice")
  func leader() {
    let stand = Stand()
    stand.link.midi.push(Event(frame: 0, kind: .clockTempo, source: 3, value: 120))
    _ = stand.play(2)
    for address in ["/clock/stop", "/clock/start", "/clock/continue"] {
      stand.player.say(address, 1)
      #expect(stand.player.control.notices.shown.hasPrefix("a device's clock leads"), "\(address)")
      #expect(stand.link.control.peek() == nil)
    }
  }

  @Test("The beat is on the last tap, and a bounce is none")
  func tap() {
    let stand = Stand()
    _ = stand.play(20)
    for _ in 0..<4 {
      stand.player.say("/tempo/tap", 1)
      _ = stand.play(12)
      stand.player.say("/tempo/tap", 1)
      _ = stand.play(58)
    }
    let tapped = stand.link.clock.frame(at: stand.player.now - 720_000_000)
    stand.player.say("/tempo/tap", 1)
    let frame = stand.link.clock.frame(at: stand.player.now)
    _ = stand.play(100)
    let line = stand.link.beatClock.now.line
    #expect(frame - tapped > 30_000)
    let away = line.beat(at: frame + 48_000) - 48_000 * Double(line.perSecond) / 48_000
    #expect(abs(away - away.rounded()) < 0.01, "\(away)")
  }

  @Test("Without a tablet nobody looks at the beat")
  func nobody() {
    let control = Instrument(
      link: Link(.initial), library: Library(database: nil, factory: nil, log: { _ in }), log: { _ in })
    control.link.clock.publish(frame: 0, nanoseconds: 0, latency: 64, rate: 48_000)
    #expect(control.clock.update(1_000) == nil && control.clock.beat == 0)
    control.clock.isWatched = { true }
    control.clock.start(at: 0)
    #expect(control.clock.update(1_000) != nil && control.clock.beat == 1)
  }
}
