import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// Pulse width as a target.
@Suite("Pulse width modulation") struct PulseWidthTests {
  private static let pulse: [(String, Float)] = [
    ("/osc/1/wave", 3), ("/filter/cutoff", 20_000), ("/amp/attack", 0.001), ("/amp/velocity", 0),
  ]

  /// The part of the time that a wave is above the middle between its peaks.
  private func width(_ wave: some Collection<Float>) -> Double {
    let middle = ((wave.max() ?? 0) + (wave.min() ?? 0)) / 2
    return Double(wave.count { $0 > middle }) / Double(wave.count)
  }

  @Test(
    "A modulation amount moves the pulse width as far as the same turn of its knob",
    arguments: [0.25, -0.25, 0.4] as [Float])
  func slotAmount(_ amount: Float) {
    let slot = ModulationTests.slot(1, .constant, .width1, amount)
    let moved = ModulationTests.play(Self.pulse + slot, note: 45, frames: 24_000).left
    let turned = ModulationTests.play(Self.pulse + [("/osc/1/width", 0.5 + amount)], note: 45, frames: 24_000)
      .left
    let difference = zip(moved[4_800...], turned[4_800...]).map { abs($0 - $1) }.max() ?? 1
    // Measured 2e-6.
    #expect(difference < 2e-4 * turned.peak, "\(difference / turned.peak)")
    #expect(abs(width(moved[4_800...]) - Double(0.5 + amount)) < 0.02)
  }

  @Test("A triangle LFO of 1 Hz moves the pulse width in straight lines between 0.1 and 0.9")
  func triangleLFO() {
    let slot = ModulationTests.slot(1, .lfo, .width1, 0.4)
    let moved = ModulationTests.play(
      Self.pulse + slot + [("/lfo/1/rate", 1), ("/lfo/1/wave", 1)], note: 57, frames: 48_000)
    // A quarter of the way up at 0.125 s: 0.7; at 0.25 s 0.9, at 0.75 s 0.1.
    for (seconds, expected) in [(0.125, 0.7), (0.25, 0.89), (0.5, 0.5), (0.75, 0.11)] {
      let at = Int(seconds * 48_000)
      #expect(abs(width(moved.left[(at - 436)..<(at + 436)]) - expected) < 0.03, "\(seconds)")
    }
  }

  /// Ways to make a pulse, beside the plainest: as a sum of jumps, with updates half as often; a waveform by itself; begun
  /// anew by the first oscillator, with longer jumps.
  private static let ways: [(others: [(String, Float)], bound: Float)] = [
    ([("/osc/1/unison", 2)], -38), ([("/osc/2/feedback", 0.001)], -43), ([("/osc/2/sync", 1)], -26),
  ]

  /// The difference beside the plainest way. Measured -40, -45 and -27 dB, of which -29 is the other shape of the jumps; -16
  /// with a step at each update.
  @Test(
    "However the pulse is generated, an LFO of 20 Hz moves its width in a straight line",
    arguments: 0..<3)
  func widthMotion(way: Int) {
    let knobs: [(String, Float)] = [
      ("/osc/1/level", 0), ("/osc/2/level", 1), ("/osc/2/wave", 3), ("/filter/cutoff", 20_000),
      ("/lfo/1/rate", 20), ("/lfo/1/wave", 0),
    ]
    let moved = knobs + ModulationTests.slot(1, .lfo, .width2, 0.4)
    let plain = ModulationTests.play(moved, note: 57, frames: 48_000).left.dropFirst(8_000)
    let other = ModulationTests.play(moved + Self.ways[way].others, note: 57, frames: 48_000).left.dropFirst(
      8_000)
    func power(_ x: some Sequence<Float>) -> Float { x.reduce(0) { $0 + $1 * $1 } }
    let decibels = 10 * log10(power(zip(plain, other).map { $0 - $1 }) / power(plain))
    #expect(decibels < Self.ways[way].bound, "\(decibels) dB")
  }
}
