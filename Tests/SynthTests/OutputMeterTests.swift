import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// What the meters of the output are told: the peak of what goes out, and how much the limiter turns it down.
@Suite("Output meters") struct OutputMeterTests {
  private static func decibels(_ factor: Float) -> Float { 20 * log10f(factor) }

  /// A sine's peak and reduction in its last tenth of a second, with so many decibels more at the amplifier.
  private func sine(_ more: Float) -> (peak: Float, reduction: Float) {
    let player = Player(
      .with([
        ("/osc/1/wave", 0), ("/filter/cutoff", 20_000), ("/amp/velocity", 0), ("/amp/sustain", 1),
        ("/amp/level", more), ("/level", more > 0 ? 6 : 0), ("/master/level", more > 0 ? 6 : 0),
      ]))
    player.press(57, velocity: 1)
    player.play(19_200, block: 480)
    _ = (player.link.meters.takeShownPeak(), player.link.meters.takeReduction())
    player.left = []
    player.play(4_800, block: 480)
    let (peak, reduction) = (player.link.meters.takeShownPeak(), player.link.meters.takeReduction())
    #expect(peak == player.left.peak)
    // Each has been taken.
    #expect(player.link.meters.takeShownPeak() == 0 && player.link.meters.takeReduction() == 1)
    return (Self.decibels(peak), Self.decibels(reduction))
  }

  /// What the limiter lets through is its ceiling, 0.6 dB under full scale. Measured within 0.01 dB.
  @Test("The metered gain reduction is the excess of a sine over the limiter's ceiling in dB")
  func meteredReduction() {
    let quiet = sine(0)
    #expect(quiet.peak < -1 && quiet.reduction == 0)
    let loud = sine(12)
    let expected = quiet.peak + 24 + 0.63
    #expect(abs(loud.reduction - expected) < 0.1 && expected > 6, "\(loud.reduction) of \(expected)")
    #expect(abs(loud.peak + 0.63) < 0.1, "\(loud.peak)")
  }

  @Test("The limiter reports a gain of 0.5 for a sine of twice its ceiling, and 1 for quiet sines")
  func lowestGain() {
    var limiter = Limiter(rate: 48_000)
    func limit(_ amplitude: Float, _ frames: Int) -> Float {
      var l = (0..<frames).map { amplitude * sinf(Float($0) * 2 * .pi * 1_000 / 48_000) }
      var r = l
      limiter.process(&l, &r, frames: frames)
      return limiter.takeLowestGain()
    }
    #expect(limit(0.92, 4_800) == 1)
    _ = limit(1.86, 48_000)
    let gain = limit(1.86, 4_800)
    #expect(abs(gain - 0.5) < 0.005, "\(gain)")
    _ = limit(0.1, 192_000)
    #expect(limit(0.1, 4_800) == 1)
  }

  @Test("Peak and gain reduction are also metered for a part on outputs of its own")
  func ownOutputs() throws {
    let player = OutputsPlayer(
      .with([("/amp/level", 12), ("/level", 6), ("/master/level", 6), ("/osc/1/wave", 3)]),
      outputs: try #require(PartOutputs("3-4")), pairs: 2)
    for note in [45, 52, 57, 64] { player.press(note) }
    player.play(9_600)
    #expect(player.link.meters.takeShownPeak() > 0.8)
    #expect(player.link.meters.takeReduction() > 2)
  }
}
