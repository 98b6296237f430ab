import Testing
@testable import Scenes
@testable import Synth

/// What happens to steps that sound while their grid changes under them.
@Suite("Sounding arpeggio steps while their grid changes") struct ArpEdgeTests {
  @Test("A tied note ends even if the step length changes from a note length to a rate") func tiedStep() {
    // Steps of an eighth at 120 beats a minute, then of 2,000 frames.
    let ties = (2...16).map { ("/arp/step/\($0)", Float(2)) }
    let spy = ArpSpy([("/arp/sync", 12), ("/arp/rate", 24), ("/arp/gate", 1)] + ties)
    spy.press(60)
    spy.run(3_000)
    spy.set("/arp/sync", 0)
    spy.run(8_000)
    spy.lift(60)
    spy.run(48_000)
    #expect(spy.held.isEmpty)
  }

  @Test("A key pressed in the frame of a beat jump does not prolong the note of a released key")
  func keyAtJump() {
    let spy = ArpSpy([("/arp/sync", 12), ("/arp/gate", 1)])
    spy.player.link.midi.push(Event.clock(.clockStart, beat: 500, source: 0, frame: 0))
    spy.run(100)
    spy.press(60)
    spy.run(24_100)
    spy.lift(60)
    spy.run(10)
    spy.player.link.midi.push(Event.clock(.clockStart, beat: 0, source: 0, frame: Int64(spy.now)))
    spy.press(62)
    spy.run(10)
    #expect(!spy.held.contains(60), "\(spy.held)")
    spy.lift(62)
    spy.run(48_000)
    #expect(spy.held.isEmpty)
  }

  @Test("A sequence that the transport plays begins on the downbeat after a count-in") func countIn() {
    let spy = ArpSpy([("/arp/on", 0), ("/arp/sync", 12), ("/sequence/mode", 2), ("/sequence/length", 4)])
    spy.player.send(.clockCountIn, value: 4)
    spy.edit { scene in
      for step in 0..<4 { scene[0].patch.sequence[step] = SequenceStep(note: step, velocity: 100) }
    }
    spy.run(to: 130_000)
    let strokes = spy.strokes.filter { $0.frame >= 90_000 }
    #expect(strokes.map(\.frame) == [96_000, 108_000, 120_000], "\(spy.strokes)")
    #expect(strokes.map(\.key) == [60, 61, 62])
  }

  @Test("A late key in a quad step plays one stroke at once and the remaining strokes in time")
  func lateQuadStep() {
    // Steps of 3,000 frames with four strokes each, by a clock that leads; the key is 1,300 frames late.
    let spy = ArpSpy([("/arp/sync", 18), ("/arp/steps", 1), ("/arp/step/1", 6), ("/arp/gate", 0.2)])
    spy.player.send(.clockTempo, value: 120)
    spy.run(1_300)
    spy.press(60)
    spy.run(1)
    spy.run(to: 4_000)
    #expect(spy.strokes.map(\.frame) == [1_300, 1_500, 2_250, 3_000, 3_750], "\(spy.strokes)")
    #expect(spy.ends.map(\.frame).prefix(3) == [1_450, 1_650, 2_400], "\(spy.ends)")
  }

  @Test(
    "In a part that is off, a held key stays in the arpeggio but is not latched",
    arguments: [Float(0), 1])
  func offPart(latch: Float) {
    let spy = ArpSpy([("/arp/latch", latch)])
    spy.edit { $0[0].strip.on = 0 }
    spy.press(60, target: Event.part(0))
    spy.run(1_000)
    spy.set("/filter/cutoff", 300)
    spy.run(1_000)
    #expect(spy.arp().entries.count == 1)
    spy.lift(60, target: Event.part(0))
    spy.run(10_000)
    #expect(spy.held.isEmpty && spy.arp().entries.count == 0)
  }
}
