import EngineHarness
import Glibc
import Parameters
import Scratch
import Testing
@testable import Scenes
@testable import Synth

/// The comb by itself, against its formula.
@Suite("The comb filter") struct CombTests {
  private static let rate = 48_000.0

  /// A ring in memory of its own, and the comb at some frequencies.
  private final class Comb {
    let memory: CombMemory
    let ring: CombRing
    var comb = CombLanes()
    var pole = Lanes.zero
    let rate: Double

    init(_ hertz: Lanes, _ shape: CombShape, rate: Double = CombTests.rate) {
      memory = CombMemory(rate: rate)
      self.rate = rate
      ring = UnsafePointer<CombPool>(bitPattern: memory.address).unsafelyUnwrapped.pointee.ring(
        3, isRight: true)
      comb.begin(at: CombTests.octaves(hertz), hertz: hertz, shape, longest: ring.longest, rate: Float(rate))
    }

    func aim(_ hertz: Lanes, _ shape: CombShape) {
      _ = comb.aim(
        at: CombTests.octaves(hertz), hertz: hertz, shape, longest: ring.longest, rate: Float(rate),
        perFrame: 1 / 16, mayRest: false)
    }

    func process(_ x: [Lanes], moves: Bool = false) -> [Lanes] {
      var (x, y) = (x, x)
      ring.process(&x, to: &y, &comb, &pole, frames: x.count, moves: moves)
      return y
    }
  }

  private static func octaves(_ hertz: Lanes) -> Lanes {
    var x = Lanes.zero
    for lane in 0..<8 { x[lane] = log2(hertz[lane]) }
    return x
  }

  private static func shape(_ resonance: Float, mode: Float = 0, short: Float = 0) -> CombShape {
    CombShape(
      resonance: Lanes(repeating: resonance), modes: FilterModes(Lanes(repeating: mode)),
      short: Lanes(repeating: short))
  }

  private static func impulse(_ count: Int) -> [Lanes] {
    [Lanes(repeating: 1)] + [Lanes](repeating: .zero, count: count - 1)
  }

  @Test(
    "From 50 Hz to 5 kHz, the comb is in tune within 1 cent, added or subtracted, bright or dull",
    arguments: [Float(0), 1], [Float(0), 0.7, 2])
  func inTune(_ short: Float, _ mode: Float) {
    let pitches = Lanes(50, 97, 262, 440, 1_000, 2_093, 3_520, 5_000)
    let comb = Comb(pitches, Self.shape(1, mode: mode, short: short))
    let y = comb.process(Self.impulse(65_536))
    var off: [Double] = []
    for lane in 0..<8 {
      let hertz = Double(pitches[lane])
      // The impulse response of a dull one is short: where it still rings.
      let tail = Array(y.dropFirst(mode == 0 ? 16_384 : 256).prefix(32_768).map { $0[lane] })
      let peak = Self.peak(tail, near: hertz)
      off.append(1_200 * log2(peak / hertz))
    }
    print("comb in tune: mode \(mode), subtracts \(short): \(off) cents")
    // Measured 0.22 cents when bright. A dull loop loses what is high within a few rounds: its peaks are as wide as they
    // are far from the treble that it takes, and have no pitch.
    #expect(off.prefix(mode == 0 ? 8 : mode < 1 ? 7 : 4).allSatisfy { abs($0) < 1 })
  }

  /// The frequency near `hertz` at which some samples have most, by a search of their transform under a Hann window.
  private static func peak(_ x: [Float], near hertz: Double) -> Double {
    let window = x.indices.map { 0.5 - 0.5 * cos(2 * Double.pi * Double($0) / Double(x.count)) }
    func power(_ f: Double) -> Double {
      let step = 2 * Double.pi * f / rate
      var (re, im) = (0.0, 0.0)
      for n in x.indices {
        let y = Double(x[n]) * window[n]
        re += y * cos(step * Double(n))
        im += y * sin(step * Double(n))
      }
      return re * re + im * im
    }
    // Golden section within half a semitone.
    var (low, high) = (hertz * exp2(-0.5 / 12), hertz * exp2(0.5 / 12))
    let ratio = (5.0.squareRoot() - 1) / 2
    for _ in 0..<24 {
      let (a, b) = (high - ratio * (high - low), low + ratio * (high - low))
      if power(a) > power(b) { high = b } else { low = a }
    }
    return (low + high) / 2
  }

