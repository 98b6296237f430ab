import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The flanger against the theory of a comb, and at the ends of its knobs.
@Suite("Flanger") struct FlangerTests {
  private static let rate = 48_000.0

  private static func knobs(_ change: (inout FlangerKnobs) -> Void) -> FlangerKnobs {
    var knobs = FlangerKnobs()
    (knobs.on, knobs.mix, knobs.rate, knobs.delay) = (1, 0.5, 0.3, 0.002)
    change(&knobs)
    return knobs
  }

  /// A flanger without its dry sound, with knobs that a test moves.
  private final class Playing {
    let knobs = UnsafeMutablePointer<FlangerKnobs>.allocate(capacity: 1)
    var flanger: Flanger

    init(rate: Double = FlangerTests.rate, _ knobs: FlangerKnobs) {
      flanger = Flanger(rate: rate)
      self.knobs.initialize(to: knobs)
      flanger.snap(self.knobs)
    }

    deinit {
      flanger.deallocate()
      knobs.deallocate()
    }

    func play(_ left: [Float], _ right: [Float], cuts: [Int] = [16]) -> (left: [Float], right: [Float]) {
      playInTicks(left, right, cuts: cuts, aim: { _ in flanger.aim(knobs, knobs, frames: 16) }) {
        flanger.process($0, $1, frames: $2)
      }
    }
  }

