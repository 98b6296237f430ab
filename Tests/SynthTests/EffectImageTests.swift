import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Sines through each effect: nothing is beside the tone but what the effect's own swing, or its curve, makes of it.
///
/// What goes by control ticks and is led from one to the next by straight lines has images around all multiples of the
/// ticks' rate, 3 kHz.
@Suite("Image frequencies of the effects") struct EffectImageTests {
  /// An effect, how far beside the tone its swing reaches in hertz, whether it bends, and the bar in decibels.
  struct Case: CustomStringConvertible, Sendable {
    let description: String
    let knobs: [(String, Float)]
    let reach: Double
    let bends: Bool
    let bar: Double

    init(
      _ name: String, _ knobs: [(String, Float)], reach: Double = 2, bends: Bool = false, bar: Double = -90
    ) {
      (description, self.knobs, self.reach, self.bends, self.bar) = (name, knobs, reach, bends, bar)
    }
  }

  private static let room: [(String, Float)] = [("/reverb/on", 1)]
  private static let phased: [(String, Float)] = [("/phaser/on", 1), ("/phaser/mix", 1)]
  private static let flanged: [(String, Float)] = [("/flanger/on", 1), ("/flanger/mix", 1)]
  private static let swung: [(String, Float)] = [("/chorus/on", 1), ("/chorus/mix", 1)]
  private static let spun: [(String, Float)] = [("/rotary/on", 1)]
  private static let echo: [(String, Float)] = [("/delay/on", 1), ("/delay/mix", 1), ("/delay/time", 0.1)]
  private static let bent: [(String, Float)] = [("/drive/on", 1), ("/drive/gain", 12)]

  private static let pressed: [(String, Float)] = [("/compressor/on", 1), ("/compressor/threshold", -30)]
  private static let quickest: [(String, Float)] = [
    ("/compressor/attack", 0.0005), ("/compressor/release", 0.01),
  ]

  static let cases = [
    Case("drive", bent, bends: true), Case("asymmetric drive", bent + [("/drive/shape", 1)], bends: true),
    // Measured -85.
    Case("power drive", bent + [("/drive/shape", 4)], bends: true, bar: -80),
    Case("equalizer", [("/eq/on", 1), ("/eq/low/gain", 6), ("/eq/2/gain", 12), ("/eq/high/gain", -6)]),
    // The held peaks follow how near to its peaks a tone is sampled: lines beside a tone of 5 kHz. Measured -88 and -83.
    Case("compressor", pressed, bends: true, bar: -80),
    Case("quickest compressor", pressed + quickest, bends: true, bar: -80),
    Case("phaser at rest", phased + [("/phaser/depth", 0)]), Case("phaser", phased, reach: 400),
    Case("phaser with feedback", phased + [("/phaser/feedback", 0.9)], reach: 400, bends: true),
    Case("phaser that sweeps most", phased + [("/phaser/depth", 1), ("/phaser/stages", 12)], reach: 400),
    Case("flanger at rest", flanged + [("/flanger/depth", 0), ("/flanger/feedback", 0)], bar: -96),
    // Eight points. What goes round in the loop is bent each time.
    Case("flanger", flanged + [("/flanger/feedback", 0)], reach: 400, bar: -96),
    Case(
      "flanger with feedback", flanged + [("/flanger/feedback", -0.9)], reach: 2_000, bends: true, bar: -96),
    Case(
      "flanger that sweeps most", flanged + [("/flanger/depth", 1), ("/flanger/feedback", 0)], reach: 400,
      bar: -96),
    Case("chorus at rest", swung + [("/chorus/depth", 0)]), Case("chorus", swung, reach: 2_000),
    Case("rotary speaker that stands", spun + [("/rotary/speed", 0)]),
    // Six points at 9 kHz. `RotaryTests` has the bars of lower tones.
    Case("rotary speaker", spun, reach: 400, bar: -48),
    Case("fast rotary speaker", spun + [("/rotary/speed", 2)], reach: 400, bar: -48),
    Case("ensemble", swung + [("/chorus/mode", 3)], reach: 2_000), Case("delay", echo, bends: true),
    Case("room", room + [("/reverb/mix", 0.5)], reach: 300),
    Case("room of 20 s", room + [("/reverb/mix", 0.5), ("/reverb/decay", 20)], reach: 300),
    Case("room alone", room + [("/reverb/mix", 1)], reach: 300),
    Case("room that swings most", room + [("/reverb/mix", 1), ("/reverb/modulation", 1)], reach: 300),
    Case("room at rest", room + [("/reverb/mix", 1), ("/reverb/modulation", 0)]),
  ]

  /// Effects without a case of their own, at the widest bounds.
  private static let others: [Case] = RackEffect.all.compactMap { effect in
    let isTested = cases.contains { $0.knobs.contains { $0.0 == effect.on } }
    return isTested ? nil : Case(effect.name, effect.mixed(1), reach: 2_000, bends: true, bar: -80)
  }

  /// A sine that lies on a bin and comes in slowly, so that nothing else is in its spectrum.
  private static func sine(_ bin: Double, _ frames: Int) -> [Float] {
    (0..<frames).map { i in
      let swell = min(1, Double(i) / 48_000)
      return Float(
        0.25 * swell * sin(2 * Double.pi * bin * Double(i % Spectrum.size) / Double(Spectrum.size)))
    }
  }

  /// How far a frequency is from the nearest harmonic of a tone, and from what of those is folded at half the rate.
  private static func fromHarmonics(_ hertz: Double, of tone: Double) -> Double {
    (1...60).map { k -> Double in
      let folded = (Double(k) * tone).truncatingRemainder(dividingBy: 48_000)
      return abs(hertz - min(folded, 48_000 - folded))
    }.min() ?? 0
  }

  @Test(
    "A sine through an effect has no image lines above the effect's bar of -96 to -48 dB",
    arguments: cases + others)
  func sineImages(_ effect: Case) {
    var (worst, place) = (-200.0, "")
    for hertz in [440, 2_093.005, 5_000, 9_000] as [Double] {
      let bin = (hertz / 48_000 * Double(Spectrum.size)).rounded()
      let tone = bin * 48_000 / Double(Spectrum.size)
      var left = Self.sine(bin, 192_000 + Spectrum.size)
      var right = left
      EffectBench(Scene.with(effect.knobs)[0].patch.effects, rate: 48_000).process(&left, &right)
      let spectrum = Spectrum(left.suffix(Spectrum.size))
      let top = spectrum.power.max() ?? 1
      // Below, the window spreads what no frequency has.
      for index in 8..<spectrum.power.count where spectrum.power[index] > 1e-10 * top {
        let line = Double(index) * spectrum.bin
        let away = effect.bends ? Self.fromHarmonics(line, of: tone) : abs(line - tone)
        let level = 10 * log10(spectrum.power[index] / top)
        if away > max(effect.reach, 6 * spectrum.bin), level > worst {
          (worst, place) = (level, "\(Int(tone)) Hz: a line at \(Int(line)) Hz")
        }
      }
    }
    print("images: \(effect): \(worst) dB \(place)")
    #expect(worst < effect.bar, "\(place)")
  }
}
