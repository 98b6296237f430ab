import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// When the engine plays an event: at its frame, in the order of the frames, whichever ring it came by.
@Suite("Timing of events") struct EventTimeTests {
  private static let short = Scene.with([("/amp/release", 0.005)])

  private static func push(_ player: Player, _ event: Event, byMIDI: Bool) {
    _ = byMIDI ? player.link.midi.push(event) : player.link.control.push(event)
  }

  @Test(
    "An event stamped with a frame gives the same bits as one sent unstamped at that frame",
    arguments: [Event.Kind.noteOn, .noteOff, .bend, .allSoundOff], [0, 1, 15, 16, 17, 63, 64, 100])
  func stampedEvent(_ kind: Event.Kind, _ frame: Int) {
    func render(stamped: Bool, byMIDI: Bool) -> [UInt32] {
      let player = Player(.with([("/osc/1/wave", 2), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001)]))
      let source = UInt8(byMIDI ? 0 : Limits.surfaceSources)
      func send(_ kind: Event.Kind, _ note: UInt8, at frame: Int, _ value: Float) {
        let event = Event(
          frame: Int64(frame), kind: kind, source: source, target: Event.part(0), note: note, value: value)
        Self.push(player, event, byMIDI: byMIDI)
      }
      send(.noteOn, 45, at: 0, 0.8)
      player.play(640)
      let note: UInt8 = kind == .noteOff ? 45 : 64
      if stamped { send(kind, note, at: 640 + frame, 0.7) }
      player.play(frame, block: 128)
      if !stamped { send(kind, note, at: 0, 0.7) }
      player.play(1_280 - frame, block: 128)
      return player.left.bits
    }
    for byMIDI in [true, false] {
      #expect(isSame(render(stamped: true, byMIDI: byMIDI), render(stamped: false, byMIDI: byMIDI)))
    }
  }

  @Test(
    "A note in one event ring does not wait for a later event in the other ring",
    arguments: [true, false])
  func earlierRing(_ byMIDI: Bool) {
    let player = Player(Self.short)
    Self.push(player, Event(frame: 4_000, kind: .wheel), byMIDI: byMIDI)
    Self.push(player, Event(frame: 100, kind: .noteOn, note: 60, value: 1), byMIDI: !byMIDI)
    player.play(101)
    #expect(player.voices == 1)
  }

  @Test("Within one frame MIDI events come before control events: a panic ends the note") func midiFirst() {
    let player = Player(Self.short)
    player.press(60, at: 100)
    player.link.control.push(Event(frame: 100, kind: .panic))
    player.play(101)
    #expect(player.voices == 0)
  }

  @Test("The late-key meter holds the largest lateness of a stamped note-on, here 50 frames")
  func lateKeys() {
    let player = Player(Self.short)
    player.play(1_000)
    player.press(60)
    player.press(62, at: 1_000)
    player.link.control.push(Event(frame: 10, kind: .wheel))
    player.play(64)
    #expect(player.link.meters[.lateKey] == 0)
    player.press(64, at: 1_014)
    player.play(64)
    #expect(player.link.meters[.lateKey] == 50)
    player.press(65, at: 1_120)
    player.play(64)
    #expect(player.link.meters[.lateKey] == 50)
  }

  @Test(
    "An overrun of one event ring releases the notes of all its sources, and of no others",
    arguments: [true, false])
  func overrunSources(_ byMIDI: Bool) {
    let player = Player(Self.short)
    let sources = [0, Limits.surfaceSources - 1, Limits.surfaceSources, Limits.sources - 1]
    for source in sources {
      let event = Event(
        frame: 0, kind: .noteOn, source: UInt8(source), target: Event.part(0), note: 60, value: 1)
      Self.push(player, event, byMIDI: source < Limits.surfaceSources)
    }
    player.play(64)
    #expect(player.voices == 4)
    for _ in 0...Limits.ringEvents {
      let source = byMIDI ? 3 : Limits.surfaceSources + 3
      Self.push(player, Event(frame: 0, kind: .wheel, source: UInt8(source)), byMIDI: byMIDI)
    }
    player.play(3_000)
    let left = Set(player.voiceNumbers.map { Int(player.engine.note($0).source) })
    #expect(left == Set(sources.filter { ($0 < Limits.surfaceSources) != byMIDI }))
  }

  @Test("A song whose end was lost in an overrun no longer leads the beat clock") func overrunOfSong() {
    let player = Player(Self.short)
    let song = UInt8(Limits.songSource)
    Self.push(player, Event(frame: 0, kind: .clockTempo, source: song, value: 100), byMIDI: false)
    player.play(64)
    #expect(player.link.beatClock.now.isLedBySong)
    for _ in 0..<Limits.ringEvents {
      Self.push(player, Event(frame: 0, kind: .wheel, source: song), byMIDI: false)
    }
    let isSent = player.link.control.push(Event(frame: 0, kind: .sourceGone, source: song))
    player.play(3_000)
    #expect(!isSent && player.link.beatClock.now.leader == BeatClock.noLeader)
  }

  @Test("A moment before or after the clock's last update maps to a frame with its fraction dropped")
  func momentToFrame() {
    let clock = Clock()
    defer { clock.deallocate() }
    for (rate, frame) in [(48_000.0, 20_833.4), (44_100, 22_675.7), (22_050, 45_351.5)] {
      clock.publish(frame: 1_000, nanoseconds: 0, latency: 64, rate: rate)
      #expect(clock.rate == Int(rate))
      for frames in -3...3 {
        for part in [0.1, 0.5, 0.9] {
          let away = Double(frames.magnitude) + part
          let moment = Int64((frames < 0 ? -away : away) * frame)
          #expect(clock.frame(at: moment) == Int64(1_064 + frames), "\(frames), \(part), \(rate)")
        }
      }
    }
  }
}
