import Testing
@testable import Scenes
@testable import Synth

/// The chord memory: rule Q.
@Suite("Chord memory") struct ChordMemoryTests {
  private func spy(_ knobs: [(String, Float)] = []) -> ArpSpy {
    ArpSpy([("/arp/on", 0), ("/chord/on", 1), ("/chord/1", 4), ("/chord/2", 7)] + knobs)
  }

  @Test("A key plays its chord of three notes, and its release ends all three") func chordOfKey() {
    let spy = spy()
    spy.press(60)
    spy.run(100)
    #expect(spy.held == [60, 64, 67])
    spy.lift(60)
    spy.run(100)
    #expect(spy.held.isEmpty && spy.engine.arps.used == 0)
  }

  @Test(
    "A note shared by two chords sounds until the last of their keys is released",
    arguments: [0, 1] as [Float])
  func sharedNotes(restrike: Float) {
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

  @Test(
    "A note shared by two chords ends when the source of its last key is lost or silenced",
    arguments: [Event.Kind.sourceGone, .allSoundOff, .allNotesOff])
  func lostHolder(kind: Event.Kind) {
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

  @Test("The sustain pedal holds a chord, and changed knobs leave the notes of a sounding chord alone")
  func pedalAndKnobs() {
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

  @Test(
    "A strum of 10 ms plays the notes of a chord 480 frames apart, up or down",
    arguments: [0.01, -0.01] as [Float])
  func strums(strum: Float) {
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

  @Test(
    "A lost source, all sound off, all notes off or panic ends a chord and its pending strum",
    arguments: [Event.Kind.sourceGone, .allSoundOff, .allNotesOff, .panic])
  func strumEnds(kind: Event.Kind) {
    let spy = spy([("/chord/strum", 0.01)])
    spy.press(60, 64)
    spy.run(100)
    spy.player.send(kind)
    spy.run(5_000)
    #expect(spy.held.isEmpty && spy.engine.arps.used == 0)
  }

  @Test("The arpeggiator plays the notes of a chord one after the other") func arpeggiatedChord() {
    let spy = spy([("/arp/on", 1)])
    spy.press(60)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 67, 60])
  }

  @Test("Switched on under a held key of the chord memory, the arpeggiator takes over the chord")
  func switchedOn() {
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
