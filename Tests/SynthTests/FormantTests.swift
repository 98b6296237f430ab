import Glibc
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// The formant filter by itself, against the table of vowels and the formulas of its analogue model.
@Suite("Formant filter") struct FormantTests {
  private static let rate = 48_000.0
  /// Hertz, decibels and bandwidths of the four peaks of each vowel.
  private static let vowels: [(hertz: [Double], level: [Double], width: [Double])] = [
    ([650, 1_080, 2_650, 2_955], [0, -6, -7, -7.83], [80, 90, 120, 131.7]),
    ([400, 1_700, 2_600, 3_322], [0, -14, -12, -13.03], [70, 80, 100, 120]),
    ([290, 1_870, 2_800, 3_317], [0, -15, -18, -19.59], [40, 90, 100, 120]),
    ([400, 800, 2_600, 2_832], [0, -10, -12, -11.83], [40, 80, 100, 120]),
    ([350, 600, 2_700, 2_976], [0, -20, -17, -13.73], [40, 60, 100, 120]),
  ]
  /// The gain of each vowel, decibels.
  private static let gains = [15.97, 14.41, 15.6, 17.8, 14.15]

  private static func shape(_ vowel: Float, _ resonance: Float) -> FormantShape {
    FormantShape(
      resonance: Lanes(repeating: resonance), modes: FilterModes(Lanes(repeating: vowel)))
  }

  /// The middle of the cutoff's knob, in octaves above 1 Hz.
  private static let middle = Float(log2(20_000.0 * 20) / 2)

  private static func response(
    _ shape: FormantShape, octaves: Float = 0, _ x: [Float], rate: Double = rate
  ) -> [Double] {
    var formant = FormantLanes()
    let cutoff = Lanes(repeating: middle + octaves * 4.982892)
    formant.begin(at: cutoff, shape, rate: Float(rate))
    var (input, y) = (x.map { Lanes(repeating: $0) }, [Lanes](repeating: .zero, count: x.count))
    formant.process(&input, to: &y, frames: x.count, moves: true)
    return y.map { Double($0[5]) }
  }

  private static func impulse(_ count: Int) -> [Float] { [1] + [Float](repeating: 0, count: count - 1) }

  /// The formula: band-passes side by side with signs in turn.
  private static func analogue(_ vowel: Double, _ resonance: Double, octaves: Double, _ hertz: Double)
    -> Double
  {
    let below = min(Int(vowel), 3)
    let part = vowel - Double(below)
    let (one, two) = (vowels[below], vowels[below + 1])
    let wider = 1 - 2 * resonance
    let gain = gains[below] + part * (gains[below + 1] - gains[below]) - 0.65 * wider * 20 * log10(2)
    var (re, im) = (0.0, 0.0)
    for peak in 0..<4 {
      func between(_ x: Double, _ y: Double) -> Double { pow(x, 1 - part) * pow(y, part) }
      let center = between(one.hertz[peak], two.hertz[peak])
      let k = between(one.width[peak], two.width[peak]) / center * exp2(wider)
      let level = one.level[peak] + part * (two.level[peak] - one.level[peak]) + gain
      let amplitude = pow(10, level / 20) * (peak % 2 == 0 ? 1 : -1)
      let u = hertz / (center * exp2(octaves))
      let below = (1 - u * u) * (1 - u * u) + k * u * k * u
      re += amplitude * k * u * k * u / below
      im += amplitude * k * u * (1 - u * u) / below
    }
    return (re * re + im * im).squareRoot()
  }

