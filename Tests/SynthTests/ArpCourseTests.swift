import Testing
@testable import Scenes
@testable import Synth

/// The order of the notes while keys, modes and chords change, and the random ones: rules F and R.
@Suite("Note order of arpeggios while keys and modes change") struct ArpCourseTests {
  private func keys(_ knobs: [(String, Float)], _ keys: [Int], count: Int) -> [Int] {
    let spy = ArpSpy(knobs)
    for key in keys { spy.press(key) }
    spy.run(to: count * 2_000)
    return spy.takeKeys()
  }

  @Test("Over two octaves, the order goes on from its place when keys are pressed or released")
  func twoOctaves() {
    let spy = ArpSpy([("/arp/octaves", 2)])
    spy.press(60, 64)
    spy.run(to: 5_000)
    spy.lift(60)
    spy.run(to: 9_000)
    spy.press(62)
    spy.run(to: 15_000)
    #expect(spy.takeKeys() == [60, 64, 72, 76, 64, 74, 76, 62])
  }

  @Test("In mode down, the order goes on from its place when keys are pressed or released") func downMode() {
    let spy = ArpSpy([("/arp/mode", 1)])
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.lift(64)
    spy.press(62)
    spy.run(to: 9_000)
    #expect(spy.takeKeys() == [67, 64, 62, 60, 67])
  }

  @Test("In mode up-down, the order goes on from its place when keys are pressed or released")
  func upDownMode() {
    let spy = ArpSpy([("/arp/mode", 2)])
    spy.press(60, 64, 67)
    spy.run(to: 5_000)
    spy.press(72)
    spy.run(to: 9_000)
    spy.lift(64)
    spy.run(to: 13_000)
    #expect(spy.takeKeys() == [60, 64, 67, 72, 67, 60, 67])
  }

  @Test("In mode converge, the order goes on from its place when keys are pressed or released")
  func convergeMode() {
    let spy = ArpSpy([("/arp/mode", 5)])
    spy.press(60, 62, 64, 65, 67)
    spy.run(to: 3_000)
    spy.lift(62)
    spy.press(61)
    spy.run(to: 11_000)
    #expect(spy.takeKeys() == [60, 67, 61, 65, 64, 60])
  }

  @Test("A change of mode from up to down goes on from the last note played") func modeChange() {
    let spy = ArpSpy()
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.set("/arp/mode", 1)
    spy.run(to: 7_000)
    #expect(spy.takeKeys() == [60, 64, 60, 67])
  }

  @Test("A second latched chord restarts the note order, unless retrigger is off", arguments: [Float(0), 3])
  func secondChord(retrigger: Float) {
    let spy = ArpSpy([("/arp/latch", 1), ("/arp/retrigger", retrigger)])
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.lift(60, 64, 67)
    spy.run(to: 3_200)
    spy.press(60, 64, 67)
    spy.run(to: 5_000)
    #expect(spy.takeKeys() == [60, 64, retrigger == 0 ? 60 : 67])
  }

  @Test("Mode walk moves by at most one note at a time and reaches all notes of two octaves")
  func walkMode() {
    let scale = [60, 62, 64, 65, 67]
    let range = scale + scale.map { $0 + 12 }
    let walk = keys([("/arp/mode", 10), ("/arp/octaves", 2)], scale, count: 400)
    let places = walk.compactMap { range.firstIndex(of: $0) }
    #expect(places.count == 400 && Set(places).count == 10)
    let moves = Set(zip(places.dropFirst(), places).map { $0 - $1 })
    #expect(moves == [-1, 0, 1])
  }

  @Test("The random octave order changes the octave only after a whole pass through the keys")
  func randomOctaves() {
    let keys = keys([("/arp/octaves", 3), ("/arp/order", 3)], [60, 64], count: 60)
    #expect(Set(keys) == [60, 64, 72, 76, 84, 88])
    for pass in 0..<30 { #expect(keys[2 * pass + 1] == keys[2 * pass] + 4) }
  }

  @Test("A triple step divides its 2,000 frames into three equal strokes") func tripleStep() {
    let spy = ArpSpy([("/arp/steps", 1), ("/arp/step/1", 5)])
    spy.press(60)
    spy.run(to: 2_001)
    #expect(spy.frames == [0, 667, 1_334, 2_000])
    #expect(spy.ends.map(\.frame) == [334, 1_000, 1_667])
  }

  @Test("The random choices of one part do not change those of another part") func partRandomness() {
    func keys(both: Bool) -> [Int] {
      let spy = ArpSpy([("/arp/mode", 8), ("/arp/chance", 0.8)])
      spy.edit { scene in
        scene[1] = scene[0]
        (scene[0].strip.channel, scene[1].strip.channel) = (1, 2)
      }
      for key in [60, 62, 64, 65, 67] {
        spy.press(key)
        if both { spy.press(key, target: 1) }
      }
      spy.run(to: 80_000)
      #expect(spy.strokes.contains { $0.part == 1 } == both)
      return spy.strokes.filter { $0.part == 0 }.map(\.key)
    }
    let alone = keys(both: false)
    #expect(alone.count > 20 && Set(alone).count == 5 && keys(both: true) == alone)
  }
}
