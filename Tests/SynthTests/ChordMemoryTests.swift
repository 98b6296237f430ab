import Testing

@testable import Synth

/// The chord memory: rule Q.
@Suite struct ChordMemoryTests {
  private func spy(_ knobs: [(String, Float)] = []) -> ArpSpy {
    ArpSpy([("/arp/on", 0), ("/chord/on", 1), ("/chord/1", 4), ("/chord/2", 7)] + knobs)
  }

  @Test func aKeyPlaysAChord() {
    let spy = spy()
    spy.press(60)
    spy.run(100)
    #expect(spy.held == [60, 64, 67])
    spy.lift(60)
    spy.run(100)
    #expect(spy.held.isEmpty && spy.engine.arps.used == 0)
  }

  @Test(arguments: [0, 1] as [Float]) func sharedPitchesEndWithTheirLastHolder(restrike: Float) {
    let spy = spy([("/play/restrike", restrike)])
    for lifts in [[60, 64], [64, 60]] {
      for source in [0, 1] {
        spy.press(60)
        spy.press(64, source: source)
        spy.run(100)
        #expect(spy.held == [60, 64, 67, 68, 71])
        spy.lift(lifts[0], source: lifts[0] == 64 ? source : 0)
        spy.run(100)
        #expect(spy.held == (lifts[0] == 60 ? [64, 68, 71] : [60, 64, 67]))
        spy.lift(lifts[1], source: lifts[1] == 64 ? source : 0)
        spy.run(100)
        #expect(spy.held.isEmpty)
      }
    }
  }

  @Test(arguments: [Event.Kind.sourceGone, .allSoundOff, .allNotesOff])
  func aSharedPitchEndsWithTheSourceOfItsLastHolder(kind: Event.Kind) {
    let spy = spy()
    spy.press(64, source: 1)
    spy.run(10)
    // Struck last by source 0, whose key comes up first.
    spy.press(60)
    spy.run(10)
    spy.lift(60)
    spy.run(10)
    spy.player.send(kind, source: 1)
    spy.run(10)
    #expect(spy.held.isEmpty)
  }

  @Test func thePedalAndTheKnobsUnderHeldChords() {
    let spy = spy()
    spy.pedal(true)
    spy.press(60)
    spy.run(100)
    spy.set("/chord/2", 9)
    spy.lift(60)
    spy.run(100)
    #expect(spy.held == [60, 64, 67])
    spy.pedal(false)
    spy.run(100)
    #expect(spy.held.isEmpty)
    spy.press(60)
    spy.run(100)
    spy.set("/chord/on", 0, recalls: true)
    spy.run(100)
    #expect(spy.held == [60, 64, 69])
    spy.lift(60)
    spy.run(100)
    #expect(spy.held.isEmpty)
  }

  @Test(arguments: [0.01, -0.01] as [Float]) func strums(strum: Float) {
    let spy = spy([("/chord/strum", strum)])
    spy.run(11)
    spy.press(60)
    spy.run(2_000)
    #expect(spy.frames == [11, 491, 971] && spy.takeKeys() == (strum > 0 ? [60, 64, 67] : [67, 64, 60]))
    spy.lift(60)
    spy.press(62)
    spy.run(600)
    spy.lift(62)
    spy.run(2_000)
    #expect(spy.takeKeys() == (strum > 0 ? [62, 66] : [69, 66]) && spy.held.isEmpty)
  }

  @Test(arguments: [Event.Kind.sourceGone, .allSoundOff, .allNotesOff, .panic])
  func allOfItEnds(kind: Event.Kind) {
    let spy = spy([("/chord/strum", 0.01)])
    spy.press(60, 64)
    spy.run(100)
    spy.player.send(kind)
    spy.run(5_000)
    #expect(spy.held.isEmpty && spy.engine.arps.used == 0)
  }

  @Test func theArpeggioGoesThroughTheChord() {
    let spy = spy([("/arp/on", 1)])
    spy.press(60)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 67, 60])
  }

  @Test func switchedOnUnderAHeldChordMemory() {
    let spy = spy()
    spy.press(60)
    spy.run(1_000)
    spy.set("/arp/on", 1)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 67, 60, 64, 67] && spy.held.count <= 1)
    spy.lift(60)
    spy.run(9_000)
    #expect(spy.held.isEmpty)
  }
}
