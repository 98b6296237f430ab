import Testing
@testable import Scenes
@testable import Synth

/// Where the steps lie: rules A, B and C.
@Suite("The step grid of an arpeggio") struct ArpGridTests {
  @Test(
    "An hour into the beat line, swung steps are on their exact frames at any sample rate",
    arguments: [22_050.0, 44_100, 48_000, 96_000, 192_000])
  func exactSteps(rate: Double) {
    let (hour, perSecond) = (Int(3_600 * rate), Double(Float(123.4) / 60))
    let spy = ArpSpy(
      [("/arp/sync", 20), ("/arp/start", 1), ("/tempo", 123.4), ("/arp/swing", 0.6)], rate: rate, frame: hour)
    // The line of an engine that begins later is extended back to frame 0.
    let before = spy.engine.beatLine.beat(at: Int64(hour))
    spy.press(60)
    spy.run(2)
    let at = spy.engine.beatLine.beat(at: Int64(hour))
    #expect(before == 7_200 && abs(at - before) < 1e-9)
    spy.run(Int(rate / 4))
    let first = Int((at * 16).rounded(.up))
    let expected = (first...).prefix(spy.strokes.count).map { step -> Int in
      let swung: Double = step % 2 == 0 ? 0 : 0.2
      let frames = ((Double(step) + swung) / 16 - at) * rate / perSecond
      return Int((Double(hour) + frames - 1e-4).rounded(.up))
    }
    #expect(spy.strokes.count >= 8 && spy.frames == expected)
  }

  @Test("Steps at a rate of 7.3 Hz are counted from the frame of the key") func freeRate() {
    let spy = ArpSpy([("/arp/rate", 7.3)])
    spy.run(123)
    spy.press(60)
    spy.run(to: 123 + 48_000)
    let length = 48_000 / Double(Float(7.3))
    let expected = (0..<8).map { step -> Int in
      let frames = Double(step) * length
      return 123 + Int((frames - 1e-4).rounded(.up))
    }
    #expect(spy.frames == expected)
  }

  @Test(
    "Swing moves every second step, and a gate of 100 % ends at the moved step",
    arguments: [0.25, 0.5, 0.62, 0.75] as [Float])
  func swungSteps(swing: Float) {
    let spy = ArpSpy([("/arp/swing", swing), ("/arp/gate", 1)])
    spy.press(60, 64)
    spy.run(to: 16_001)
    let odd = Int(((2 * Double(swing) - 1) * 2_000).rounded())
    let steps = (0...8).map { $0 * 2_000 + ($0 % 2 == 0 ? 0 : odd) }
    #expect(zip(spy.frames, steps).allSatisfy { abs($0 - $1) <= 1 } && spy.frames.count == 9)
    // Ends are in the swung step.
    #expect(zip(spy.ends.map(\.frame), steps.dropFirst()).allSatisfy { abs($0 - $1) <= 1 })
  }

  @Test("A tempo change within a step keeps the place in the beat, for steps and for gates")
  func tempoChange() {
    let spy = ArpSpy([("/arp/sync", 15), ("/tempo", 120), ("/arp/gate", 0.9)])
    spy.press(60)
    spy.run(to: 3_000)
    // A sixteenth or 6,000 frames; half of it at half the tempo takes 6,000.
    spy.set("/tempo", 60)
    spy.run(to: 33_001)
    #expect(spy.frames == [0, 9_000, 21_000, 33_000])
    // Gates are in beats as well: nine tenths of a sixteenth, at two tempos.
    #expect(spy.ends.map(\.frame) == [7_800, 19_800, 31_800])
  }

  @Test("After a change of the rate, the next step is counted from the last step played") func rateChange() {
    let spy = ArpSpy()
    spy.press(60)
    spy.run(to: 4_500)
    spy.set("/arp/rate", 12)
    spy.run(to: 12_001)
    #expect(spy.frames == [0, 2_000, 4_000, 8_000, 12_000])
    spy.set("/arp/rate", 40)
    spy.run(to: 12_001 + 1_200)
    #expect(spy.frames.last == 13_200)
  }

  @Test("A change of the step length from 8/1 to 1/64 causes no burst of notes") func shorterStep() {
    let spy = ArpSpy([("/arp/sync", 1)])
    spy.press(60)
    spy.run(to: 40_000)
    spy.set("/arp/sync", 20)
    spy.run(to: 44_000)
    let distances = zip(spy.frames.dropFirst(), spy.frames).map { $0 - $1 }
    #expect(distances.dropFirst().allSatisfy { $0 == 1_500 } && distances.count >= 2)
  }
}
