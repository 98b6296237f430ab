import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The compressor against the formulas of its curve and its times.
@Suite("The compressor") struct CompressorTests {
  private static func sine(_ hertz: Double, decibels: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(pow(10, decibels / 20) * sin(2 * .pi * hertz / 48_000 * Double($0))) }
  }

  private static func play(
    _ left: [Float], _ right: [Float]? = nil, _ change: (inout CompressorKnobs) -> Void = { _ in }
  ) -> (left: [Float], right: [Float]) {
    var effects = EffectKnobs()
    (effects.compressor.on, effects.compressor.mix, effects.compressor.ratio) = (1, 1, 4)
    (effects.compressor.threshold, effects.compressor.attack, effects.compressor.release) = (-20, 0.001, 0.2)
    change(&effects.compressor)
    var (left, right) = (left, right ?? left)
    EffectBench(effects, rate: 48_000).process(&left, &right)
    return (left, right)
  }

  private static func decibels(_ peak: Float) -> Double { 20 * log10(Double(peak) + 1e-12) }

  /// The output level of a level in decibels: a line of slope 1 / ratio above the threshold, with a knee of 6 dB.
  private static func output(_ level: Double, threshold: Double, ratio: Double) -> Double {
    let (over, slope) = (level - threshold, 1 - 1 / ratio)
    if over <= -3 { return level }
    return level - slope * (over >= 3 ? over : (over + 3) * (over + 3) / 12)
  }

  /// Measured: within 0.02 dB. The held peaks of a sine of 1 kHz fall by 0.02 dB from one to the next.
  @Test(
    "Output levels are within 0.1 dB of the curve of threshold, ratio and 6 dB knee",
    arguments: [(-20, 4), (-36, 2), (-6, 10), (-48, 20), (-18, 1)] as [(Float, Float)])
  func levelCurve(_ knobs: (threshold: Float, ratio: Float)) {
    var worst = 0.0
    for level in stride(from: -60.0, through: 6, by: 1.5) {
      let x = Self.sine(1_000, decibels: level, 24_000)
      let y = Self.play(x) { ($0.threshold, $0.ratio) = knobs }.left
      let right = Self.output(level, threshold: Double(knobs.threshold), ratio: Double(knobs.ratio))
      worst = max(worst, abs(Self.decibels(Array(y.suffix(4_800)).peak) - right))
    }
    print("compressor: \(knobs): within \(worst) dB of the curve")
    #expect(worst < 0.1)
  }

  @Test("Both sides have the gain of the louder side, so that the stereo balance is kept")
  func stereoBalance() {
    let (x, soft) = (Self.sine(1_000, decibels: 0, 9_600), Self.sine(1_300, decibels: -30, 9_600))
    let y = Self.play(x, soft)
    for frame in stride(from: 4_800, to: 9_600, by: 97) where abs(x[frame]) > 0.1 && abs(soft[frame]) > 0.01 {
      #expect(abs((y.left[frame] / x[frame]) / (y.right[frame] / soft[frame]) - 1) < 1e-4)
    }
  }

  /// A level that jumps: 63 % of the reduction are there after the attack, and 37 % are left after the release. Measured:
  /// within 4 %.
  @Test(
    "Attack and release are the time constants of the gain reduction within 10 %",
    arguments: [0.0005, 0.003, 0.01, 0.05, 0.2] as [Float], [0.01, 0.05, 0.15, 0.6, 2] as [Float])
  func timeConstants(_ attack: Float, _ release: Float) {
    // A square wave has its level at each frame.
    let (loud, soft) = (Int(10 * attack * 48_000), Int(2 * release * 48_000))
    let x = (0..<loud + soft).map { ($0 / 24 % 2 == 0 ? 1 : -1) * ($0 < loud ? 1 : Float(0.01)) }
    let y = Self.play(x) { ($0.attack, $0.release) = (attack, release) }.left
    let reduction = zip(x, y).map { Self.decibels(abs($0)) - Self.decibels(abs($1)) }
    #expect(abs(reduction[loud - 1] - 15) < 0.02)
    // Counted from the last frame before the jump.
    let up = reduction.firstIndex { $0 > 15 * (1 - exp(-1.0)) }.map { $0 + 1 } ?? 0
    let down = reduction[loud...].firstIndex { $0 < 15 * exp(-1.0) }.map { $0 + 1 - loud } ?? 0
    let (rise, fall) = (Double(up) / 48_000 / Double(attack), Double(down) / 48_000 / Double(release))
    print("compressor: attack \(attack) s takes \(rise), release \(release) s \(fall) of its time")
    #expect(abs(rise - 1) < 0.1 && abs(fall - 1) < 0.1)
  }

  /// The third harmonic of 50 Hz, 10 dB over the threshold, by which the gain follows the waveform.
  @Test("A tone of 50 Hz, 10 dB above the threshold, has less than 0.25 % of distortion") func lowTones() {
    let x = Self.sine(50.048828125, decibels: -10, 48_000 + 16_384)
    let y = Self.play(x) { ($0.attack, $0.release) = (0.01, 0.15) }.left
    let spectrum = Spectrum(y.suffix(16_384), size: 16_384)
    let tone = spectrum.power(from: 30, to: 70)
    let rest = sqrt(spectrum.power(from: 80, to: 2_000) / tone)
    print("compressor: distortion of 50 Hz \(100 * rest) %")
    #expect(rest < 0.0025)
  }

  @Test("Sound below the knee passes unchanged to the bit, and silence stays silent") func belowThreshold() {
    let x = Self.sine(300, decibels: -24, 9_600)
    let isTheSame = isSame(Self.play(x).left.bits, x.bits)
    #expect(isTheSame)
    let silence = [Float](repeating: 0, count: 4_800)
    #expect(Self.play(silence).left.allSatisfy { $0 == 0 })
  }

  @Test("A sine 120 dB above full scale is compressed to a finite level below 0.6") func extremeLevel() {
    let y = Self.play(Self.sine(300, decibels: 120, 4_800)) { $0.ratio = 20 }.left
    #expect(y.allSatisfy { $0.isFinite } && Array(y.suffix(480)).peak < 0.6)
  }
}
