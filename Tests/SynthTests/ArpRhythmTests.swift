import Testing
@testable import Scenes
@testable import Synth

/// The rhythm, the gates and the velocities: rule D. A step has 2,000 frames.
@Suite("Rhythm, gates and velocities of arpeggios") struct ArpRhythmTests {
  @Test("Rests and ties use up no note; double and quad steps strike one note two and four times")
  func restsAndTies() {
    // On, rest, on, tie, double, quad.
    let spy = ArpSpy([
      ("/arp/steps", 6), ("/arp/step/2", 1), ("/arp/step/4", 2), ("/arp/step/5", 4), ("/arp/step/6", 6),
    ])
    spy.press(60, 62, 64, 65)
    spy.run(to: 12_000)
    #expect(spy.frames == [0, 4_000, 8_000, 9_000, 10_000, 10_500, 11_000, 11_500])
    #expect(spy.ends.map(\.frame) == [1_000, 7_000, 8_500, 9_500, 10_250, 10_750, 11_250, 11_750])
    #expect(spy.takeKeys() == [60, 62, 64, 64, 65, 65, 65, 65], "rests and ties pass no note")
  }

  @Test("A chord step plays all keys, and an accent of 50 % raises a velocity of 0.6 to 0.8")
  func chordsAndAccents() {
    let spy = ArpSpy([("/arp/steps", 2), ("/arp/step/1", 7), ("/arp/step/2", 3), ("/arp/accent", 0.5)])
    spy.press(60, 64, velocity: 0.6)
    spy.run(to: 3_000)
    #expect(spy.strokes.map(\.key) == [60, 64, 60] || spy.strokes.map(\.key) == [60, 64, 64])
    #expect(spy.strokes[0].velocity == 0.6 && abs(spy.strokes[2].velocity - 0.8) < 1e-6)
  }

  @Test("Velocities are those of each key, that of the first key, fixed, or the key pressure")
  func velocityChoices() {
    func velocities(_ choice: Float) -> [Float] {
      let spy = ArpSpy([("/arp/velocity", choice), ("/arp/fixed", 64)])
      spy.press(64, velocity: 0.3)
      spy.run(10)
      spy.press(67, velocity: 0.9)
      spy.player.send(.keyPressure, note: 67, value: 0.7)
      spy.run(to: 3_000)
      return spy.strokes.map(\.velocity)
    }
    #expect(velocities(0) == [0.3, 0.9] && velocities(1) == [0.3, 0.3])
    let (fixed, least): (Float, Float) = (64.0 / 127, 1.0 / 127)
    #expect(velocities(2) == [fixed, fixed])
    #expect(velocities(3) == [least, 0.7])
  }

  @Test("A gate of 125 % ends a note after the next stroke, and a repeated key keeps one voice")
  func longGate() {
    let spy = ArpSpy([("/arp/gate", 1.25)])
    spy.press(60, 64)
    spy.run(to: 2_300)
    #expect(spy.held == [60, 64])
    spy.run(to: 2_600)
    #expect(spy.held == [64] && spy.ends.map(\.frame) == [2_500])
    // The same key again: one voice, struck again.
    let one = ArpSpy([("/arp/gate", 2)])
    one.press(60)
    for _ in 0..<20 {
      one.run(1_000)
      #expect(one.held == [60])
    }
    #expect(one.strokes.count == 10)
  }

  @Test("A gate of 100 % ends each note in the frame of the next stroke") func wholeGate() {
    let spy = ArpSpy([("/arp/gate", 1)])
    spy.press(60, 64)
    spy.run(to: 8_000)
    #expect(spy.ends.map(\.frame) == [2_000, 4_000, 6_000] && spy.held.count == 1)
  }

  @Test("With retrigger on bar, each bar restarts the note order") func barRetrigger() {
    // Six quarters of three notes, in bars of four.
    let spy = ArpSpy([("/arp/sync", 9), ("/arp/retrigger", 2), ("/tempo", 300)])
    spy.press(60, 64, 67)
    spy.run(to: 9_600 * 6 - 10)
    #expect(spy.takeKeys() == [60, 64, 67, 60, 60, 64])
  }

  @Test("With retrigger on key, each pressed key restarts the note order") func keyRetrigger() {
    let spy = ArpSpy([("/arp/retrigger", 1)])
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.press(72)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 60, 64])
  }
}