  @Test(
    "Each vowel and each midpoint of two is within 1 dB of the vowel table, also shifted",
    arguments: [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4], [-1.0, 0, 0.8])
  func vowelTable(_ vowel: Double, _ octaves: Double) {
    var worst = 0.0
    for resonance in [0.0, 0.5, 1] {
      let impulse = Self.response(
        Self.shape(Float(vowel), Float(resonance)), octaves: Float(octaves), Self.impulse(24_000)
      ).map { Float($0) }
      for hertz in stride(from: 150.0, to: 7_000, by: 50) {
        let expected = Self.analogue(vowel, resonance, octaves: octaves, hertz)
        guard expected > 0.05 else { continue }
        worst = max(worst, abs(20 * log10(FilterResponseTests.magnitude(impulse, hertz) / expected)))
      }
    }
    print("formant response: vowel \(vowel), shifted \(octaves): \(worst) dB")
    #expect(worst < 1)
  }

  private static func saw(_ hertz: Double, _ count: Int) -> [Float] {
    (0..<count).map { n in
      let angle: Double = 2 * Double.pi * hertz / rate * Double(n)
      return (1...Int(20_000 / hertz)).reduce(Float(0)) { $0 + Float(sin(angle * Double($1)) / Double($1)) }
    }
  }

  private static func power(_ x: some Sequence<Double>) -> Double { x.reduce(0) { $0 + $1 * $1 } }

  @Test("A saw of 110 Hz keeps its RMS within 0.3 dB at medium resonance, and within 3 dB elsewhere")
  func sawLevel() {
    let saw = Self.saw(110, 14_400)
    let plain = Self.power(saw.suffix(4_800).map { Double($0) })
    for resonance in [Float(0.5), 0, 1] {
      let levels = (0..<5).map { vowel in
        let y = Self.response(Self.shape(Float(vowel), resonance), saw)
        return 10 * log10(Self.power(y.suffix(4_800)) / plain)
      }
      print("formant levels: resonance \(resonance): \(levels) dB")
      #expect(levels.allSatisfy { abs($0) < (resonance == 0.5 ? 0.3 : 3) })
    }
  }

  @Test("Formant coefficients at rest give the same output as moving ones that do not change")
  func restingFilter() {
    let (shape, cutoff) = (Self.shape(1.3, 0.7), Lanes(repeating: 9))
    var formant = FormantLanes()
    formant.begin(at: cutoff, shape, rate: Float(Self.rate))
    var other = formant
    var x = (0..<512).map { Lanes(repeating: Float($0 % 9) - 4) }
    var (y, z) = (x, x)
    formant.process(&x, to: &y, frames: 512, moves: true)
    other.process(&x, to: &z, frames: 512, moves: false)
    #expect(y == z)
  }

  /// Everything jumps at every tick, each lane for itself, under a loud input: it stays bounded, and silence follows.
  @Test(
    "With every setting jumping at each control tick the output stays below 60, and silence follows",
    arguments: [UInt64(1), 2, 3], [Float(22_050), 48_000, 192_000])
  func nothingGrowsWhateverJumps(_ seed: UInt64, _ rate: Float) {
    var random = SeededRandom(seed)
    var formant = FormantLanes()
    formant.begin(at: Lanes(repeating: 9), FormantShape(), rate: rate)
    var (loudest, last): (Float, Float) = (0, 0)
    for tick in 0..<6_000 {
      let ends = tick >= 2_000
      let shape = FormantShape(
        resonance: ends ? .zero : .random(in: -0.2...1.2, using: &random),
        modes: FilterModes(.random(in: 0...4, using: &random)))
      let cutoff = Lanes.random(in: 0...20, using: &random)
      _ = formant.aim(at: cutoff, shape, rate: rate, perFrame: 1 / 16, mayRest: false)
      var x = (0..<16).map { _ in ends ? .zero : Lanes.random(in: -2...2, using: &random) }
      var y = x
      formant.process(&x, to: &y, frames: 16, moves: true)
      let peak = y.map { magnitude($0).max() }.max() ?? 0
      if !ends { loudest = max(loudest, peak) }
      if tick > 5_900 { last = max(last, peak) }
      #expect(y.allSatisfy { sample in (0..<8).allSatisfy { sample[$0].isFinite } })
    }
    print("formant fuzz: \(rate) Hz, loudest \(loudest), at the end \(last)")
    #expect(loudest < 60 && last < 1e-6)
  }
}
