import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The limiter against true peaks, measured sixteen times as dense as the samples by a far longer sinc than its own.
@Suite("Limiter") struct LimiterTests {
  private static let frames = 24_000

  /// A stereo signal through the limiter: the left side of what comes out.
  private func limited(_ signal: (Int) -> Float) -> [Float] {
    var limiter = Limiter(rate: 48_000)
    var (l, r) = ((0..<Self.frames).map(signal), (0..<Self.frames).map { 0.5 * signal($0) })
    limiter.process(&l, &r, frames: l.count)
    return l
  }

  /// Decibels over full scale of the largest value between samples.
  private func truePeak(_ x: [Float]) -> Double {
    let half = 32
    let factors = (0..<16).map { phase in
      (1 - half...half).map { tap -> Double in
        let place = Double(tap) - Double(phase) / 16
        let sinc = place == 0 ? 1 : sin(.pi * place) / (.pi * place)
        return sinc * (0.5 + 0.5 * cos(.pi * place / Double(half + 1)))
      }
    }
    var most = 0.0
    for i in half..<x.count - half where x[i].magnitude > 0.6 {
      for phase in factors {
        var sum = 0.0
        for (tap, factor) in phase.enumerated() { sum += factor * Double(x[i + tap - half + 1]) }
        most = max(most, abs(sum))
      }
    }
    return 20 * log10(most)
  }

  /// Measured, in decibels over full scale, with 0.1's limiter: saws +0.14, noise +1.4, squares +1.5, the sine between its
  /// samples +2.6, a single saw 0.0; now -0.63, -0.36,
  /// -0.66, -0.59 and -0.70, and single peaks -0.63.
  @Test(
    "The limiter keeps true peaks, also between samples, of six loud signals under -0.3 dBFS",
    arguments: 0..<6)
  func truePeaks(_ signal: Int) {
    var words = UInt32(1)
    func noise() -> Float {
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 2_147_483_648
    }
    func saw(_ i: Int, _ hertz: Double) -> Float {
      let angle: Double = 2 * Double.pi * hertz * Double(i) / 48_000
      var sum = 0.0
      for harmonic in 1...Int(20_000 / hertz) { sum += sin(angle * Double(harmonic)) / Double(harmonic) }
      return Float(sum)
    }
    let phases = (0..<12).map { 110 * pow(2, Double($0) * 5 / 12) }
    let peak = truePeak(
      limited { i in
        switch signal {
        case 0: phases.prefix(6).reduce(0) { $0 + saw(i, $1) }
        case 1: 2 * noise()
        case 2: i / 24 % 2 == 0 ? 1 : -1
        case 3: 1.41 * Float(sin(Double.pi / 2 * (Double(i) + 0.5)))
        case 4: 2 * saw(i, 3_520)
        // Single peaks out of silence.
        default: i % 4_800 == 2_400 ? 4 : 0
        }
      })
    #expect(peak < -0.3)
  }

  /// A sine 6 dB over the ceiling, once the slow stage has found its gain. Measured: 0.008, 0.004, 0.001 and 0.09 %;
  /// 0.1 had 1.5 % at 50 Hz.
  @Test(
    "A sine 6 dB over the ceiling of the limiter is distorted by less than 0.5 %",
    arguments: [30.0, 50, 100, 1_000])
  func loudSine(_ hertz: Double) {
    let x = limited { 1.9 * Float(sin(2 * .pi * hertz * Double($0) / 48_000)) }.suffix(9_600)
    // What is left of it without the sine itself, over a whole number of periods.
    let count = Int((9_600 * hertz / 48_000).rounded(.down) / hertz * 48_000)
    let last = Array(x.suffix(count))
    var (a, b, power) = (0.0, 0.0, 0.0)
    for (i, sample) in last.enumerated() {
      a += Double(sample) * sin(2 * .pi * hertz * Double(i) / 48_000)
      b += Double(sample) * cos(2 * .pi * hertz * Double(i) / 48_000)
      power += Double(sample) * Double(sample)
    }
    let sine = (a * a + b * b) * 2 / Double(count)
    #expect(((power - sine) / sine) < 0.005 * 0.005)
  }

  @Test("Sound below the ceiling passes the limiter bit for bit, also after a peak was limited")
  func unlimitedSound() {
    var limiter = Limiter(rate: 48_000)
    var l = (0..<240_000).map { i in (i == 4_800 ? 3 : 0.4) * sinf(Float(i) * 0.03) }
    let input = l
    var r = l
    limiter.process(&l, &r, frames: l.count)
    let (before, after) = (4_700, 200_000)
    #expect(Array(l[Limits.lookAhead..<before]).bits == Array(input[..<(before - Limits.lookAhead)]).bits)
    #expect(
      Array(l[after...]).bits == Array(input[(after - Limits.lookAhead)..<(240_000 - Limits.lookAhead)]).bits)
  }
}
