import Scenes
import System
import Testing
@testable import Control
@testable import Surface

/// What hands on a tablet play.
struct PlayNodeTests {
  private let second: Int64 = 1_000_000_000

  @Test(
    "A wheel or a pedal that a tablet vanished with comes to rest: the expression pedal up, all others down")
  func rests() {
    let player = Player()
    for (address, value) in [
      ("/expression", 0.3), ("/wheel", 0.4), ("/bend", -0.5), ("/pressure", 0.6), ("/sustain", 1),
    ] as [(String, Double)] { player.say(address, value) }
    player.say("/hold", 5)
    _ = player.played()
    _ = player.harness.surface.expire(player.now + 5 * second)
    let rested = player.played().filter { $0.kind != .sourceGone }
    let values = Dictionary(rested.map { ($0.kind, $0.value) }) { $1 }
    #expect(values == [.expression: 1, .wheel: 0, .bend: 0, .pressure: 0, .sustain: 0])
    #expect(rested.count == 5 && rested.allSatisfy { $0.target == Event.part(0) })
  }

  @Test("What was at rest when a tablet vanished is left alone")
  func atRest() {
    let player = Player()
    for (address, value) in [("/expression", 1), ("/wheel", 0), ("/sustain", 0.4)] as [(String, Double)] {
      player.say(address, value)
    }
    player.say("/hold", 5)
    _ = player.played()
    _ = player.harness.surface.expire(player.now + 5 * second)
    #expect(player.played().map(\.kind) == [.sourceGone])
  }

  @Test("A pedal that comes up past its middle is let go where it was pressed")
  func half() {
    let player = Player()
    player.say("/sustain", 1)
    player.say("/focus", 2)
    _ = player.played()
    player.say("/sustain", 0.3)
    #expect(player.played().map(\.target) == [Event.part(0), Event.part(1)])
    player.say("/sustain", 0.3)
    #expect(player.played().map(\.target) == [Event.part(1)])
  }

  @Test("A finger beyond the plane plays its edge")
  func plane() {
    let player = Player()
    for (x, y, key, bend, gain) in [
      (-1, -1, 48, 0, 0), (0, 0.5, 48, 0, 0.5), (1, 1, 72, 0, 1), (3, 7, 72, 0, 1), (0.26, 1, 54, 0.24, 1),
    ] as [(Double, Double, UInt8, Float, Float)] {
      player.say("/play/xy", x, y, 1)
      let events = player.played()
      #expect(events.map(\.kind) == [.noteOn, .notePitch, .noteGain])
      #expect(events.allSatisfy { $0.note == key }, "\(x)")
      #expect(abs(events[1].value - bend) < 1e-4 && events[2].value == gain, "\(x) \(y)")
      player.say("/play/xy", x, y, 0)
      #expect(player.played().map(\.kind) == [.noteOff])
    }
  }

  @Test("A finger of a tablet that vanished starts a new note when the tablet comes again")
  func lostFinger() {
    let player = Player()
    player.say("/play/xy", 0, 1, 1)
    player.say("/hold", 5)
    _ = player.harness.surface.expire(player.now + 5 * second)
    #expect(player.played().last?.kind == .sourceGone)
    player.now += 60 * second
    player.say("/play/xy", 1, 1, 1)
    let events = player.played()
    #expect(events.map(\.kind) == [.noteOn, .notePitch, .noteGain] && events.allSatisfy { $0.note == 72 })
    // Without a word about the finger, silence is none.
    player.say("/play/xy", 1, 1, 0)
    player.say("/play/xy", 1, 0)
    #expect(player.played().map(\.kind) == [.noteOff])
  }

  @Test("A note of velocity 0 is its release, however it is sent")
  func releases() {
    let player = Player()
    player.say("/note/60", 0.5)
    player.say("/note/60", 0)
    player.say("/note", 61, 1)
    player.say("/note", 61, 0)
    player.say("/part/3/note/62", 1)
    player.say("/part/3/note/62", -1)
    let events = player.played()
    #expect(events.map(\.kind) == [.noteOn, .noteOff, .noteOn, .noteOff, .noteOn, .noteOff])
    #expect(events.map(\.note) == [60, 60, 61, 61, 62, 62])
    #expect(events.map(\.value) == [0.5, 0, 1, 0, 1, 0])
  }

  @Test("A panic lets go of everything: what comes up after it comes up where it is aimed at alone")
  func afterPanic() {
    let player = Player()
    player.say("/sustain", 1)
    player.say("/note/60", 1)
    player.say("/panic", 1)
    player.say("/focus", 2)
    _ = player.played()
    player.say("/sustain", 0)
    player.say("/note/60", 0)
    #expect(player.played().map(\.target) == [Event.part(1), Event.part(1)])
  }

