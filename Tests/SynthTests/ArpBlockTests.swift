import Testing
@testable import Scenes
@testable import Synth

/// The same bits, however the frames are cut into blocks.
@Suite("Arpeggios in blocks of any length") struct ArpBlockTests {
  private static let knobs: [[(String, Float)]] = [
    [("/arp/sync", 18), ("/arp/step/2", 5)], [("/arp/rate", 23.7), ("/arp/gate", 1.3)],
    [("/arp/rate", 23.7), ("/arp/mode", 8), ("/arp/chance", 0.5)],
  ]

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

  @Test(
    "Arpeggios are the same to the bit in blocks of any length",
    arguments: [[16], [64], [480, 33, 1], [1_024], [8_192]])
  func anyBlocks(blocks: [Int]) {
    for knobs in Self.knobs {
      let samples = render(blocks, knobs)
      #expect(samples == render([256], knobs) && samples.contains { $0 != 0 })
    }
  }

  /// Renders up to a frame, in blocks of these sizes.
  private func render(_ player: Player, _ blocks: [Int], to end: Int) {
    var index = 0
    while player.left.count < end {
      player.play(min(blocks[index % blocks.count], end - player.left.count), block: 8_192)
      index += 1
    }
  }

  /// A pedal, a latch that is switched on at a frame that all blocks have in common, and a button that clears it.
  private func renderLatched(_ blocks: [Int], clears: Bool = true) -> [Float] {
    let spy = ArpSpy([("/arp/rate", 23.7)])
    let player = spy.player
    player.press(60, at: 101)
    player.press(64, at: 333)
    player.send(.sustain, at: 1_777, value: 1)
    player.release(60, at: 2_001)
    player.release(64, at: 2_345)
    player.send(.sustain, at: 7_003, value: 0)
    player.press(67, at: 8_411)
    render(player, blocks, to: 11_111)
    spy.set("/arp/latch", 1)
    player.release(67, at: 12_345)
    if clears { player.send(.clearArp, at: 17_007, target: Event.part(0)) }
    render(player, blocks, to: 24_000)
    return player.left
  }

  @Test(
    "Latching and clearing an arpeggio act at the same frames in blocks of any length",
    arguments: [[16], [64], [480, 33, 1], [1_024], [8_192]])
  func latchFrames(blocks: [Int]) {
    let samples = renderLatched(blocks)
    #expect(samples == renderLatched([256]))
    #expect(samples[14_000..<17_000].contains { $0 != 0 } && samples[20_500...].allSatisfy { $0 == 0 })
    #expect(renderLatched(blocks, clears: false)[20_500...].contains { $0 != 0 })
  }
}
