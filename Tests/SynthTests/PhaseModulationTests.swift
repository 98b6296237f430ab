import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// What phase modulation and feedback keep of their depth, and how they alias.
@Suite("Phase modulation and feedback") struct PhaseModulationTests {
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
    "The modulation index is that of the knob and is reduced only at high pitches",
    arguments: [
      (2, 0, 105, 2), (2, 1, 93, 2), (2, 1, 100, 1.43), (2, 1, 105, 0.68), (2, 2, 88, 1.58), (2, 2, 96, 0.5),
      (20, 0, 81, 20), (20, 0, 93, 10.1), (20, 2, 69, 10.6),
    ] as [(Float, Float, Int, Float)])
  func reducedIndex(_ knob: Float, _ octaves: Float, _ key: Int, _ expected: Float) {
    let player = Self.play(
      [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/octave", octaves), ("/osc/1/pm", knob)], key)
    // The lanes without a voice are lower, and their index is that of the knob.
    let halfPeriods = player.engine.groups[0].block.extras.pointee.index.value.min()
    #expect(abs(halfPeriods * .pi / expected - 1) < 0.03, "\(halfPeriods * .pi)")
  }

  /// A sine by a sine, as deep as it goes: the modulator at the carrier's frequency up to eight times that.
  @Test(
    "A sine modulated by a sine at the highest index, 20, aliases below -55 dB",
    arguments: [57, 69, 81, 93, 105], [0, 1, 2, 3] as [Float])
  func deepestIndex(_ key: Int, _ octaves: Float) {
    let aliasing = Self.aliasing(
      [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/2/octave", octaves), ("/osc/1/pm", 20)], key)
    print("aliasing: deepest modulation, key \(key), \(octaves) octaves: \(aliasing) dB")
    // Measured at worst: -56.1 dB, by a modulator three octaves above.
    #expect(aliasing < -55)
  }

  /// A sine by a waveform that jumps: from 110 Hz to 1.76 kHz. Measured: -82 to -97 dB, and -75 dB by a square at the
  /// highest pitch.
  @Test(
    "A sine modulated by a waveform with jumps aliases below -72 dB up to index 20",
    arguments: [1, 3, 8, 20] as [Float],
    [
      [("/osc/2/wave", 2)], [("/osc/2/wave", 3)], [("/osc/2/wave", 3), ("/osc/2/width", 0.1)],
      [("/osc/2/wave", 5), ("/osc/2/width", 0.95)],
    ]
      as [Knobs])
  func jumpingModulators(_ index: Float, _ modulator: Knobs) {
    for key in [45, 57, 69, 81, 93] {
      let aliasing = Self.aliasing(modulator + [("/osc/1/wave", 0), ("/osc/1/pm", index)], key)
      #expect(aliasing < -72, "key \(key)")
    }
  }

  @Test(
    "A modulator that is heard itself sounds the same as without modulation",
    arguments: [2, 3] as [Float])
  func audibleModulator(_ wave: Float) {
    let knobs: Knobs = [
      ("/osc/1/level", 0), ("/osc/2/wave", wave), ("/osc/2/level", 0.5), ("/osc/2/unison", 3),
    ]
    let (alone, modulating) = (Self.play(knobs, 57), Self.play(knobs + [("/osc/1/pm", 3)], 57))
    // From sample to sample: what is taken out of the mean is still on its way.
    let errors = zip(Self.steps(alone), Self.steps(modulating)).map { abs($0 - $1) }
    #expect((errors.max() ?? 1) < 1e-4 && alone.left.peak > 0.05)
  }

  private static func steps(_ player: Player) -> [Float] {
    zip(player.left.dropFirst(), player.left).map { $0 - $1 }
  }

  /// A carrier that jumps, or has corners, by a sine at its frequency, twice and four times that: from 110 Hz to 1.76 kHz.
  /// Measured at worst: -76, -59 and -47 dB, at the highest pitch.
  @Test(
    "A carrier with jumps or corners aliases below -45 dB under a sine at up to 4 times its pitch",
    arguments: [1, 2, 3, 5] as [Float], [(0, -72), (1, -56), (2, -45)] as [(Float, Double)])
  func jumpingCarriers(_ wave: Float, _ modulator: (octaves: Float, most: Double)) {
    for key in [45, 57, 69, 81, 93] {
      for index in [1, 3, 10] as [Float] {
        let aliasing = Self.aliasing(
          [
            ("/osc/1/wave", wave), ("/osc/2/wave", 0), ("/osc/2/octave", modulator.octaves),
            ("/osc/1/pm", index),
          ],
          key)
        #expect(aliasing < modulator.most, "key \(key), index \(index)")
      }
    }
  }

  /// A carrier that jumps by a modulator that jumps, at its frequency and twice that: from 55 to 880 Hz. Measured at worst:
  /// -48 dB up to an index of 3, and -38 dB at 10.
  @Test(
    "A saw or pulse modulated by a saw or pulse aliases below -47 dB, or -37 dB at index 10",
    arguments: [2, 3] as [Float], [2, 3] as [Float])
  func jumpingPairs(_ wave: Float, _ modulator: Float) {
    for (octaves, index) in [(0, 1), (0, 3), (0, 10), (1, 1), (1, 3), (1, 10)] as [(Float, Float)] {
      for key in [33, 45, 57, 69, 81] {
        let aliasing = Self.aliasing(
          [
            ("/osc/1/wave", wave), ("/osc/2/wave", modulator), ("/osc/2/octave", octaves),
            ("/osc/1/pm", index),
          ], key)
        print("aliasing: wave \(wave) by \(modulator), index \(index), key \(key): \(aliasing) dB")
        #expect(aliasing < (index > 3 ? -37 : -47), "\(octaves) octaves, index \(index), key \(key)")
      }
    }
  }

  @Test(
    "Feedback of every waveform aliases below -45 dB from 55 to 880 Hz",
    arguments: [0, 1, 2, 3, 5] as [Float], [0.3, 0.6, 0.8, 1] as [Float])
  func feedbackAliases(_ wave: Float, _ feedback: Float) {
    for key in [33, 45, 57, 69, 81] {
      let aliasing = Self.aliasing([("/osc/1/wave", wave), ("/osc/1/feedback", feedback)], key)
      print("aliasing: feedback \(feedback) of wave \(wave), key \(key): \(aliasing) dB")
      #expect(aliasing < -45, "key \(key)")
    }
  }
}
