import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The ladder by itself, against the formulas of its analogue model: four one-poles 1 / (1 + s) in a loop.
@Suite("Ladder filter") struct LadderTests {
  private static let rate = 48_000.0

  /// The response of the ladder to a small impulse, so small that the cubic is a straight line.
  private static func response(_ shape: LadderShape, _ cutoffs: Lanes, count: Int) -> [Lanes] {
    var (ladder, stages) = (LadderLanes(), LadderStages())
    ladder.shape = shape
    ladder.begin(at: cutoffs, hertz: cutoffs, rate: Float(rate))
    var x = [Lanes](repeating: .zero, count: count)
    x[0] = Lanes(repeating: impulse)
    ladder.process(&x, &stages, frames: count, isMixed: true)
    return x
  }

  private static let impulse: Float = 1e-3

  /// Every mode and slope is the analogue ladder at the frequency that the bilinear transform gives, at once for the loss
  /// of the pass-band and its half that is made up.
  @Test(
    "Every mode and slope of the ladder matches the analogue ladder within 0.05 dB",
    arguments: [0, 1, 2, 3, 4], [Float(0), 1])
  func analogueResponse(_ mode: Int, _ short: Float) {
    var worst = 0.0
    let cutoffs = Lanes(300, 500, 1_000, 2_500, 4_000, 5_500, 8_000, 10_000)
    for resonance in [Float(0), 0.3, 0.6, 0.8] {
      let shape = LadderShape(
        resonance: Lanes(repeating: resonance), modes: FilterModes(Lanes(repeating: Float(mode))),
        short: Lanes(repeating: short))
      let feedback = Double(shape.feedback[0])
      let impulses = Self.response(shape, cutoffs, count: 12_288)
      for lane in 0..<8 {
        for hertz in [100.0, 250, 700, 1_500, 3_000, 6_000, 9_000, 12_000] {
          let w = tan(Double.pi * hertz / Self.rate) / tan(Double.pi * Double(cutoffs[lane]) / Self.rate)
          let expected = Self.analogue(mode, isShort: short == 1, feedback, w)
          guard expected > 0.003 else { continue }
          let measured =
            FilterResponseTests.magnitude(impulses.map { $0[lane] }, hertz) / Double(Self.impulse)
          worst = max(worst, abs(20 * log10(measured / expected)))
        }
      }
    }
    print("ladder: \(FilterResponseTests.modes[mode]) \(short == 1 ? 12 : 24) dB: \(worst) dB")
    #expect(worst < 0.05)
  }

  /// The numerators over (1 + s)⁴ + k, at s = iw.
  private static func analogue(_ mode: Int, isShort: Bool, _ k: Double, _ w: Double) -> Double {
    let one = 1 + w * w
    let section = [1, 2 * w, w * w, abs(1 - w * w), one][mode]
    let above = isShort ? section * one : section * section
    // (1 + iw)⁴ + k
    let (re, im) = (1 - 6 * w * w + w * w * w * w + k, 4 * w - 4 * w * w * w)
    return (1 + k).squareRoot() * above / (re * re + im * im).squareRoot()
  }

  /// Decibels an octave, from three to four octaves beyond the cutoff.
  @Test(
    "Each mode of the ladder has its slope of 6, 12 or 24 dB per octave beyond the cutoff",
    arguments: [
      (0, 0, 24), (0, 1, 12), (1, 0, 12), (1, 1, 6), (2, 0, -24), (2, 1, -12),
    ] as [(Float, Float, Double)])
  func rolloff(_ kind: (mode: Float, short: Float, slope: Double)) {
    let shape = LadderShape(
      resonance: .zero, modes: FilterModes(Lanes(repeating: kind.mode)), short: Lanes(repeating: kind.short))
    let cutoff = kind.slope > 0 ? 200.0 : 4_000
    let impulse = Self.response(shape, Lanes(repeating: Float(cutoff)), count: 16_384).map { $0[0] }
    let near = cutoff * (kind.slope > 0 ? 8 : 1.0 / 8)
    let far = near * (kind.slope > 0 ? 2 : 0.5)
    let fall =
      20 * log10(FilterResponseTests.magnitude(impulse, near) / FilterResponseTests.magnitude(impulse, far))
    print("ladder: mode \(kind.mode), \(kind.short == 1 ? 12 : 24) dB: \(fall) dB an octave")
    // Measured within 0.27 dB.
    #expect(abs(fall - abs(kind.slope)) < 1)
  }

  /// So modes begin and end without a step.
  @Test("The ladder mixed as a low-pass equals the unmixed ladder exactly") func mixedLowPass() {
    let shape = LadderShape(resonance: Lanes(repeating: 0.7), modes: FilterModes(), short: .zero)
    let cutoffs = Lanes(100, 300, 500, 1_000, 2_500, 4_000, 8_000, 15_000)
    var ladder = LadderLanes()
    ladder.shape = shape
    ladder.begin(at: cutoffs, hertz: cutoffs, rate: Float(Self.rate))
    var (mixed, one, other) = (ladder, LadderStages(), LadderStages())
    var x = (0..<512).map { Lanes(repeating: Float($0 % 9) - 4) }
    var y = x
    ladder.process(&x, &one, frames: 512, isMixed: false)
    mixed.process(&y, &other, frames: 512, isMixed: true)
    #expect(x == y)
  }

  /// The resonance at which the feedback is `feedback`.
  static func resonance(_ feedback: Float) -> Float {
    var (low, high): (Float, Float) = (0, 1)
    for _ in 0..<24 {
      let middle = (low + high) / 2
      let shape = LadderShape(resonance: Lanes(repeating: middle), modes: FilterModes(), short: .zero)
      if shape.feedback[0] < feedback { low = middle } else { high = middle }
    }
    return low
  }

  @Test("The resonance knob of the ladder raises its feedback steadily from 0 to 4.2") func resonanceRange() {
    func feedback(_ resonance: Float) -> Float {
      LadderShape(resonance: Lanes(repeating: resonance), modes: FilterModes(), short: .zero).feedback[0]
    }
    #expect(feedback(0) < 1e-12 && abs(feedback(1) - 4.2) < 0.01)
    #expect(feedback(0.95) < 4 && feedback(0.98) > 4)
    for step in 0..<100 { #expect(feedback(Float(step) / 100) < feedback(Float(step + 1) / 100)) }
  }
}