  private static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  private static func sine(_ hertz: Double, _ level: Double, _ count: Int, from: Int = 0) -> [Float] {
    (from..<from + count).map { Float(level * sin(2 * .pi * hertz / rate * Double($0))) }
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

  private static func response(_ knobs: FlangerKnobs) -> [Float] {
    var effects = EffectKnobs()
    effects.flanger = knobs
    var left = [Float](repeating: 0, count: 65_536)
    left[0] = 0.1
    var right = left
    EffectBench(effects, rate: Self.rate).process(&left, &right)
    #expect(left == right)
    return left.map { $0 * 10 }
  }

  /// Without feedback the notches are at odd multiples of half the inverse of the delay, and the peaks of 3 dB between them.
  /// The interpolation is within 0.15 dB up to 10 kHz: notches of -36 dB and less.
  @Test(
    "Without feedback the delay sets the notches, below -36 dB, and peaks of 3 dB between them",
    arguments: [0.0001, 0.000737, 0.002, 0.01] as [Float])
  func notchFrequencies(_ delay: Float) {
    let response = Self.response(Self.knobs { $0.delay = delay })
    for place in 0..<12 {
      let hertz = Double(place) / 2 / Double(delay)
      if hertz > 10_000 { break }
      let gain = Self.gain(response, hertz)
      #expect(place % 2 == 0 ? abs(gain - 3.01) < 0.15 : gain < -36, "\(hertz) Hz: \(gain) dB")
    }
  }

  /// The peaks of a feedback are as high as that of a comb, 1 / (1 - feedback), times the gain into the loop. Negative
  /// feedback has them where positive feedback has none.
  @Test(
    "Feedback of either sign gives the peaks and dips of a comb within 0.1 dB",
    arguments: [-0.95, -0.6, 0.6, 0.95] as [Float])
  func feedbackPeaks(_ feedback: Float) {
    let response = Self.response(Self.knobs { ($0.mix, $0.feedback, $0.delay) = (1, feedback, 0.004) })
    let loop = 10 * log10(1 - Double(feedback * feedback))
    let size = Double(abs(feedback))
    for multiple in 1...4 {
      let hertz = 125.0 * Double(multiple)
      let isPeak = (multiple % 2 == 0) == (feedback > 0)
      let expected = loop - 20 * log10(isPeak ? 1 - size : 1 + size)
      let gain = Self.gain(response, hertz)
      #expect(abs(gain - expected) < 0.1, "\(hertz) Hz: \(gain) dB, \(expected) dB expected")
    }
  }

  /// The delay swings in octaves as a sine, and that of the right side by its phase later. A sweep that would leave the range
  /// of 0.1 to 10 ms is narrower to that side. Measured with a line that rises by a constant in each frame.
  @Test(
    "The delay sweeps as a sine in octaves, on the right shifted in phase by the spread",
    arguments: [(0.002, 0.75, 0.0005, 0.008), (0.008, 1, 0.002, 0.01), (0.00015, 1, 0.0001, 0.0006)]
      as [(Float, Float, Double, Double)], [0, 0.5, 1] as [Float])
  func theSweepIsASineInOctaves(
    _ sweep: (delay: Float, depth: Float, shortest: Double, longest: Double), _ spread: Float
  ) {
    let (rate, count) = (2.5, 38_400)
    // 0.75 of two octaves.
    let (low, high) =
      sweep.depth < 1 ? (0.002 / exp2(1.5), 0.002 * exp2(1.5)) : (sweep.shortest, sweep.longest)
    let playing = Playing(
      Self.knobs {
        ($0.delay, $0.depth, $0.rate, $0.spread) = (sweep.delay, sweep.depth, Float(rate), spread)
      })
    let line = (0..<count).map { Float($0) / 65_536 }
    let heard = playing.play(line, line)
    for frame in stride(from: 1_000, to: count, by: 37) {
      let turn = 2 * Double.pi * rate * Double(frame) / Self.rate
      for (sound, phase) in [(heard.left, 0), (heard.right, Double(spread) * Double.pi)] {
        let expected = Self.rate * (low * high).squareRoot() * pow(high / low, 0.5 * sin(turn + phase))
        let delay = Double(line[frame] - sound[frame]) * 65_536
        // The rounding of the line, and of what it is made of.
        #expect(abs(delay - expected) < 0.002 * expected + 0.02, "\(frame): \(delay) for \(expected)")
      }
    }
  }

  /// Measured -1.5 dB without feedback, because the interpolation loses what lies above 15 kHz, and -1.9 dB at the most.
  @Test(
    "Feedback from -0.95 to 0.95 changes the level of noise by -2.5 to 1 dB",
    arguments: [-0.95, -0.5, 0, 0.5, 0.95] as [Float])
  func feedbackKeepsTheLoudness(_ feedback: Float) {
    let x = Self.noise(96_000)
    let y = Playing(Self.knobs { ($0.feedback, $0.depth) = (feedback, 0.5) }).play(x, x).left
    let gain = 10 * log10(Self.power(y) / Self.power(x))
    print("flanger: feedback \(feedback), noise \(gain) dB")
    #expect(gain < 1 && gain > -2.5)
  }

  @Test(
    "Loud chords with random knob jumps ten times a second stay below 12, and silence follows",
    arguments: [22_050.0, 48_000, 192_000])
  func randomKnobsStayBounded(_ rate: Double) {
    var random = Self.noise(1_000, seed: 99).map { $0 + 0.5 }[...]
    func draw() -> Float { random.popFirst() ?? 0.5 }
    let playing = Playing(rate: rate, Self.knobs { _ in })
    let chord = zip(Self.sine(110, 0.9, 4_800), Self.sine(1_870, 0.9, 4_800)).map { $0 + $1 }
    var most: Float = 0
    for _ in 0..<60 {
      playing.knobs.pointee = Self.knobs {
        ($0.rate, $0.depth, $0.spread) = (10 * draw(), draw(), draw())
        ($0.delay, $0.feedback) = (0.0001 * exp2(6.6439 * draw()), 1.9 * draw() - 0.95)
      }
      let y = playing.play(chord, chord)
      most = max(most, y.left.peak, y.right.peak)
    }
    print("flanger: random knobs at \(rate) Hz: \(most)")
    #expect(most.isFinite && most < 12)
    playing.knobs.pointee.feedback = 0.5
    let silence = [Float](repeating: 0, count: Int(rate))
    let after = playing.play(silence, silence).left.suffix(4_800)
    #expect(Array(after).peak < 1e-6)
  }

  /// The loop at its loudest, a tone at a peak of full feedback: the curve in it bounds what circulates.
  @Test(
    "A loud tone at a peak of the largest feedback stays below a level of 12",
    arguments: [-0.95, 0.95] as [Float])
  func loudestTone(_ feedback: Float) {
    let playing = Playing(Self.knobs { ($0.feedback, $0.delay) = (feedback, 0.002) })
    let x = Self.sine(feedback > 0 ? 1_000 : 750, 4, 96_000)
    let y = playing.play(x, x).left
    #expect(y.peak > 4 && y.peak < 12, "\(y.peak)")
  }

  /// A delay that jumps bends the pitch for some moments and does not click. Measured -99 and -106.
  @Test(
    "A jump of the delay between 1 and 8 ms adds less than -60 dB beside the tone",
    arguments: [(0.001, 0.008), (0.008, 0.001)] as [(Float, Float)])
  func delayJump(_ delay: (from: Float, to: Float)) {
    let playing = Playing(Self.knobs { $0.delay = delay.from })
    let before = Self.sine(1_000, 0.5, 48_000)
    _ = playing.play(before, before)
    playing.knobs.pointee.delay = delay.to
    let during = Self.sine(1_000, 0.5, 16_384, from: 48_000)
    let heard = playing.play(during, during).left
    let spectrum = Spectrum(heard, size: 16_384)
    let tone = spectrum.power(from: 600, to: 1_400)
    let rest = 10 * log10((spectrum.power(from: 20, to: 24_000) - tone) / tone)
    print("flanger: delay from \(delay.from) to \(delay.to): beside the tone \(rest) dB")
    #expect(rest < -60)
  }

  @Test("A flanger that was cleared is silent, and then plays with the same bits as a new one")
  func nothingIsLeftOfAnEarlierSound() {
    let knobs = Self.knobs { ($0.feedback, $0.rate, $0.depth) = (0.9, 3, 1) }
    let (old, new) = (Playing(knobs), Playing(knobs))
    let noise = Self.noise(4_800)
    _ = old.play(noise, noise)
    while !old.flanger.clearPiece() {}
    old.flanger.snap(old.knobs)
    let silence = [Float](repeating: 0, count: 480)
    let rest = old.play(silence, silence)
    // What circulated in the loop for a frame is not in its memory.
    #expect(rest.left.allSatisfy { $0 == 0 } && rest.right.allSatisfy { $0 == 0 })
    _ = new.play(silence, silence)
    let (again, first) = (old.play(noise, noise), new.play(noise, noise))
    #expect(isSame(again.left.bits, first.left.bits) && isSame(again.right.bits, first.right.bits))
  }

  @Test("Silence stays exactly silent at the largest feedback and depth of the flanger")
  func silenceStaysSilence() {
    let silence = [Float](repeating: 0, count: 4_800)
    let y = Playing(Self.knobs { ($0.feedback, $0.depth) = (0.95, 1) }).play(silence, silence)
    #expect(y.left.allSatisfy { $0 == 0 } && y.right.allSatisfy { $0 == 0 })
  }

  // The shortest delay allows less than four frames at once.
  @Test(
    "Splitting control ticks changes no bit of the output of the flanger",
    arguments: [22_050.0, 192_000], [FlangerKnobs.shortest, 0.0004, 0.002])
  func anySplitOfTicksIsTheSame(_ rate: Double, _ delay: Float) {
    let (x, y) = (Self.noise(3_200), Self.noise(3_200, seed: 7))
    expectSameInAnySplit { cuts in
      let playing = Playing(
        rate: rate, Self.knobs { ($0.rate, $0.delay, $0.depth, $0.feedback) = (3, delay, 1, 0.8) })
      let a = playing.play(x, y, cuts: cuts)
      (playing.knobs.pointee.delay, playing.knobs.pointee.feedback) = (0.007, -0.3)
      let b = playing.play(x, y, cuts: cuts)
      return (a.left + a.right + b.left + b.right).bits
    }
  }
}
