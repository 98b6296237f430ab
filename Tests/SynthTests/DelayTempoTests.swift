import EngineHarness
import Testing
@testable import Scenes
@testable import Synth

/// A delay that goes by a tempo which is not quite steady.
@Suite("The delay at an unsteady tempo") struct DelayTempoTests {
  /// Seconds of a control tick.
  private static let tick: Float = 16 / 48_000

  /// The tempos that a delay goes by while a clock gives one for some time each.
  private func follow(_ clock: [Float], every seconds: Float) -> [Float] {
    var steady = SteadyTempo()
    steady.snap(2)
    return clock.map { tempo in
      for _ in 0..<Int(seconds / Self.tick) { steady.follow(tempo, seconds: Self.tick) }
      return steady.perSecond
    }
  }

  /// Wavering by half a per cent, a number for each beat.
  private static let wavering: [Float] = (0..<240).map {
    2 * (1 + 0.01 * (Float(($0 * 37) % 101) / 100 - 0.5))
  }

  /// Taps twice a second, and a MIDI clock of 24 in each beat: the delay stays where it is.
  @Test(
    "A clock that wavers by half a percent does not move the tempo of the delay",
    arguments: [0.5, 0.02] as [Float])
  func waveringClock(_ seconds: Float) {
    let tempos = follow(Self.wavering, every: seconds)
    let moved = tempos.filter { $0 != 2 }.count
    #expect(moved == 0)
  }

  @Test("The delay follows a large tempo change at once and a small one after a second")
  func intendedChange() {
    // At once, where it is more than wavering.
    #expect(follow([2.03], every: Self.tick) == [2.03])
    // Exactly, when it has stayed for a second.
    #expect(follow([2.01], every: 0.9) == [2])
    #expect(follow([2.01], every: 1.1) == [2.01])
    // In the mean, where the clock wavers around another tempo.
    let last = follow(Self.wavering.map { $0 * 1.006 }, every: 0.1).suffix(100)
    let isNear = last.allSatisfy { abs($0 / 2.012 - 1) < 0.005 }
    #expect(isNear)
    #expect(Set(last).count < 5)
  }

  @Test("Synced echoes have the same bits at a wavering tempo as at a steady one") func steadyEchoes() {
    // A sixteenth.
    func render(_ tempos: [Float]) -> [UInt32] {
      var scene = Scene.with([("/delay/on", 1), ("/delay/mix", 0.5), ("/delay/time", 0.1)])
      scene[0].patch.effects.delay.sync = 12
      let player = Player(scene, rate: 22_050, running: true)
      player.link.scene.service()
      player.press(57)
      for tempo in tempos {
        scene.master.tempo = tempo
        player.link.scene.publish(scene)
        player.link.scene.service()
        player.play(512)
      }
      return player.left.bits
    }
    let steady = [Float](repeating: 120, count: 30)
    let wavering = [120] + Self.wavering.prefix(29).map { $0 * 60 }
    let isTheSame = isSame(render(wavering), render(steady))
    #expect(isTheSame)
    let isOther = !isSame(
      render(Array(steady.prefix(10)) + steady.suffix(20).map { $0 * 1.03 }), render(steady))
    #expect(isOther)
  }
}