  @Test("Who vanished holds nothing when it comes again")
  func newHands() {
    let player = Player()
    player.say("/wheel", 0.5)
    player.say("/note/60", 1)
    player.say("/hold", 5)
    _ = player.harness.surface.expire(player.now + 5 * second)
    #expect(player.harness.surface.expire(player.now + 6 * second) == nil)
    player.now += 60 * second
    player.say("/focus", 3)
    _ = player.played()
    player.say("/wheel", 0)
    player.say("/note/60", 0)
    #expect(player.played().map(\.target) == [Event.part(2), Event.part(2)])
  }

  @Test("A panic and every other button act on the press; its release and a doubled release do nothing")
  func presses() {
    let player = Player()
    player.say("/panic", 1)
    player.say("/panic", 0)
    player.say("/panic", 0)
    player.say("/panic", [])
    #expect(player.played().map(\.kind) == [.panic, .panic])
  }

  @Test("A tempo that is tapped is the median of the last taps, from 31 to 300 beats a minute")
  func taps() {
    for beats in [31, 60, 120, 174, 300] as [Double] {
      let player = Player()
      for tap in 0..<4 {
        player.now = second + Int64(Double(tap) * 60e9 / beats)
        player.say("/tempo/tap", 1)
        player.say("/tempo/tap", 0)
      }
      guard case .float(let told)? = player["/tempo/bpm"] else {
        Issue.record("no tempo")
        return
      }
      #expect(abs(told - Float(beats)) < 0.01 * Float(beats), "\(beats): \(told)")
    }
    // A new tempo is there with the third tap of it.
    let faster = Player()
    for moment in [0, 0.5, 1, 1.5, 2, 2.3, 2.6, 2.9] {
      faster.now = second + Int64(moment * 1e9)
      faster.say("/tempo/tap", 1)
    }
    guard case .float(let tempo)? = faster["/tempo/bpm"] else { return }
    #expect(abs(tempo - 200) < 2, "\(tempo)")
    // Two seconds of rest begin anew; a bounce is no tap.
    let player = Player()
    for moment in [0, 0.5, 2.6, 2.72] {
      player.now = second + Int64(moment * 1e9)
      player.say("/tempo/tap", 1)
    }
    #expect(player["/tempo/bpm"] == .float(120))
    player.now = second + 3_350_000_000
    player.say("/tempo/tap", 1)
    guard case .float(let told)? = player["/tempo/bpm"] else { return }
    #expect(abs(told - 80) < 1)
  }

  @Test("The tempo of a clock is shown")
  func clock() {
    let player = Player()
    player.control.take(Event(frame: 0, kind: .tempo, value: 97))
    #expect(player["/tempo/bpm"] == .float(97))
  }

  @Test("LAYER and SINGLE end a split that waits for its key; the release of a key is no stroke")
  func armed() {
    for address in ["/layer", "/single"] {
      let player = Player()
      player.say("/split", 1)
      #expect(player["/split/armed"] == .int(1))
      player.control.take(Event(frame: 0, kind: .noteOn, note: 60, value: 0))
      #expect(player["/split/armed"] == .int(1))
      player.say(address, 1)
      #expect(player["/split/armed"] == .int(0), "\(address)")
      player.control.take(Event(frame: 0, kind: .noteOn, note: 64, value: 1))
      #expect(player["/split/on"] == .int(0) && player["/layer/on"] == .int(address == "/layer" ? 1 : 0))
    }
  }

  @Test("A split switches both parts on for all velocities, and SINGLE leaves part 1 all keys and velocities")
  func shared() {
    let player = Player()
    player.say("/part/1/on", 0)
    player.say("/part/1/velocity/low", 0.5)
    player.say("/part/2/velocity/high", 0.5)
    player.say("/split/at", "C4")
    for part in 1...2 {
      #expect(player["/part/\(part)/on"] == .float(1))
      #expect(player["/part/\(part)/velocity/low/value"] == .float(1))
      #expect(player["/part/\(part)/velocity/high/value"] == .float(127))
    }
    player.say("/part/1/velocity/low", 0.5)
    player.say("/single", 1)
    #expect(
      player["/part/1/velocity/low/value"] == .float(1) && player["/part/1/key/high/key"] == .float(127))
    #expect(player["/part/2/on"] == .float(0) && player["/part/1/on"] == .float(1))
    // A part that is off is not played with another on its channel.
    player.say("/part/2/channel", 0)
    player.say("/note/60", 1)
    #expect(player.played().map(\.target) == [Event.part(0)])
  }

  @Test("The loop is woken when keys that are waited for are given up")
  func wake() {
    let player = Player()
    player.say("/part/2/velocity/learn", 1)
    let armed = player.now
    player.pass(milliseconds: 50)
    #expect(player.control.update(player.now + 20_000_000) == armed + 10 * second)
    _ = player.control.update(armed + 10 * second)
    #expect(player["/part/2/velocity/learn/armed"] == .int(0))
  }
}
