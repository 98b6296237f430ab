import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The phaser against the theory of its stages, and at the ends of its knobs.
@Suite("Phaser") struct PhaserTests {
  private static let rate = 48_000.0

  private static func knobs(_ change: (inout PhaserKnobs) -> Void) -> PhaserKnobs {
    var knobs = PhaserKnobs()
    (knobs.on, knobs.mix, knobs.stages, knobs.rate, knobs.frequency) = (1, 0.5, 6, 0.3, 800)
    change(&knobs)
    return knobs
  }

  /// A phaser without its dry sound, with knobs that a test moves.
  private final class Playing {
    let knobs = UnsafeMutablePointer<PhaserKnobs>.allocate(capacity: 1)
    var phaser: Phaser
    var tempo: Float = 2

    init(rate: Double = PhaserTests.rate, _ knobs: PhaserKnobs) {
      phaser = Phaser(rate: rate)
      self.knobs.initialize(to: knobs)
      phaser.snap(self.knobs, tempo: tempo)
    }

    deinit {
      phaser.deallocate()
      knobs.deallocate()
    }

    func play(_ left: [Float], _ right: [Float], cuts: [Int] = [16]) -> (left: [Float], right: [Float]) {
      playInTicks(
        left, right, cuts: cuts, aim: { _ in phaser.aim(knobs, knobs, tempo: tempo, frames: 16) }
      ) { phaser.process($0, $1, frames: $2) }
    }
  }

