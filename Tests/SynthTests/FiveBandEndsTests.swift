import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The equalizer of a part at the ends of its knobs: what they say is there, and nothing beyond.
@Suite("Extremes of the five-band equalizer") struct FiveBandEndsTests {
  /// Decibels at a frequency, and the bits of the response to an impulse.
  private static func response(_ hertz: Double, _ set: (inout FiveBandKnobs) -> Void) -> (Double, [UInt32]) {
    var knobs = EffectKnobs()
    (knobs.equalizer.on, knobs.equalizer.mix) = (1, 1)
    (knobs.equalizer.low.frequency, knobs.equalizer.high.frequency) = (100, 8_000)
    for bell in [\FiveBandKnobs.bell1, \.bell2, \.bell3] {
      (knobs.equalizer[keyPath: bell].frequency, knobs.equalizer[keyPath: bell].q) = (1_000, 1)
    }
    set(&knobs.equalizer)
    var left = [Float](repeating: 0, count: 32_768)
    left[0] = 1
    var right = left
    EffectBench(knobs, rate: 48_000).process(&left, &right)
    var (re, im) = (0.0, 0.0)
    for (index, x) in left.enumerated() {
      re += Double(x) * cos(2 * .pi * hertz * Double(index) / 48_000)
      im += Double(x) * sin(2 * .pi * hertz * Double(index) / 48_000)
    }
    return (10 * log10(re * re + im * im), left.bits)
  }

  typealias Bell = WritableKeyPath<FiveBandKnobs, BellKnobs> & Sendable

  @Test(
    "A bell reaches 18 dB both ways, 20 Hz to 20 kHz and Q 0.3 to 10, and clamps values beyond",
    arguments: [\FiveBandKnobs.bell1, \.bell2, \.bell3] as [Bell])
  func bellLimits(_ bell: Bell) {
    func at(
      _ hertz: Double, _ gain: Float, _ frequency: Float, _ q: Float
    ) -> (decibels: Double, bits: [UInt32]) {
      let (decibels, bits) = Self.response(hertz) {
        ($0[keyPath: bell].gain, $0[keyPath: bell].frequency, $0[keyPath: bell].q) = (gain, frequency, q)
      }
      return (decibels, bits)
    }
    for gain: Float in [-18, 18] {
      #expect(abs(at(1_000, gain, 1_000, 1).decibels - Double(gain)) < 0.1)
      #expect(isSame(at(1_000, 2 * gain, 1_000, 1).bits, at(1_000, gain, 1_000, 1).bits))
    }
    for (frequency, beyond) in [(20, 5), (20_000, 30_000)] as [(Float, Float)] {
      #expect(abs(at(Double(frequency), 12, frequency, 1).decibels - 12) < 0.5)
      #expect(isSame(at(1_000, 12, beyond, 1).bits, at(1_000, 12, frequency, 1).bits))
    }
    // Where the bell of the Audio EQ Cookbook is half of its decibels high, with a width of w/Q: as far as (w - 1/w)·Q = 1.
    for (q, beyond) in [(0.3, 0.1), (10, 30)] as [(Float, Float)] {
      let half = 1 / (2 * Double(q)) + (1 / (4 * Double(q * q)) + 1).squareRoot()
      #expect(abs(at(1_000 / half, 12, 1_000, q).decibels - 6) < 0.3, "\(q)")
      #expect(isSame(at(1_000, 12, 1_000, beyond).bits, at(1_000, 12, 1_000, q).bits))
    }
  }

  @Test("Shelves reach 18 dB both ways and leave the far end flat; the low shelf clamps more gain")
  func shelfLimits() {
    for gain: Float in [-18, 18] {
      let low = Self.response(20) { ($0.low.gain, $0.low.frequency) = (gain, 1_000) }
      let high = Self.response(18_000) { ($0.high.gain, $0.high.frequency) = (gain, 1_000) }
      #expect(abs(low.0 - Double(gain)) < 0.3 && abs(high.0 - Double(gain)) < 0.3)
      #expect(abs(Self.response(18_000) { ($0.low.gain, $0.low.frequency) = (gain, 1_000) }.0) < 0.3)
      #expect(abs(Self.response(20) { ($0.high.gain, $0.high.frequency) = (gain, 1_000) }.0) < 0.3)
      let beyond = Self.response(20) { ($0.low.gain, $0.low.frequency) = (1.5 * gain, 1_000) }
      #expect(isSame(beyond.1, low.1))
    }
  }
}
