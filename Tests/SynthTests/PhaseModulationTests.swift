import EngineHarness
import Glibc
import Testing

@testable import Synth

/// What phase modulation and feedback keep of their depth, and how they alias.
@Suite struct PhaseModulationTests {
  typealias Knobs = [(String, Float)]
  private static let open: Knobs = [
    ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
    ("/amp/sustain", 1),
  ]
  private static let size = 16_384

  private static func play(_ knobs: Knobs, _ key: Int) -> Player {
    let player = Player(.with(open + knobs))
    player.press(key, velocity: 1)
    player.play(4_800 + size, block: 256)
    return player
  }

  private static func pitch(_ key: Int) -> Double { 440 * exp2(Double(key - 69) / 12) }

  private static func aliasing(_ knobs: Knobs, _ key: Int) -> Double {
    Spectrum(play(knobs, key).left.dropFirst(4_800), size: size).aliasing(of: pitch(key))
  }

  /// The index that sounds, of the index that the knob sets; with the modulator some octaves above the carrier.
  @Test(
    arguments: [
      (2, 0, 105, 2), (2, 1, 93, 2), (2, 1, 100, 1.43), (2, 1, 105, 0.68), (2, 2, 88, 1.58), (2, 2, 96, 0.5),
      (20, 0, 81, 20), (20, 0, 93, 10.1), (20, 2, 69, 10.6),
    ] as [(Float, Float, Int, Float)])
  func theIndexIsKeptUpToTheTop(_ knob: Float, _ octaves: Float, _ key: Int, _ expected: Float) {
    let player = Self.play(
      [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/octave", octaves), ("/osc/1/pm", knob)], key)
    // The lanes without a voice are lower, and their index is that of the knob.
    let halfPeriods = player.engine.pointee.voices.groups[0].block.extras.pointee.index.value.min()
    #expect(abs(halfPeriods * .pi / expected - 1) < 0.03, "\(halfPeriods * .pi)")
  }

  /// A sine by a sine, as deep as it goes: the modulator at the carrier's frequency up to eight times that.
  @Test(arguments: [57, 69, 81, 93, 105], [0, 1, 2, 3] as [Float])
  func theDeepestModulationDoesNotAlias(_ key: Int, _ octaves: Float) {
    let aliasing = Self.aliasing(
      [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/octave", octaves), ("/osc/1/pm", 20)], key)
    print("aliasing: deepest modulation, key \(key), \(octaves) octaves: \(aliasing) dB")
    // Measured at worst: -56.1 dB, by a modulator three octaves above.
    #expect(aliasing < -55)
  }
}
