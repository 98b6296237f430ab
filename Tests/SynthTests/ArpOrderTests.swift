import Testing
@testable import Scenes
@testable import Synth

/// The orders of notes and octaves, and the cursor: rule F.
@Suite("Note and octave orders of arpeggios") struct ArpOrderTests {
  private func order(
    _ mode: ArpMode, _ knobs: [(String, Float)] = [], keys: [Int] = [67, 60, 64], count: Int = 12
  )
    -> [Int]
  {
    let index = ArpMode.allCases.firstIndex(of: mode) ?? 0
    let spy = ArpSpy([("/arp/mode", Float(index))] + knobs)
    for key in keys { spy.press(key) }
    spy.run(to: count * 2_000)
    return spy.takeKeys()
  }

  @Test("Modes up, down, up-down and down-up play their orders, also with one or two keys")
  func upDownModes() {
    #expect(order(.up, count: 4) == [60, 64, 67, 60])
    #expect(order(.down, count: 4) == [67, 64, 60, 67])
    #expect(order(.upDown, count: 8) == [60, 64, 67, 64, 60, 64, 67, 64])
    #expect(order(.upDownTwice, count: 8) == [60, 64, 67, 67, 64, 60, 60, 64])
    #expect(order(.downUp, count: 6) == [67, 64, 60, 64, 67, 64])
    for mode in [
      ArpMode.upDown, .upDownTwice, .downUp, .converge, .diverge, .walk, .shuffle, .random, .played,
    ] {
      #expect(order(mode, keys: [60], count: 4) == [60, 60, 60, 60])
      #expect(Set(order(mode, keys: [60, 64], count: 40)) == [60, 64])
    }
    #expect(order(.upDown, keys: [60, 64], count: 4) == [60, 64, 60, 64])
  }

  @Test("Mode converge plays five keys from the outside in, diverge from the inside out")
  func convergeAndDiverge() {
    let keys = [60, 62, 64, 65, 67]
    #expect(order(.converge, keys: keys, count: 6) == [60, 67, 62, 65, 64, 60])
    #expect(order(.diverge, keys: keys, count: 6) == [64, 65, 62, 67, 60, 64])
  }

  @Test("Mode played keeps the order of the key presses, and mode chord plays all keys at once")
  func playedAndChord() {
    #expect(order(.played, count: 6) == [67, 60, 64, 67, 60, 64])
    #expect(order(.chord, count: 2) == [60, 64, 67, 60, 64, 67])
  }

  @Test("Shuffle plays whole passes, random is reproducible, lock repeats and chance skips steps")
  func randomModes() {
    let shuffled = order(.shuffle)
    for pass in 0..<4 { #expect(Set(shuffled[(3 * pass)..<(3 * pass + 3)]) == [60, 64, 67]) }
    #expect(order(.random) == order(.random))
    let locked = order(.random, [("/arp/lock", 1), ("/arp/length", 4)], count: 12)
    #expect(locked[0..<4] == locked[4..<8] && locked[4..<8] == locked[8..<12])
    let chance = order(.up, [("/arp/chance", 0.5)], count: 40)
    #expect(chance.count > 8 && chance.count < 32 && order(.up, [("/arp/chance", 0)]).isEmpty)
  }

  @Test("Octaves are played up, down or both ways, and notes above the key range an octave lower")
  func octaves() {
    let two: [(String, Float)] = [("/arp/octaves", 2)]
    #expect(order(.up, two, keys: [60, 64], count: 5) == [60, 64, 72, 76, 60])
    #expect(order(.up, two + [("/arp/order", 1)], keys: [60, 64], count: 4) == [72, 76, 60, 64])
    #expect(
      order(.upDown, two + [("/arp/order", 2)], keys: [60, 64], count: 7) == [60, 64, 72, 76, 72, 64, 60])
    let three: [(String, Float)] = [("/arp/octaves", 3), ("/arp/order", 2)]
    #expect(order(.up, three, keys: [60], count: 6) == [60, 72, 84, 72, 60, 72])
    // Keys beyond the highest sound an octave lower.
    #expect(order(.up, [("/arp/octaves", 4)], keys: [110], count: 4) == [110, 122, 122, 122])
  }

  @Test("A repeat of 2 plays each note twice, and a length of 2 restarts the order after two steps")
  func repeatsAndLength() {
    #expect(order(.up, [("/arp/repeat", 2)], count: 6) == [60, 60, 64, 64, 67, 67])
    #expect(order(.up, [("/arp/length", 2)], count: 5) == [60, 64, 60, 64, 60])
  }

  @Test("In mode up, keys that are pressed or released neither repeat nor skip a note") func changedKeys() {
    let spy = ArpSpy()
    spy.press(60, 64, 67)
    spy.run(to: 3_000)
    spy.lift(60)
    spy.run(to: 5_000)
    spy.press(62)
    spy.run(to: 11_000)
    #expect(spy.takeKeys() == [60, 64, 67, 62, 64, 67])
    spy.lift(67)
    spy.press(65)
    spy.run(to: 15_000)
    #expect(spy.takeKeys() == [62, 64])
  }
}