  @Test(
    "The resonance sets the time in which the loop decays by 60 dB, from 20 ms to 10 s",
    arguments: [(0, 0.02), (0.5, 0.4525), (0.8, 2.9405), (1, 10.24)] as [(Float, Double)])
  func decayTime(_ knob: (resonance: Float, seconds: Double)) {
    let hertz = Lanes(100, 200, 400, 500, 600, 800, 1_000, 1_200)
    let y = Comb(hertz, Self.shape(knob.resonance)).process(Self.impulse(96_000))
    for lane in 0..<8 {
      // The pulses of every tenth round.
      let round = Self.rate / Double(hertz[lane])
      let rounds = max(1, (0.3 * knob.seconds * Self.rate / round).rounded())
      let far = Int((rounds * round).rounded())
      let one = y[Int(round.rounded()) - 1..<Int(round.rounded()) + 2].map { Double($0[lane]) }.reduce(0, +)
      guard far + Int(round) + 2 < y.count else { continue }
      let other = y[far + Int(round.rounded()) - 2..<far + Int(round.rounded()) + 3].map { Double($0[lane]) }
        .reduce(0, +)
      let fall = 20 * log10(one / other)
      let expected = 60 * rounds * round / Self.rate / knob.seconds
      print("comb falls: \(hertz[lane]) Hz, resonance \(knob.resonance): \(fall) dB for \(expected)")
      #expect(abs(fall - expected) < 0.03 * expected + 0.1)
    }
  }

  @Test(
    "The frequency response is within 0.3 dB of the formula, for both signs, bright and dull",
    arguments: [Float(0), 1], [Float(0), 2])
  func frequencyResponse(_ short: Float, _ mode: Float) {
    let pitch = 480.0
    let shape = Self.shape(0.5, mode: mode, short: short)
    let y = Comb(Lanes(repeating: Float(pitch)), shape).process(Self.impulse(48_000)).map { $0[2] }
    let kept = Double(exp2f(-shape.halvings[0] * Float((short == 1 ? 0.5 : 1) / pitch)))
    let pole = 1 - 1 / (1 + Double(shape.dullness[0]) * Self.rate)
    func late(_ angle: Double) -> Double { atan2(pole * sin(angle), 1 - pole * cos(angle)) / angle }
    let delay = Self.rate / pitch * (short == 1 ? 0.5 : 1) - late(2 * Double.pi * pitch / Self.rate)
    var worst = 0.0
    for hertz in stride(from: 60.0, to: 5_000, by: 60) {
      let angle = 2 * Double.pi * hertz / Self.rate
      // The loop's gain: the sign, the pole and the delay.
      let size =
        (1 - pole) / (1 - 2 * pole * cos(angle) + pole * pole).squareRoot() * kept * (short == 1 ? -1 : 1)
      let turn = -angle * (delay + late(angle))
      let (re, im) = (1 - size * cos(turn), -size * sin(turn))
      let expected = pow(1 - kept, 0.75) / (re * re + im * im).squareRoot()
      worst = max(worst, abs(20 * log10(FilterResponseTests.magnitude(y, hertz) / expected)))
    }
    print("comb response: subtracts \(short), mode \(mode): \(worst) dB")
    #expect(worst < 0.3)
  }

  /// Delays are held within the ring at any rate.
  @Test(
    "Under random jumps at every control tick, the output is bounded, and silence follows",
    arguments: [UInt64(1), 2], [22_050.0, 48_000, 192_000])
  func randomJumps(_ seed: UInt64, _ rate: Double) {
    var random = SeededRandom(seed)
    let comb = Comb(Lanes(repeating: 300), Self.shape(0.5), rate: rate)
    var (loudest, last): (Float, Float) = (0, 0)
    for tick in 0..<6_000 {
      let ends = tick >= 3_000
      let shape = CombShape(
        resonance: ends ? .zero : .random(in: -0.2...1.2, using: &random),
        modes: FilterModes(.random(in: 0...4, using: &random)), short: .random(in: 0...1, using: &random))
      comb.aim(exp2(Lanes.random(in: -2...18, using: &random)), shape)
      let y = comb.process(
        (0..<16).map { _ in ends ? .zero : Lanes.random(in: -1...1, using: &random) }, moves: true)
      let peak = y.map { magnitude($0).max() }.max() ?? 0
      if !ends { loudest = max(loudest, peak) }
      if tick > 5_900 { last = max(last, peak) }
      #expect(y.allSatisfy { sample in (0..<8).allSatisfy { sample[$0].isFinite } })
    }
    print("comb fuzz: \(rate) Hz, loudest \(loudest), at the end \(last)")
    #expect(loudest < 20 && last < 1e-6)
  }

  @Test("Coefficients at rest give the same bits as moving coefficients that do not change")
  func combAtRest() {
    let x = (0..<4_096).map { Lanes(repeating: Float($0 % 9) - 4) }
    let hertz = Lanes(60, 100, 200, 333, 500, 1_000, 4_000, 9_000)
    let (one, other) = (Comb(hertz, Self.shape(0.6, mode: 1)), Comb(hertz, Self.shape(0.6, mode: 1)))
    #expect(one.process(x, moves: true) == other.process(x))
  }
}