  private static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  private static func sine(_ hertz: Double, _ level: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(level * sin(2 * .pi * hertz / rate * Double($0))) }
  }

  private static func power(_ x: some Sequence<Float>) -> Double {
    x.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// Gain in decibels that an impulse response has at a frequency.
  private static func gain(_ response: [Float], _ hertz: Double) -> Double {
    let step = 2 * Double.pi * hertz / rate
    let (re, im) = response.enumerated().reduce((0.0, 0.0)) { sum, sample in
      let (phase, x) = (step * Double(sample.offset), Double(sample.element))
      return (sum.0 + x * cos(phase), sum.1 + x * sin(phase))
    }
    return 10 * log10(re * re + im * im + 1e-30)
  }

  /// n stages at f turn the phase by n times as much as one, which turns it by 90° at f: there is a notch wherever they have
  /// turned it by an odd number of half turns, and between two notches both sounds add up to 3 dB.
  @Test(
    "Notches are deeper than 50 dB and peaks reach 3 dB at the calculated frequencies",
    arguments: [4, 6, 7, 8, 10, 12], [200, 800, 3_000] as [Double])
  func notchPlaces(_ stages: Int, _ hertz: Double) {
    let knobs = Self.knobs { ($0.stages, $0.frequency) = (Float(stages), Float(hertz)) }
    var effects = EffectKnobs()
    effects.phaser = knobs
    var left = [Float](repeating: 0, count: 16_384)
    left[0] = 1
    var right = left
    EffectBench(effects, rate: Self.rate).process(&left, &right)
    #expect(left == right)
    let warped = tan(Double.pi * hertz / Self.rate)
    func frequency(_ turn: Double) -> Double {
      Self.rate / Double.pi * atan(warped * tan(Double.pi * turn / Double(stages) / 2))
    }
    for notch in 0..<stages / 2 {
      let (place, peak) = (frequency(Double(2 * notch + 1)), frequency(Double(2 * notch)))
      let (deep, high) = (Self.gain(left, place), Self.gain(left, peak))
      #expect(deep < -50, "\(place) Hz: \(deep) dB")
      #expect(abs(high - 3.01) < 0.05, "\(peak) Hz: \(high) dB")
    }
  }

  @Test(
    "The corner frequency sweeps as a sine in octaves, at the free or synced rate and spread",
    arguments: [0, 6, 9] as [Float], [0, 0.5, 1] as [Float])
  func sweepShape(_ sync: Float, _ spread: Float) {
    let set = Self.knobs { ($0.depth, $0.rate, $0.sync, $0.spread) = (0.75, 0.7, sync, spread) }
    let knobs = UnsafeMutablePointer<PhaserKnobs>.allocate(capacity: 1)
    defer { knobs.deallocate() }
    knobs.initialize(to: set)
    var sweep = PhaserSweep()
    sweep.snap(knobs, rate: 48_000)
    // At 120 beats a minute a half note, a choice of 6, is a second, and a quarter note, 9, half a second.
    let hertz = sync == 0 ? 0.7 : sync == 6 ? 1 : 2
    for tick in 1...6_000 {
      sweep.aim(knobs, knobs, tempo: 2, rate: 48_000, frames: 16)
      if tick % 37 != 0 { continue }
      let turn = 2 * Double.pi * hertz * Double(tick) * 16 / 48_000
      for (side, phase) in [(0, 0), (1, Double(spread) * Double.pi)] {
        let expected = 800 * exp2(2 * 0.75 * sin(turn + phase))
        let coefficient = Double(sweep.goal[side])
        let corner = 48_000 / Double.pi * atan((1 + coefficient) / (1 - coefficient))
        #expect(abs(corner / expected - 1) < 0.002, "tick \(tick), side \(side): \(corner) Hz")
      }
    }
  }

  @Test(
    "Feedback from -0.95 to 0.95 changes the level of noise by less than 1 dB",
    arguments: [-0.95, -0.5, 0, 0.5, 0.95] as [Float])
  func feedbackLoudness(_ feedback: Float) {
    let x = Self.noise(96_000)
    let y = Playing(Self.knobs { ($0.feedback, $0.depth) = (feedback, 0.5) }).play(x, x).left
    let gain = 10 * log10(Self.power(y) / Self.power(x))
    print("phaser: feedback \(feedback), noise \(gain) dB")
    #expect(abs(gain) < 1)
  }

  @Test(
    "The output stays bounded while all knobs jump at random, and falls silent afterwards",
    arguments: [22_050.0, 48_000, 192_000])
  func randomKnobs(_ rate: Double) {
    var random = Self.noise(1_000, seed: 99).map { $0 + 0.5 }[...]
    func draw() -> Float { random.popFirst() ?? 0.5 }
    let playing = Playing(rate: rate, Self.knobs { _ in })
    let chord = zip(Self.sine(110, 0.9, 4_800), Self.sine(1_870, 0.9, 4_800)).map { $0 + $1 }
    var most: Float = 0
    for _ in 0..<60 {
      playing.knobs.pointee = Self.knobs {
        ($0.stages, $0.rate, $0.depth) = (4 + 8 * draw(), 10 * draw(), draw())
        ($0.frequency, $0.feedback, $0.spread) = (100 * exp2(5.3 * draw()), 1.9 * draw() - 0.95, draw())
        $0.sync = (19 * draw()).rounded()
      }
      let y = playing.play(chord, chord)
      most = max(most, y.left.peak, y.right.peak)
    }
    print("phaser: random knobs at \(rate) Hz: \(most)")
    #expect(most.isFinite && most < 12)
    playing.knobs.pointee.feedback = 0.5
    let silence = [Float](repeating: 0, count: Int(rate))
    let after = playing.play(silence, silence).left.suffix(4_800)
    #expect(Array(after).peak < 1e-6)
  }

  @Test("Stages that are switched in again hold no sound from before") func returningStages() {
    let playing = Playing(Self.knobs { ($0.stages, $0.depth, $0.frequency) = (12, 0, 40) })
    let (noise, silence) = (Self.noise(4_800), [Float](repeating: 0, count: 48_000))
    _ = playing.play(noise, noise)
    playing.knobs.pointee.stages = 4
    _ = playing.play(noise, noise)
    let rest = playing.play(silence, silence).left.suffix(4_800)
    #expect(Array(rest).peak < 1e-6)
    playing.knobs.pointee.stages = 12
    #expect(playing.play(silence, silence).left.peak < 1e-6)
  }

  @Test("A cleared phaser gives the same bits as a new one, its sweep included") func clearedState() {
    let knobs = Self.knobs { ($0.feedback, $0.rate, $0.depth) = (0.9, 3, 1) }
    let (old, new) = (Playing(knobs), Playing(knobs))
    let noise = Self.noise(4_800)
    _ = old.play(noise, noise)
    let isEmpty = old.phaser.clearPiece()
    #expect(isEmpty)
    old.phaser.snap(old.knobs, tempo: old.tempo)
    let (again, first) = (old.play(noise, noise), new.play(noise, noise))
    #expect(isSame(again.left.bits, first.left.bits) && isSame(again.right.bits, first.right.bits))
  }

  @Test("Silent input gives exactly silent output at a feedback of 0.95") func silentInput() {
    let silence = [Float](repeating: 0, count: 4_800)
    let y = Playing(Self.knobs { ($0.feedback, $0.depth) = (0.95, 1) }).play(silence, silence)
    #expect(y.left.allSatisfy { $0 == 0 } && y.right.allSatisfy { $0 == 0 })
  }

  @Test(
    "A change of stages under a tone does not overshoot and adds less than -60 dB beside the tone",
    arguments: [(4, 12), (12, 4), (6, 7)] as [(Float, Float)])
  func stageChange(_ stages: (from: Float, to: Float)) {
    let playing = Playing(Self.knobs { ($0.stages, $0.feedback) = (stages.from, 0.5) })
    let x = Self.sine(1_000, 0.5, 4_800)
    _ = playing.play(x, x)
    let before = playing.play(x, x).left
    playing.knobs.pointee.stages = stages.to
    let during = playing.play(x, x).left
    let after = playing.play(x, x).left
    #expect(during.peak < 1.02 * max(before.peak, after.peak))
    let sound: [Float] = Array(before.suffix(2_048)) + during + Array(after.prefix(1_344))
    let spectrum = Spectrum(sound, size: 8_192)
    let tone = spectrum.power(from: 600, to: 1_400)
    let rest = 10 * log10((spectrum.power(from: 20, to: 24_000) - tone) / tone)
    print("phaser: \(stages.from) to \(stages.to) stages: beside the tone \(rest) dB")
    #expect(rest < -60)
    #expect(abs(Self.power(after) / Self.power(before) - 1) > 1e-4)
  }

  @Test(
    "The phaser gives the same bits however control ticks are split into blocks",
    arguments: [22_050.0, 192_000])
  func tickSplits(_ rate: Double) {
    let (x, y) = (Self.noise(3_200), Self.noise(3_200, seed: 7))
    expectSameInAnySplit { cuts in
      let playing = Playing(rate: rate, Self.knobs { ($0.rate, $0.depth, $0.feedback) = (3, 1, 0.8) })
      let a = playing.play(x, y, cuts: cuts)
      (playing.knobs.pointee.stages, playing.knobs.pointee.feedback) = (11, -0.3)
      let b = playing.play(x, y, cuts: cuts)
      return (a.left + a.right + b.left + b.right).bits
    }
  }
}
