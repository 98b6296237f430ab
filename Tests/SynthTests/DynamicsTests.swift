import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The dynamics of a part: how far its level rises from soft to hard strokes.
@Suite struct DynamicsTests {
  private static let tone: [(String, Float)] = [
    ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/level", -6),
  ]

  private static func scene(depth: Float, dynamics: Float) -> Scene {
    .with(tone + [("/amp/velocity", depth), ("/velocity/dynamics", dynamics)])
  }

  /// Decibels from a stroke of velocity 20 to one of 127.
  private static func range(depth: Float, dynamics: Float) -> Float {
    func level(_ velocity: Float) -> Float {
      let player = Player(scene(depth: depth, dynamics: dynamics), running: true)
      player.press(69, velocity: velocity / 127)
      player.play(9_600)
      return Array(player.left.suffix(4_800)).peak
    }
    return 20 * log10(level(127) / level(20))
  }

  @Test("They multiply the decibels from soft to hard strokes, also those of the square of the velocity")
  func ranges() {
    for depth in [0.3, 0.7, 1] as [Float] {
      let own = Self.range(depth: depth, dynamics: 0)
      for dynamics in [-1, -0.5, 0.5, 1] as [Float] {
        let range = Self.range(depth: depth, dynamics: dynamics)
        let wanted = own * (1 + dynamics)
        #expect(abs(range - wanted) < 0.1, "\(depth), \(dynamics): \(range) of \(own)")
      }
    }
    for dynamics in [-1, 0, 1] as [Float] {
      #expect(abs(Self.range(depth: 0, dynamics: dynamics)) < 0.01, "all strokes are alike already")
    }
  }

  @Test("A held note glides to the level of other dynamics")
  func glides() throws {
    func play(to dynamics: Float) -> [Float] {
      let player = Player(Self.scene(depth: 0.9, dynamics: 0), running: true)
      player.press(81, velocity: 20 / 127)
      player.play(4_800)
      player.left = []
      player.link.scene.publish(Self.scene(depth: 0.9, dynamics: dynamics))
      player.play(9_600)
      return player.left
    }
    let still = play(to: 0)
    for dynamics in [-1, 1] as [Float] {
      let moved = play(to: dynamics)
      let loud = still.indices.filter { still[$0].magnitude > 0.3 * still.peak }
      let gains = loud.map { (frame: $0, gain: moved[$0] / still[$0]) }
      let last = try #require(gains.last).gain
      #expect(dynamics < 0 ? last > 7 : last < 0.3, "\(last)")
      // At once it would move by all of that from one frame to the next.
      for (one, next) in zip(gains, gains.dropFirst()) {
        let step = (next.gain - one.gain).magnitude / Float(next.frame - one.frame)
        #expect(step < 0.01 * (last - 1).magnitude, "frame \(next.frame)")
      }
    }
  }
}
