import Testing
@testable import Scenes
@testable import Synth

/// The step sequence. A step has 2,000 frames.
@Suite("Step sequence") struct SequenceTests {
  private func spy(_ mode: SequenceMode, _ knobs: [(String, Float)] = []) -> ArpSpy {
    let index = SequenceMode.allCases.firstIndex(of: mode) ?? 0
    let spy = ArpSpy(
      [("/arp/on", 0), ("/sequence/mode", Float(index)), ("/sequence/length", 4)] + knobs)
    spy.edit { scene in
      scene[0].patch.sequence[0] = SequenceStep(note: 0, velocity: 127, gate: 50)
      scene[0].patch.sequence[1] = SequenceStep(note: 7, velocity: 64, gate: 50, ratchet: 2)
      scene[0].patch.sequence[3] = SequenceStep(note: 12, velocity: 100, gate: 100)
    }
    return spy
  }

  @Test("In key mode a held key plays the sequence, transposed to that key") func transposedSequence() {
    let spy = spy(.key)
    spy.press(62)
    spy.run(to: 9_000)
    #expect(
      spy.frames == [0, 2_000, 3_000, 6_000, 8_000]
        && spy.ends.map(\.frame) == [1_000, 2_500, 3_500, 8_000])
    let velocities: [Float] = [1, 64.0 / 127]
    #expect(spy.strokes.prefix(2).map(\.velocity) == velocities)
    #expect(spy.takeKeys() == [62, 69, 69, 74, 62])
    spy.press(50)
    spy.lift(62)
    spy.run(to: 10_500)
    #expect(spy.takeKeys() == [57])
    spy.lift(50)
    spy.run(to: 20_000)
    #expect(spy.takeKeys().isEmpty && spy.held.isEmpty)
  }

  @Test("In beside mode the sequence plays next to the held keys while the transport runs")
  func besideMode() {
    let spy = spy(.beside)
    spy.press(40)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [40, 60, 67, 67, 72] && spy.held.contains(40))
    spy.player.send(.clockStop)
    spy.run(to: 20_000)
    #expect(spy.held == [40])
    spy.lift(40)
    _ = spy.takeKeys()
    spy.player.send(.clockStart)
    spy.run(to: 22_500)
    #expect(spy.frames == [20_000, 22_000] && spy.takeKeys() == [60, 67])
    spy.player.send(.panic)
    spy.run(to: 40_000)
    #expect(spy.takeKeys() == [] && spy.held.isEmpty)
    spy.player.send(.clockStart)
    spy.run(to: 41_000)
    #expect(spy.takeKeys() == [60])
  }

  @Test("A tied step prolongs the previous note at the same pitch, and slurs to another pitch")
  func tiedSteps() {
    let spy = spy(.key, [("/play/mode", 2)])
    spy.edit { scene in
      scene[0].patch.sequence[1] = SequenceStep(note: 0, velocity: 100, gate: 50, isTie: true)
      scene[0].patch.sequence[2] = SequenceStep(note: 5, velocity: 100, gate: 50, isTie: true)
    }
    spy.press(60)
    spy.run(to: 5_500)
    #expect(spy.takeKeys() == [60, 65])
    #expect(spy.held.isEmpty)
  }
}
