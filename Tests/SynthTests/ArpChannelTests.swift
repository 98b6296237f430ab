import Testing
@testable import Scenes
@testable import Synth

/// Keys and pedals on the channels of one source: rules E and I.
@Suite("Arpeggios and MIDI channels") struct ArpChannelTests {
  @Test("One sustain pedal latches the arpeggio of a part and sustains the notes of another part")
  func sharedPedal() {
    let spy = ArpSpy()
    spy.edit { scene in
      scene[1] = scene[0]
      scene[1].patch.arp.on = 0
      (scene[0].strip.channel, scene[1].strip.channel) = (1, 1)
    }
    spy.pedal(true)
    spy.press(60)
    spy.run(to: 2_500)
    spy.lift(60)
    spy.run(to: 9_500)
    let (steps, notes) = (spy.strokes.filter { $0.part == 0 }, spy.strokes.filter { $0.part == 1 })
    #expect(steps.map(\.frame) == [0, 2_000, 4_000, 6_000, 8_000] && notes.map(\.frame) == [0])
    #expect(spy.ends.map(\.frame) == [1_000, 3_000, 5_000, 7_000, 9_000], "the pedal holds no step")
    #expect(spy.ends.allSatisfy { $0.part == 0 } && spy.held == [60])
    spy.pedal(false)
    spy.run(to: 14_000)
    #expect(spy.held.isEmpty && spy.strokes.count == 6)
  }

  @Test("The same key on two channels is held twice, and each release ends one of the two")
  func sameKeyTwice() {
    let spy = ArpSpy()
    spy.edit { $0[0].strip.channel = 0 }
    spy.press(60)
    spy.press(60, target: 1)
    spy.run(to: 3_000)
    #expect(spy.takeKeys() == [60, 60] && spy.arp().entries.count == 2)
    spy.lift(60, target: 1)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60])
    spy.lift(60)
    spy.run(to: 9_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }
}
