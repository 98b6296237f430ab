import Glibc
import Testing
@testable import Scenes
@testable import Synth

@Suite("Extremes of the master equalizer") struct EqualizerCornerTests {
  /// The master's equalizer at the corners of its ranges, which are those of vDSP's sample: a sine at and beside its centre comes
  /// out within 0.1 dB of what the biquad of the Audio EQ Cookbook makes of the same sine, sample by sample.
  @Test("The master equalizer is within 0.1 dB of its formula at the ends of all its ranges")
  func rangeCorners() {
    var worst = 0.0
    for hertz in [20.0, 20_000] {
      for q in [0.1, 25] {
        for gain in [-50.0, 50] {
          for beside in [1, 0.8] { worst = max(worst, deviation(hertz, q, gain, hertz * beside)) }
        }
      }
    }
    print("equalizer: the master's is \(worst) dB off its formula at most, at the corners of its ranges")
    #expect(worst < 0.1)
  }

  /// How many decibels the power of a sine in the second half of a tenth of a second is off.
  private func deviation(_ hertz: Double, _ q: Double, _ gain: Double, _ sine: Double) -> Double {
    var equalizer = Equalizer(rate: 48_000)
    var set = EqualizerKnobs()
    set.bypass = 0
    (set.frequency, set.q, set.gain) = (Float(hertz), Float(q), Float(gain))
    var l = (0..<4_800).map { Float(0.5 * sin(2 * Double.pi * sine * Double($0) / 48_000)) }
    let x = l.map(Double.init)
    var r = l
    equalizer.aim(set, frames: 16)
    equalizer.process(&l, &r, frames: l.count)
    let (a, w) = (pow(10, Double(set.gain) / 40), 2 * Double.pi * Double(set.frequency) / 48_000)
    let alpha = sin(w) / (2 * Double(set.q))
    let (b0, b1, b2) = (1 + alpha * a, -2 * cos(w), 1 - alpha * a)
    let (a0, a1, a2) = (1 + alpha / a, -2 * cos(w), 1 - alpha / a)
    var (x1, x2, y1, y2) = (0.0, 0.0, 0.0, 0.0)
    var (power, expected) = (0.0, 0.0)
    for i in 0..<x.count {
      let y = (b0 * x[i] + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2) / a0
      (x2, x1, y2, y1) = (x1, x[i], y1, y)
      if i >= x.count / 2 {
        power += Double(l[i]) * Double(l[i])
        expected += y * y
      }
    }
    return abs(10 * log10(power / expected))
  }
}
