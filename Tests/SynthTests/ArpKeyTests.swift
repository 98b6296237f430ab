import Testing
@testable import Scenes
@testable import Synth

/// The keys of an arpeggio: rules E and G to L. A step has 2,000 frames, and its gate 1,000.
@Suite("Keys of an arpeggio") struct ArpKeyTests {
  @Test("When the last key is released, the sounding step ends at its gate") func lastRelease() {
    let spy = ArpSpy()
    spy.press(60)
    spy.run(to: 2_100)
    spy.lift(60)
    spy.run(to: 9_000)
    #expect(spy.frames == [0, 2_000] && spy.ends.map(\.frame) == [1_000, 3_000])
    #expect(spy.player.voiceNumbers.isEmpty && spy.engine.arps.busy == 0)
  }

  @Test("Without keys, neither latch nor the sustain pedal starts an arpeggio") func noKeys() {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.pedal(true)
    spy.run(9_000)
    #expect(spy.strokes.isEmpty && spy.engine.arps.busy == 0)
  }

  @Test("A key held on two keyboards goes on until both keyboards have released the key")
  func twoKeyboards() {
    let spy = ArpSpy()
    spy.press(60)
    spy.press(60, source: 1)
    spy.run(to: 3_000)
    #expect(spy.takeKeys() == [60, 60])
    spy.lift(60)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60])
    spy.lift(60, source: 1)
    spy.run(to: 9_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }

  @Test("An arpeggio takes 32 keys; further keys are refused and counted") func tooManyKeys() {
    let spy = ArpSpy([("/arp/mode", 11)])
    for key in 40..<80 { spy.press(key) }
    spy.run(100)
    #expect(spy.player.link.arps[0, .keys] == 32 && spy.player.link.arps[0, .refused] == 8)
    for key in 40..<80 { spy.lift(key) }
    spy.run(9_000)
    #expect(spy.held.isEmpty && spy.player.link.arps[0, .keys] == 0)
  }

  @Test("With latch on hold, a released chord goes on until a new chord replaces the old one")
  func latchHold() {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.press(60, 64)
    spy.run(to: 500)
    spy.lift(60)
    spy.press(67)
    spy.run(to: 700)
    spy.lift(64, 67)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60, 64, 67])
    #expect(spy.player.link.arps[0, .held] == 3 && spy.player.link.arps.keys(0) == [60, 64, 67])
    spy.press(72)
    spy.run(to: 9_000)
    #expect(spy.takeKeys() == [72, 72])
    spy.lift(72)
    spy.run(10)
    spy.set("/arp/latch", 0)
    spy.run(to: 9_500)
    #expect(spy.arp().entries.count == 1, "it leaves at the next step")
    spy.run(to: 14_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }

  @Test("With latch on add, a key joins when struck and leaves when struck again") func latchAdd() {
    let spy = ArpSpy([("/arp/latch", 2)])
    for key in [60, 64] {
      spy.press(key)
      spy.run(100)
      spy.lift(key)
    }
    spy.run(to: 3_000)
    #expect(spy.takeKeys() == [60, 64])
    spy.press(60)
    spy.lift(60)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [64, 64])
    spy.press(64)
    spy.lift(64)
    spy.run(to: 11_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }

  @Test(
    "The sustain pedal latches a chord, whether pressed before or after the keys",
    arguments: [false, true])
  func pedalLatch(isBefore: Bool) {
    let spy = ArpSpy()
    if isBefore { spy.pedal(true) }
    spy.press(60, 64)
    spy.run(100)
    if !isBefore { spy.pedal(true) }
    spy.lift(60)
    spy.run(to: 300)
    spy.lift(64)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 60, 64])
    spy.press(67)
    spy.run(to: 9_000)
    #expect(spy.takeKeys() == [67], "as hold does, a new chord replaces the old one")
    spy.pedal(false)
    spy.run(to: 11_000)
    #expect(spy.takeKeys() == [67])
    spy.pedal(true)
    spy.lift(67)
    spy.pedal(false)
    spy.run(to: 15_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }

  @Test("With the pedal choice sustain, the pedal holds the notes; with ignore, nothing")
  func pedalChoices() {
    let spy = ArpSpy([("/arp/pedal", 1)])
    spy.pedal(true)
    spy.press(60, 64)
    spy.run(to: 3_500)
    #expect(spy.held == [60, 64])
    spy.lift(60, 64)
    spy.run(to: 9_000)
    #expect(spy.takeKeys() == [60, 64] && spy.held == [60, 64])
    spy.pedal(false)
    spy.run(10)
    #expect(spy.held.isEmpty)
    spy.set("/arp/pedal", 2)
    spy.pedal(true)
    spy.press(60)
    spy.run(to: 10_300)
    spy.lift(60)
    spy.run(to: 14_000)
    #expect(spy.takeKeys() == [60] && spy.held.isEmpty)
  }

  @Test(
    "A lost source, all sound off or panic ends a latched arpeggio at once",
    arguments: [Event.Kind.sourceGone, .allSoundOff, .panic])
  func endsAtOnce(kind: Event.Kind) {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.press(60, 64)
    spy.run(100)
    spy.lift(64)
    spy.player.send(kind)
    spy.run(100)
    #expect(spy.held.isEmpty && spy.player.link.arps[0, .keys] == 0)
    spy.run(9_000)
    #expect(spy.strokes.count == 1)
    spy.press(62)
    spy.run(10)
    #expect(spy.held == [62])
  }

  @Test("Unplugging a keyboard removes only its own latched keys from an arpeggio") func unpluggedKeyboard() {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.press(60)
    spy.press(64, source: 1)
    spy.run(100)
    spy.lift(64, source: 1)
    spy.player.send(.sourceGone, source: 1)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60, 60, 60])
  }

  @Test("A clear removes all held and latched keys of the addressed part, and of no other part")
  func clearKeys() {
    let spy = ArpSpy([("/arp/latch", 1)])
    spy.press(60, 64)
    spy.run(100)
    spy.lift(60)
    spy.player.send(.clearArp, target: Event.part(1))
    spy.run(100)
    #expect(spy.player.link.arps[0, .held] == 1, "another part's")
    spy.player.send(.clearArp, target: Event.part(0))
    spy.run(100)
    #expect(spy.player.link.arps[0, .held] == 0 && spy.player.link.arps[0, .keys] == 0)
    spy.lift(64)
    spy.run(9_000)
    #expect(spy.held.isEmpty && spy.strokes.count == 1 && spy.player.link.arps[0, .at] == 0)
  }

  @Test("A recall keeps the keys, the step grid and the place in the note order") func presetRecall() {
    let spy = ArpSpy()
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.set("/filter/cutoff", 300, recalls: true)
    spy.run(to: 7_000)
    #expect(spy.frames == [0, 2_000, 4_000, 6_000] && spy.takeKeys() == [60, 64, 67, 60])
    spy.set("/arp/on", 0, recalls: true)
    spy.run(to: 12_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty && spy.arp().entries.count == 0)
    spy.lift(60, 64, 67)
    spy.run(100)
    #expect(spy.held.isEmpty)
  }

  @Test("Switched on under a held chord, the arpeggiator takes over the keys at the next step")
  func switchedOn() {
    let spy = ArpSpy([("/arp/on", 0)])
    spy.press(60, 64)
    spy.run(to: 1_500)
    spy.set("/arp/on", 1)
    spy.run(to: 1_990)
    #expect(spy.takeKeys() == [60, 64] && spy.held == [60, 64])
    spy.run(to: 7_000)
    #expect(
      spy.frames == [2_000, 4_000, 6_000] && spy.takeKeys() == [60, 64, 60] && spy.held.isEmpty == false)
    spy.set("/arp/on", 0)
    spy.run(to: 7_010)
    spy.run(to: 12_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
    spy.lift(60, 64)
    spy.press(62)
    spy.run(100)
    spy.lift(62)
    spy.run(100)
    #expect(spy.takeKeys() == [62] && spy.held.isEmpty)
  }

  @Test("Notes that a song plays are held and not arpeggiated") func songNotes() {
    let spy = ArpSpy()
    spy.press(60, 64, source: Limits.songSource)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60, 64] && spy.held == [60, 64])
    spy.lift(60, 64, source: Limits.songSource)
    spy.run(10)
    #expect(spy.held.isEmpty)
  }

  @Test("An arpeggio leaves the notes and the sustain pedal of another part alone") func otherParts() {
    let spy = ArpSpy()
    spy.edit { scene in
      scene[1] = scene[0]
      scene[1].patch.arp.on = 0
      (scene[0].strip.channel, scene[1].strip.channel) = (1, 2)
    }
    spy.pedal(true, target: 1)
    spy.press(60)
    spy.press(72, target: 1)
    spy.run(to: 3_000)
    spy.lift(60)
    spy.lift(72, target: 1)
    spy.run(to: 9_000)
    #expect(spy.strokes.filter { $0.part == 0 }.map(\.frame) == [0, 2_000])
    #expect(spy.strokes.filter { $0.part == 1 }.map(\.frame) == [0] && spy.held == [72])
  }
}
