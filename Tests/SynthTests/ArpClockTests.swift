import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// Arpeggios by a clock: rules C, N and O. A sixteenth has 6,000 frames.
@Suite("Arpeggios under a MIDI clock") struct ArpClockTests {
  private func spy(_ knobs: [(String, Float)] = []) -> ArpSpy {
    let spy = ArpSpy([("/arp/sync", 15)] + knobs)
    spy.player.send(.clockTempo, source: 3, value: 120)
    spy.run(1)
    return spy
  }

  @Test("A key pressed between two steps starts its arpeggio on the next step of the clock") func nextStep() {
    let spy = spy()
    spy.run(to: 8_000)
    spy.press(60)
    spy.run(to: 18_001)
    #expect(spy.frames == [12_000, 18_000])
  }

  @Test("A key up to 30 ms after a step plays at once, a later key on the next step") func lateKey() {
    let late = Int(Limits.lateKeySeconds * 48_000)
    for (delay, first) in [(late, 6_000 + late), (late + 1, 12_000)] {
      let spy = spy()
      spy.run(to: 6_000 + delay)
      spy.press(60)
      spy.run(to: 12_001)
      #expect(spy.frames == (first == 12_000 ? [12_000] : [first, 12_000]))
      // A key that comes again does not play the step again.
      spy.lift(60)
      spy.run(to: 12_400)
      spy.press(62)
      spy.run(to: 18_001)
      #expect(spy.frames.suffix(2) == [12_000, 18_000])
    }
  }

  @Test("With start on beat, even a slightly late key waits for the next step") func beatStart() {
    for leads in [false, true] {
      let spy = ArpSpy([("/arp/sync", 15), ("/arp/start", 1)])
      if leads { spy.player.send(.clockTempo, value: 120) }
      spy.run(to: 6_100)
      spy.press(60)
      spy.run(to: 12_001)
      #expect(spy.frames == [12_000])
    }
  }

  @Test("A clock start plays a step on its first pulse and restarts the note order") func startPulse() {
    for key in [0, 1] as [Float] {
      let spy = spy([("/arp/start", key)])
      spy.run(to: 7_000)
      spy.press(60, 64)
      spy.run(to: 12_500)
      spy.player.link.midi.push(Event.clock(.clockStart, beat: 0, source: 3, frame: 13_777))
      spy.run(to: 19_778)
      #expect(spy.strokes.suffix(2).map(\.key) == [60, 64] && spy.strokes.count == (key == 0 ? 4 : 3))
      #expect(spy.engine.beatLine.beat(at: 19_777) == 0.25)
    }
  }

  @Test("A clock stop pauses a latched arpeggio, but not an arpeggio with held keys") func latchedStop() {
    let spy = spy([("/arp/latch", 1)])
    spy.press(60)
    spy.run(to: 7_000)
    spy.lift(60)
    spy.player.send(.clockStop, source: 3)
    spy.run(to: 25_000)
    #expect(spy.frames == [1, 6_000] && spy.held.isEmpty)
    spy.player.send(.clockContinue, source: 3)
    spy.run(to: 36_500)
    #expect(spy.frames == [1, 6_000, 30_000, 36_000])
    spy.player.send(.clockStop, source: 3)
    spy.press(64)
    spy.run(to: 48_500)
    #expect(spy.frames.suffix(2) == [42_000, 48_000], "held keys go on")
  }

  @Test("When the clock is lost, an arpeggio goes on at the last tempo of the clock") func lostClock() {
    let spy = spy([("/tempo", 90)])
    spy.press(60)
    spy.run(to: 7_000)
    spy.player.send(.clockGone, source: 3)
    spy.run(to: 30_001)
    #expect(spy.frames == [1, 6_000, 12_000, 18_000, 24_000, 30_000])
  }

  @Test(
    "A jump of the clock to another beat ends the sounding step and causes no burst of notes",
    arguments: [3.03, 800, 0.0] as [Double])
  func beatJump(beat: Double) {
    let spy = spy([("/arp/gate", 0.9)])
    spy.press(60, 64)
    spy.run(to: 31_000)
    let before = spy.strokes.count
    spy.player.link.midi.push(Event.clock(.clockBeat, beat: beat, source: 3, frame: 31_000))
    spy.run(to: 31_001)
    #expect(spy.held.isEmpty == (beat != 0) || spy.strokes.count == before + 1)
    spy.run(to: 31_000 + 24_000)
    #expect((4...5).contains(spy.strokes.count - before))
    let distances = zip(spy.frames.dropFirst(), spy.frames).map { $0 - $1 }
    #expect(distances.suffix(3).allSatisfy { $0 == 6_000 })
  }

  @Test("A jump of the clock back to beat 0 ends the last note of a released key") func jumpBack() {
    let spy = spy([("/arp/gate", 0.9)])
    spy.run(to: 240_100)
    spy.press(60)
    spy.run(to: 240_200)
    spy.lift(60)
    spy.run(to: 240_300)
    #expect(spy.held == [60])
    spy.player.link.midi.push(Event.clock(.clockStart, beat: 0, source: 3, frame: 0))
    spy.run(2)
    #expect(spy.held.isEmpty)
  }

  @Test("Two parts that start on the beat with the same step length play on the same frames")
  func equalSteps() {
    let spy = ArpSpy([("/arp/sync", 16), ("/arp/start", 1)])
    spy.edit { scene in
      scene[1] = scene[0]
      (scene[0].strip.channel, scene[1].strip.channel) = (1, 2)
    }
    spy.press(60)
    spy.run(to: 5_555)
    spy.press(72, target: 1)
    spy.run(to: 100_000)
    let (one, two) = (spy.strokes.filter { $0.part == 0 }, spy.strokes.filter { $0.part == 1 })
    #expect(two.count > 20 && one.map(\.frame).suffix(two.count) == two.map(\.frame)[...])
  }

  /// A clock at 120 beats a minute with ±2 ms of jitter, through the events of beats that a follower would send.
  @Test("A clock with 2 ms of jitter neither doubles nor skips a step") func jitteryClock() {
    let spy = spy([("/arp/gate", 0.3)])
    var random = SeededRandom(7)
    spy.press(60)
    for beat in 1...40 {
      let frame = Int64(beat * 24_000 + Int.random(in: -96...96, using: &random))
      spy.player.link.midi.push(Event.clock(.clockBeat, beat: Double(beat), source: 3, frame: frame))
    }
    spy.run(to: 41 * 24_000 - 3_000)
    let frames = spy.frames.dropFirst()
    #expect(frames.count == 163)
    for (step, frame) in zip(1..., frames) { #expect(abs(frame - step * 6_000) <= 200) }
  }
}
