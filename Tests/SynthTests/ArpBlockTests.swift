import Testing

@testable import Synth

/// The same bits, however the frames are cut into blocks.
@Suite struct ArpBlockTests {
  private func render(_ blocks: [Int], _ knobs: [(String, Float)]) -> [Float] {
    let spy = ArpSpy(knobs + [("/arp/octaves", 3), ("/arp/swing", 0.61)])
    let player = spy.player
    player.press(60, at: 101)
    player.press(64, at: 333)
    player.press(67, at: 2_222)
    player.send(.clockTempo, at: 5_003, value: 173.3)
    player.release(60, at: 7_001)
    player.send(.clockBeat, at: 8_888, note: 0, value: 0.41)
    player.release(64, at: 13_001)
    player.release(67, at: 17_003)
    var index = 0
    while player.left.count < 24_000 {
      player.play(min(blocks[index % blocks.count], 24_000 - player.left.count), block: 8_192)
      index += 1
    }
    return player.left
  }

  @Test(arguments: [[16], [64], [480, 33, 1], [1_024], [8_192]])
  func blocksMakeNoDifference(blocks: [Int]) {
    for knobs in [
      [("/arp/sync", Float(18)), ("/arp/step/2", 5)], [("/arp/rate", 23.7), ("/arp/gate", 1.3)],
    ] {
      let samples = render(blocks, knobs)
      #expect(samples == render([256], knobs) && samples.contains { $0 != 0 })
    }
  }
}
