import Testing

@testable import Synth

/// What happens to steps that sound while their grid changes under them.
@Suite struct ArpEdgeTests {
  @Test func aTieAfterAChangeOfUnitEndsWithItsGrid() {
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

  @Test func aKeyInTheFrameOfAJumpKeepsNoStepOfBefore() {
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

  @Test func aSequenceBesideTheKeysBeginsWithTheDownbeatAfterACountIn() {
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
}
