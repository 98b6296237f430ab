import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The filter as an oscillator: resonance at its top.
@Suite("Self-oscillation of the filter") struct FilterRingingTests {
  private static let rate = 48_000.0

  static let pitches = Lanes(30, 110, 440, 1_000, 4_186, 8_000, 12_000, 15_000)

  /// From 30 Hz to 15 kHz within 1 cent, level within 6 dB of each other, and there with the first period: for 24 and
  /// 12 dB.
  @Test(
    "At full resonance the filter rings within 1 cent of its cutoff from 30 Hz to 15 kHz",
    arguments: [Float(0), 1])
  func ringingPitch(_ short: Float) {
    let sound = Self.ring(short: short)
    var (levels, worst): ([Double], Double) = ([], 0)
    for lane in 0..<8 {
      let hertz = Double(Self.pitches[lane])
      let tail = sound.suffix(32_768).map { $0[lane] }
      let cents = 1_200 * log2(Self.frequency(tail, near: hertz) / hertz)
      worst = max(worst, abs(cents))
      #expect(abs(cents) < 1, "\(hertz) Hz: \(cents) cents")
      let level = tail.peak
      levels.append(Double(level))
      let first = sound.prefix(max(480, Int(Self.rate / hertz))).map { $0[lane] }.peak
      #expect(first > 0.5 * level && first < 2 * level, "\(hertz) Hz begins at \(first)")
    }
    let spread = 20 * log10((levels.max() ?? 1) / (levels.min() ?? 1))
    print("ringing: \(short == 1 ? 12 : 24) dB: \(worst) cents, levels \(levels), \(spread) dB")
    #expect(spread < 6 && levels.min() ?? 0 > 0.3)
  }

  /// A second of the filter alone, struck as a voice is, a pitch in each lane.
  static func ring(short: Float) -> [Lanes] {
    var filter = FilterLanes()
    filter.shape = FilterShape(
      resonance: Lanes(repeating: 1), modes: FilterModes(), short: Lanes(repeating: short))
    let needs = filter.jump(to: pitches, rate: Float(rate))
    filter.strike(mask(0xff))
    var unit = Ramp()
    unit.rest(at: Lanes(repeating: 1 / FilterLanes.gain))
    var x = [Lanes](repeating: .zero, count: 48_000)
    var mix = x
    // At rest, as the voice's filter is when every step is 0.
    _ = filter.processShaped(&x, unit, mix: &mix, frames: 48_000, needs: needs)
    return mix
  }

  /// The frequency of a steady tone: how far its phase goes from the first to the second half, under windows.
  static func frequency(_ x: [Float], near hertz: Double) -> Double {
    let half = x.count / 2
    func phase(_ from: Int) -> Double {
      var (re, im) = (0.0, 0.0)
      for n in 0..<half {
        let window = 1 - cos(2 * Double.pi * (Double(n) + 0.5) / Double(half))
        let angle = 2 * Double.pi * hertz / rate * Double(from + n)
        re += window * Double(x[from + n]) * cos(angle)
        im -= window * Double(x[from + n]) * sin(angle)
      }
      return atan2(im, re)
    }
    var turn = phase(half) - phase(0)
    turn -= 2 * Double.pi * (turn / (2 * Double.pi)).rounded()
    return hertz + turn / (2 * Double.pi) * rate / Double(half)
  }
}
