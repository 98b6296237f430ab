import EngineHarness
import Glibc
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// How the ladder sounds: as an oscillator, under a saw, and whatever its knobs do.
@Suite("Sound of the ladder filter") struct LadderSoundTests {
  private static let rate = 48_000.0

  private static func ladder(_ resonance: Float, _ cutoffs: Lanes) -> LadderLanes {
    var ladder = LadderLanes()
    ladder.shape = LadderShape(resonance: Lanes(repeating: resonance), modes: FilterModes(), short: .zero)
    ladder.begin(at: cutoffs, hertz: cutoffs, rate: Float(rate))
    return ladder
  }

  /// At the top of the knob and near the onset.
  @Test(
    "The ladder self-oscillates within 1 cent from 50 Hz to 12 kHz, at full level at once",
    arguments: [Float(4.05), 4.2])
  func selfOscillation(_ feedback: Float) {
    let pitches = Lanes(50, 110, 440, 1_000, 2_000, 5_000, 8_000, 12_000)
    let ladder = Self.ladder(feedback > 4.19 ? 1 : LadderTests.resonance(feedback), pitches)
    var (moved, stages) = (ladder, LadderStages())
    ladder.strike(&stages, mask(0xff))
    var x = [Lanes](repeating: .zero, count: 65_536)
    moved.process(&x, &stages, frames: x.count, isMixed: false)
    var (off, levels): ([Double], [Float]) = ([], [])
    for lane in 0..<8 {
      let hertz = Double(pitches[lane])
      let tail = x.suffix(32_768).map { $0[lane] }
      off.append(1_200 * log2(FilterRingingTests.frequency(tail, near: hertz) / hertz))
      levels.append(tail.peak)
      let first = x.prefix(max(480, Int(Self.rate / hertz))).map { $0[lane] }.peak
      #expect(first > 0.9 * tail.peak && first < 1.1 * tail.peak, "\(hertz) Hz begins at \(first)")
    }
    print("ladder rings: \(feedback): \(off) cents, levels \(levels)")
    // Measured 0.04 cents.
    #expect(off.allSatisfy { abs($0) < 1 })
    // The sine that the cubic holds, 3 (1 - 4 / feedback)^½: 0.333 and 0.655.
    let level = 3 * (1 - 4 / feedback).squareRoot()
    #expect(levels.prefix(6).allSatisfy { abs($0 - level) < 0.05 * level })
  }

  @Test("At full resonance the ladder starts to oscillate from silence within a second")
  func startsFromSilence() {
    var ladder = Self.ladder(1, Lanes(repeating: 440))
    var stages = LadderStages()
    var x = [Lanes](repeating: .zero, count: 16)
    var loudest: Float = 0
    for tick in 0..<3_000 {
      ladder.tickle(&stages)
      x = [Lanes](repeating: .zero, count: 16)
      ladder.process(&x, &stages, frames: 16, isMixed: false)
      if tick > 2_900 { loudest = max(loudest, x.map { magnitude($0).max() }.max() ?? 0) }
    }
    #expect(loudest > 0.6)
  }

  /// A saw at the default level of an oscillator, feedback 3.8: what is no harmonic of it.
  @Test(
    "A saw through the ladder aliases below -120 dB at a 4 kHz cutoff and -40 dB at 12 kHz",
    arguments: [(151, 220), (601, 880)])
  func sawAliases(_ tone: (turns: Int, hertz: Int)) {
    let (count, level) = (32_768, 0.7 * 2 / Double.pi)
    let sines = (0..<count).map { sin(2 * Double.pi * Double($0) / Double(count)) }
    let harmonics = 1...count * 23 / 48 / tone.turns
    let period = (0..<count).map { n in
      harmonics.reduce(0.0) { $0 + sines[(n &* tone.turns &* $1) & (count - 1)] / Double($1) } * level
    }
    var x = (period + period).map { Lanes(repeating: Float($0)) }
    let cutoffs = Lanes(500, 1_000, 2_000, 4_000, 6_000, 8_000, 12_000, 16_000)
    var (ladder, stages) = (Self.ladder(LadderTests.resonance(3.8), cutoffs), LadderStages())
    ladder.process(&x, &stages, frames: x.count, isMixed: false)
    let aliases = (0..<8).map { lane in
      Self.besides(x.suffix(count).map { Double($0[lane]) }, tone.turns, sines)
    }
    print("ladder aliases: saw of \(tone.hertz) Hz, cutoffs \(cutoffs): \(aliases) dB")
    // Measured -124 and -129 dB at 220 Hz, -128 and -129 at 880; at 12 kHz -47 and -41.
    #expect(aliases[1] < -120 && aliases[3] < -120)
    #expect(aliases[6] < -40)
  }

  /// What is in some samples besides the harmonics of a tone with that many periods, in dB of all.
  private static func besides(_ x: [Double], _ turns: Int, _ sines: [Double]) -> Double {
    let count = x.count
    var rest = x
    for harmonic in 0...count / 2 / turns {
      var (re, im) = (0.0, 0.0)
      for n in 0..<count {
        let place = n &* turns &* harmonic
        re += x[n] * sines[(place + count / 4) & (count - 1)]
        im += x[n] * sines[place & (count - 1)]
      }
      let scale = (harmonic == 0 ? 1.0 : 2.0) / Double(count)
      for n in 0..<count {
        let place = n &* turns &* harmonic
        rest[n] -= scale * (re * sines[(place + count / 4) & (count - 1)] + im * sines[place & (count - 1)])
      }
    }
    func power(_ x: [Double]) -> Double { x.reduce(0) { $0 + $1 * $1 } }
    return 10 * log10(power(rest) / power(x))
  }

  @Test(
    "The ladder stays bounded under loud input while its knobs jump at every tick, then decays",
    arguments: [UInt64(1), 2, 3])
  func boundedUnderJumps(_ seed: UInt64) {
    var random = SeededRandom(seed)
    var (ladder, stages) = (LadderLanes(), LadderStages())
    ladder.begin(at: Lanes(repeating: 10), hertz: Lanes(repeating: 1_024), rate: Float(Self.rate))
    var (loudest, last): (Float, Float) = (0, 0)
    for tick in 0..<6_000 {
      let (corner, ends) = (tick % 3 == 0, tick >= 4_000)
      ladder.shape = LadderShape(
        resonance: ends ? .zero : .random(in: corner ? 0.9...1.2 : 0...1, using: &random),
        modes: FilterModes(.random(in: 0...4, using: &random)), short: .random(in: 0...1, using: &random))
      let cutoff = Lanes.random(in: corner ? 14...15 : 5...15, using: &random)
      ladder.aim(
        at: cutoff, hertz: exp2(cutoff), rate: Float(Self.rate), perFrame: 1 / 16, isMixed: true,
        mayRest: true)
      var x = (0..<16).map { _ in ends ? .zero : Lanes.random(in: -10...10, using: &random) }
      ladder.process(&x, &stages, frames: 16, isMixed: true)
      let peak = x.map { magnitude($0).max() }.max() ?? 0
      if !ends { loudest = max(loudest, peak) }
      if tick > 5_900 { last = max(last, peak) }
      #expect(x.allSatisfy { sample in (0..<8).allSatisfy { sample[$0].isFinite } })
    }
    print("ladder fuzz: loudest \(loudest), at the end \(last)")
    // Measured 37.
    #expect(loudest < 60 && last < 1e-6)
  }
}
