import EngineHarness
import Parameters
import Testing
@testable import Scenes
@testable import Synth

@Suite("The test tone") struct TestToneTests {
  private func tone(_ scene: Scene = .initial, rate: Double = 48_000, block: Int = 64) -> Player {
    let player = Player(scene, rate: rate)
    player.play(block)
    player.link.tone.ask()
    player.play(Int(rate) * 3, block: block)
    return player
  }

  @Test(
    "is a quiet sine of 440 Hz for two seconds on both sides, then silence",
    arguments: [44_100.0, 48_000, 96_000])
  func sine(rate: Double) {
    let player = tone(rate: rate)
    #expect(isSame(player.left.bits, player.right.bits))
    #expect(player.left.peak <= 0.0317 && player.left.peak > 0.0315)
    let middle = Array(player.left[Int(rate / 2)..<Int(rate * 1.5)])
    let crossings = zip(middle, middle.dropFirst()).filter { $0 < 0 && $1 >= 0 }.count
    #expect((439...441).contains(crossings), "\(crossings)")
    let power = middle.reduce(Float(0)) { $0 + $1 * $1 } / Float(middle.count)
    #expect(abs(power - 0.0316 * 0.0316 / 2) < 1e-5)
    #expect(player.left.suffix(Int(rate * 0.9)).allSatisfy { $0 == 0 })
    // No click: no step is larger than a sine of that level has.
    let step = zip(player.left, player.left.dropFirst()).map { abs($0 - $1) }.max() ?? 1
    #expect(step < 0.0317 * 2 * .pi * 440 / Float(rate) * 1.05, "\(step)")
  }

  @Test("sounds whatever the master is set to, is as loud as ever when it is asked twice, and comes again")
  func always() {
    var scene = Scene.initial
    scene.master.level = -100
    let player = tone(scene)
    #expect(player.left.peak > 0.0315)
    player.left = []
    player.link.tone.ask()
    player.play(24_000)
    player.link.tone.ask()
    player.play(100_000)
    #expect(player.left.peak <= 0.0317 && player.left[72_100...].allSatisfy { abs($0) < 0.0317 })
    #expect(player.left.suffix(20_000).allSatisfy { $0 == 0 })
  }

  @Test("has the same bits in blocks of any size")
  func blocks() {
    let (one, other) = (tone(block: 64), tone(block: 37))
    let (a, b) = (one.left.drop { $0 == 0 }, other.left.drop { $0 == 0 })
    #expect(isSame(Array(a.prefix(96_000)).bits, Array(b.prefix(96_000)).bits))
  }
}
