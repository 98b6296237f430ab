import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// What the microphones of a rotary speaker hear: levels, vibrato, images, and the ends of its knobs.
@Suite("Rotary speaker") struct RotaryTests {
  private static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  /// The largest line that is further than 400 Hz from a sine, in dB of it.
  private static func image(_ heard: [Float], _ hertz: Double, size: Int) -> Double {
    let spectrum = Spectrum(heard.suffix(size), size: size)
    let top = spectrum.power.max() ?? 1
    let far = spectrum.power.indices.filter { $0 > 7 && abs(Double($0) * spectrum.bin - hertz) > 400 }
    return 10 * log10((far.map { spectrum.power[$0] }.max() ?? 0) / top)
  }

  @Test(
    "In a turn the level swings by 6 dB at 100 Hz and 11 dB at 3 kHz, with unity mean power",
    arguments: [(100.0, 6.0), (3_000, 11)])
  func frontAndBack(_ rotor: (tone: Double, decibels: Double)) {
    let playing = RotaryPlaying(.slow)
    _ = playing.levels(rotor.tone, seconds: 0.5)
    let levels = playing.levels(rotor.tone, seconds: 10 / (rotor.tone < 800 ? 0.6 : 0.672))
    let swing = 20 * log10((levels.max() ?? 0) / (levels.min() ?? 1))
    let mean = 10 * log10(levels.reduce(0) { $0 + $1 * $1 } / Double(levels.count))
    print("rotary: \(rotor.tone) Hz swings by \(swing) dB, mean \(mean) dB")
    #expect(abs(swing - rotor.decibels) < 0.3)
    #expect(abs(mean) < 0.2)
  }

  /// The mouth of the horn comes and goes at r·ω at most: at the fast speed 2.48 % of the frequency, 43 cents.
  @Test("At the fast speed the horn bends the pitch by 2.5 % up and down", arguments: [1_000.0, 2_000])
  func hornVibrato(_ hertz: Double) {
    let playing = RotaryPlaying(.fast) { $0.horn = 1 }
    _ = playing.sine(hertz, seconds: 0.5)
    let (heard, block) = (playing.sine(hertz, seconds: 1).left, 96)
    var (last, deviations) = (0.0, [Double]())
    for from in stride(from: 0, to: heard.count, by: block) {
      var (re, im) = (0.0, 0.0)
      for i in from..<from + block {
        let turn = 2 * Double.pi * hertz / 48_000 * Double(i)
        re += Double(heard[i]) * cos(turn)
        im -= Double(heard[i]) * sin(turn)
      }
      let phase = atan2(im, re)
      let turned = remainder(phase - last, 2 * Double.pi)
      deviations.append(turned / (2 * Double.pi) * 48_000 / Double(block) / hertz)
      last = phase
    }
    let (down, up) = (deviations.dropFirst().min() ?? 0, deviations.dropFirst().max() ?? 0)
    let expected = 0.192 * 2 * Double.pi * 7.056 / 343
    print("rotary: \(hertz) Hz bends from \(100 * down) to \(100 * up) %")
    #expect(abs(up / expected - 1) < 0.05 && abs(-down / expected - 1) < 0.05)
  }

  /// Beyond ±400 Hz, at the speeds that the motor has. Calf has -74, -52 and -41 dB.
  @Test(
    "Images of a sine stay below -80 dB at 1 and 3 kHz and below -48 dB at 9 kHz",
    arguments: [(1_000.0, -80.0), (3_000, -80), (9_000, -48)], [RotarySpeed.slow, .fast])
  func sineImages(_ tone: (hertz: Double, bar: Double), _ speed: RotarySpeed) {
    let playing = RotaryPlaying(speed)
    let image = Self.image(playing.sine(tone.hertz, seconds: 2).left, tone.hertz, size: Spectrum.size)
    print("rotary: \(tone.hertz) Hz at \(speed): images \(image) dB")
    #expect(image < tone.bar)
  }

  /// The largest image in 170 ms, in the middle of which a knob jumps under a tone of 1 kHz.
  private static func jumped(_ playing: RotaryPlaying, _ jump: (inout RotaryKnobs) -> Void) -> Double {
    let before = playing.sine(1_000, seconds: 1).left
    jump(&playing.knobs.pointee)
    return image(before + playing.sine(1_000, seconds: 0.085).left, 1_000, size: 8_192)
  }

  /// Measured -97 to -100; at rest it is -101.
  @Test(
    "A change of rotor speed under a tone adds images of less than -80 dB",
    arguments: [(.stop, .fast), (.fast, .stop), (.slow, .fast), (.fast, .slow)]
      as [(RotarySpeed, RotarySpeed)])
  func speedChange(_ speed: (from: RotarySpeed, to: RotarySpeed)) {
    let image = Self.jumped(RotaryPlaying(speed.from) { $0.inertia = 0.1 }) {
      $0.speed = Float(speed.to.rawValue)
    }
    print("rotary: from \(speed.from) to \(speed.to): images \(image) dB")
    #expect(image < -80)
  }

