import Testing
@testable import Scenes
@testable import Synth

/// Taps, a stop under held keys, and a recall with a key: rules C, K, L and N.
@Suite("Arpeggios with taps, stops and recalls") struct ArpTransportTests {
  /// Four taps that move the line smoothly, and two that make it jump, back and on.
  @Test("Tapping a tempo under a running arpeggio neither doubles notes nor causes a burst")
  func tempoTaps() {
    let spy = ArpSpy([("/arp/sync", 15), ("/tempo", 120)])
    spy.press(60, 64)
    var line = BeatLine(rate: 48_000)
    line.follow(tempo: 120, frame: 0)
    var (next, expected): (Int, [Int]) = (0, [])
    for tap in [24_311, 44_003, 71_777, 93_331, 125_555, 139_955, 200_001] {
      while line.frame(of: Double(next) * 0.25) < Int64(tap) {
        expected.append(Int(line.frame(of: Double(next) * 0.25)))
        next += 1
      }
      spy.run(to: tap)
      spy.player.send(.clockTap)
      let jumps = line.jumps
      line.tap(at: Int64(tap))
      if line.jumps != jumps { next = Int((line.beat(at: Int64(tap)) * 4 - 1e-6).rounded(.up)) }
    }
    #expect(line.jumps >= 2 && spy.frames == expected, "\(spy.frames), \(expected)")
    // Each note has ended once, before the next begins.
    #expect(spy.ends.count == spy.strokes.count - spy.held.count && spy.held.count <= 1)
    for (end, stroke) in zip(spy.ends, spy.strokes.dropFirst()) { #expect(end.frame <= stroke.frame) }
  }

  @Test("A key held across a clock stop goes on at the tempo of the clock") func heldAcrossStop() {
    let spy = ArpSpy([("/arp/sync", 15)])
    spy.player.send(.clockTempo, source: 3, value: 120)
    spy.run(1)
    spy.press(60)
    spy.run(to: 7_000)
    spy.player.send(.clockStop, source: 3)
    spy.run(to: 25_000)
    #expect(spy.frames == [1, 6_000, 12_000, 18_000, 24_000])
  }

  @Test("When the arpeggiator is switched off, the sounding step ends at its gate", arguments: [false, true])
  func switchedOff(recalls: Bool) {
    let spy = ArpSpy()
    spy.press(60, 64)
    spy.run(to: 6_400)
    #expect(spy.held == [64])
    spy.set("/arp/on", 0, recalls: recalls)
    spy.run(to: 6_990)
    #expect(spy.held == [64])
    spy.run(to: 12_000)
    #expect(spy.ends.last?.frame == 7_000 && spy.held.isEmpty && spy.strokes.count == 4)
  }

  @Test("A key pressed in the block of a recall plays its first step with the recalled knobs")
  func recallWithKey() {
    let spy = ArpSpy([("/arp/on", 0)])
    spy.run(1_000)
    spy.edit { scene in
      scene.turn([("/arp/on", 1), ("/arp/mode", 1), ("/arp/octaves", 2), ("/arp/order", 1)])
      scene.turn([("/arp/gate", 0.25), ("/arp/velocity", 2), ("/arp/fixed", 127)])
      scene[0].generation += 1
    }
    spy.press(60, 64, velocity: 0.3)
    spy.run(to: 3_001)
    #expect(spy.frames == [1_000, 3_000] && spy.ends.map(\.frame) == [1_500])
    #expect(spy.strokes.map(\.key) == [76, 72] && spy.strokes.map(\.velocity) == [1, 1])
  }
}
