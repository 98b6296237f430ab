import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The magnitude of the filter, against the formulas of its analogue prototype.
@Suite("Frequency response of the filter") struct FilterResponseTests {
  static let rate: Float = 48_000
  static let modes = ["low", "band", "high", "notch", "peak"]

  /// Every mode, 24 and 12 dB, cutoffs to 10 kHz, up to 16 kHz, down to -40 dB: within 1 dB.
  @Test(
    "Every filter mode is within 1 dB of the analogue prototype up to 16 kHz, at 12 and 24 dB",
    arguments: [0, 1, 2, 3, 4], [Float(0), 1])
  func modeResponse(_ mode: Int, _ short: Float) {
    var worst = (decibels: 0.0, at: "")
    let cutoffs = Lanes(300, 500, 1_000, 2_500, 4_000, 5_500, 8_000, 10_000)
    let pitches =
      stride(from: 25, through: 40, by: 1).map { exp2(Double($0) / 3) } + [12_000, 14_000, 16_000]
    for resonance in [Float(0), 0.3, 0.6, 0.89] {
      let shape = FilterShape(
        resonance: Lanes(repeating: resonance), modes: FilterModes(Lanes(repeating: Float(mode))),
        short: Lanes(repeating: short))
      let impulses = Self.impulseResponse(shape, cutoffs: cutoffs, count: 12_288)
      for lane in 0..<8 {
        let (cutoff, impulse) = (Double(cutoffs[lane]), impulses.map { $0[lane] })
        for hertz in pitches where hertz > cutoff / 20 {
          let expected = Self.analogue(mode, short == 1, shape, hertz / cutoff)
          // At the bottom of a notch there is nothing to compare.
          guard expected > 0.01, mode != 3 || abs(log2(hertz / cutoff)) > 0.05 else { continue }
          let error = 20 * log10(Self.magnitude(impulse, hertz) / expected)
          if abs(error) > abs(worst.decibels) {
            worst = (error, "\(Int(hertz)) Hz, cutoff \(Int(cutoff)) Hz, resonance \(resonance)")
          }
        }
      }
    }
    print("response: \(Self.modes[mode]) \(short == 1 ? 12 : 24) dB: \(worst.decibels) dB at \(worst.at)")
    #expect(abs(worst.decibels) < 1, "\(worst)")
  }

  /// The prototype, s = jw in units of the cutoff: each section's numerator over 1 + ks + s².
  static func analogue(_ mode: Int, _ isShort: Bool, _ shape: FilterShape, _ w: Double) -> Double {
    func section(_ k: Double, band: Double) -> Double {
      let below = ((1 - w * w) * (1 - w * w) + k * k * w * w).squareRoot()
      let above = [1, band * w, w * w, abs(1 - w * w), 1 + w * w][mode]
      return above / below
    }
    let first = Double(FilterLanes.damping)
    let second = section(Double(shape.damping[0]), band: Double(shape.bandLevel[0]))
    return isShort ? second : section(first, band: first) * second
  }

  static func impulseResponse(_ shape: FilterShape, cutoffs: Lanes, count: Int) -> [Lanes] {
    var filter = FilterLanes()
    filter.shape = shape
    let needs = filter.jump(to: cutoffs, rate: rate)
    var x = [Lanes](repeating: .zero, count: count)
    var mix = x
    x[0] = Lanes(repeating: 1)
    var unit = Ramp()
    unit.rest(at: Lanes(repeating: 1 / FilterLanes.gain))
    _ =
      needs.isPlain
      ? filter.process(&x, unit, mix: &mix, frames: count)
      : filter.processShaped(&x, unit, mix: &mix, frames: count, needs: needs)
    return mix
  }

  static func magnitude(_ x: [Float], _ hertz: Double) -> Double {
    var (re, im) = (0.0, 0.0)
    let (c, s) = (cos(2 * Double.pi * hertz / Double(rate)), sin(2 * Double.pi * hertz / Double(rate)))
    var (a, b) = (1.0, 0.0)
    for value in x {
      re += Double(value) * a
      im -= Double(value) * b
      (a, b) = (a * c - b * s, a * s + b * c)
    }
    return (re * re + im * im).squareRoot()
  }

  @Test("Filter coefficients at rest give the same output as moving coefficients with steps of 0")
  func restingFilter() {
    var moving = FilterLanes()
    moving.shape = FilterShape(resonance: Lanes(repeating: 0.6), modes: FilterModes(), short: .zero)
    _ = moving.jump(to: Lanes(repeating: 700), rate: Self.rate)
    var resting = moving
    var (one, other) = ([Lanes](repeating: .zero, count: 64), [Lanes](repeating: .zero, count: 64))
    var (x, y) = (one, one)
    for n in 0..<64 { x[n] = Lanes(repeating: Float(n % 9) - 4) }
    y = x
    var gain = Ramp()
    gain.rest(at: Lanes(repeating: 0.25))
    _ = moving.process(&x, gain, mix: &one, frames: 64)
    _ = resting.processAtRest(&y, gain, mix: &other, frames: 64)
    #expect(one == other)
  }

  /// What is mixed, and mixed as a low-pass, is the plain low-pass: modes begin and end without a step.
  @Test(
    "The mixed filter modes set to low-pass are within 3e-6 of the plain low-pass",
    arguments: [Float(0), 1], [200.0, 3_000, 12_000])
  func aMixedLowPassIsThePlainOne(_ short: Float, _ cutoff: Double) {
    let shape = FilterShape(
      resonance: Lanes(repeating: 0.5), modes: FilterModes(), short: Lanes(repeating: short))
    let plain = Self.impulseResponse(shape, cutoffs: Lanes(repeating: Float(cutoff)), count: 256)
    var filter = FilterLanes()
    filter.shape = shape
    _ = filter.jump(
      to: Lanes(repeating: Float(cutoff)), rate: Self.rate, also: FilterNeeds.mixed | FilterNeeds.saturated)
    var needs = shape.needs
    needs.bits |= FilterNeeds.mixed | FilterNeeds.saturated
    var x = [Lanes](repeating: .zero, count: 256)
    var mix = x
    x[0] = Lanes(repeating: 1)
    var unit = Ramp()
    unit.rest(at: Lanes(repeating: 1 / FilterLanes.gain))
    _ = filter.processShaped(&x, unit, mix: &mix, frames: 256, needs: needs)
    // Measured 2e-7.
    for n in 0..<256 { #expect(abs(mix[n][2] - plain[n][2]) < 3e-6) }
  }
}

extension FilterLanes {
  /// Has all its coefficients for a cutoff in Hz at once; what it needs for its shape.
  mutating func jump(to hertz: Lanes, rate: Float, also more: UInt16 = 0) -> FilterNeeds {
    var needs = shape.needs
    needs.bits |= more
    var octaves = Lanes.zero
    for lane in 0..<8 { octaves[lane] = log2(hertz[lane]) }
    if needs.isPlain {
      _ = aim(at: octaves, hertz: hertz, rate: rate, perFrame: 1, mayRest: false)
    } else {
      aimShaped(at: octaves, hertz: hertz, rate: rate, perFrame: 1, needs: needs, before: FilterNeeds())
    }
    snap(mask(0xff), frames: 1)
    return needs
  }
}