  /// Without the smoothing of knobs that effects in a rack have before them. Measured -66 and -71.
  @Test(
    "A jump of the microphone spread under a tone adds images of less than -60 dB",
    arguments: [(0, 1), (1, 0)] as [(Float, Float)])
  func spreadChange(_ spread: (from: Float, to: Float)) {
    let image = Self.jumped(RotaryPlaying(.fast) { $0.spread = spread.from }) { $0.spread = spread.to }
    print("rotary: spread from \(spread.from) to \(spread.to): images \(image) dB")
    #expect(image < -60)
  }

  /// The drum's delay is the mean of the horn's, beyond the shortest: the mouth of the horn turns on a circle of 19.2 cm, 42 cm
  /// before the microphones, whose nearest point has no delay.
  @Test(
    "The delay of the drum is the mean delay of the horn, within 1 frame",
    arguments: [22_050.0, 48_000, 192_000])
  func drumDelay(_ rate: Double) {
    let playing = RotaryPlaying(.slow, rate: rate) { $0.horn = 0 }
    var click = [Float](repeating: 0, count: 3_200)
    click[0] = 1
    let heard = playing.play(click, click)
    let (radius, distance): (Double, Double) = (0.192, 0.42)
    var sum: Double = 0
    for degree in 0..<360 {
      let angle = Double(degree) * .pi / 180
      let squared: Double = radius * radius + distance * distance - 2 * radius * distance * cos(angle)
      sum += squared.squareRoot()
    }
    let seconds: Double = (sum / 360 - (distance - radius)) / 343
    let delay: Double = seconds * rate + Double(RotaryMicrophones.shortest)
    for side in [heard.left, heard.right] {
      let first = side.firstIndex { $0 != 0 } ?? -1
      #expect(abs(Double(first) - delay) <= 1, "\(first), expected \(delay)")
    }
  }

  @Test("Without microphone spread, stereo input comes out in mono") func monoSpread() {
    let (x, y) = (Self.noise(9_600), Self.noise(9_600, seed: 7))
    let heard = RotaryPlaying(.fast) { $0.spread = 0 }.play(x, y)
    let wide = RotaryPlaying(.fast).play(x, y)
    #expect(isSame(heard.left.bits, heard.right.bits) && heard.left.peak > 0.1)
    #expect(zip(wide.left, wide.right).contains { abs($0 - $1) > 0.1 })
  }

  /// At its ends the balance has one of both alone: 24 dB an octave from 800 Hz.
  @Test(
    "At each end of the balance one rotor is heard, and the band of the other is below -44 dB",
    arguments: [(0, 200.0, 3_200.0), (1, 3_200, 200)] as [(Float, Double, Double)])
  func balanceEnds(_ end: (horn: Float, heard: Double, gone: Double)) {
    func level(_ hertz: Double) -> Double {
      let playing = RotaryPlaying(.fast) { $0.horn = end.horn }
      _ = playing.levels(hertz, seconds: 0.5)
      return 20 * log10(playing.levels(hertz, seconds: 1).max() ?? 0)
    }
    #expect(level(end.heard) > 0 && level(end.gone) < -44)
  }

  @Test(
    "The rotary speaker is silent 100 ms after the end of its input",
    arguments: [22_050.0, 48_000, 192_000])
  func ringTime(_ rate: Double) {
    let playing = RotaryPlaying(.fast, rate: rate)
    let x = Self.noise(9_600)
    _ = playing.play(x, x)
    let silence = [Float](repeating: 0, count: Int(rate / 5))
    let after = playing.play(silence, silence)
    let rung = Int(rate / 10)
    #expect(after.left.prefix(64).contains { abs($0) > 0.01 })
    #expect(Array(after.left.dropFirst(rung)).peak < 1e-6 && Array(after.right.dropFirst(rung)).peak < 1e-6)
  }

  @Test(
    "The rotary speaker gives the same bits however control ticks are split into blocks",
    arguments: [22_050.0, 192_000])
  func tickSplits(_ rate: Double) {
    let (x, y) = (Self.noise(3_200), Self.noise(3_200, seed: 7))
    expectSameInAnySplit { cuts in
      let playing = RotaryPlaying(.fast, rate: rate) { $0.rate = 2 }
      let a = playing.play(x, y, cuts: cuts)
      (playing.knobs.pointee.horn, playing.knobs.pointee.spread) = (0.2, 0.4)
      let b = playing.play(x, y, cuts: cuts)
      return (a.left + a.right + b.left + b.right).bits
    }
  }
}
