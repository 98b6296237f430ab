import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The chorus against the Juno's figures, and against what others make of a sine.
@Suite("The chorus") struct ChorusTests {
  private static let rate = 48_000.0

  /// A chorus with its knobs, in ticks of 16 frames.
  private final class Playing {
    var chorus: Chorus
    var now = ChorusKnobs()
    var chosen = ChorusKnobs()
    let rate: Double

    init(mode: Int, speed: Float = 1, depth: Float = 1, rate: Double = ChorusTests.rate) {
      (chorus, self.rate) = (Chorus(rate: rate), rate)
      chosen.mode = Float(mode)
      chosen.rate = speed
      chosen.depth = depth
      now = chosen
      chorus.snap(&now)
    }

    deinit { chorus.deallocate() }

    /// What comes out for a signal, with ticks cut into pieces of these lengths.
    func play(_ left: [Float], _ right: [Float], cuts: [Int] = [16]) -> (left: [Float], right: [Float]) {
      let share = Float(1 - exp(-16 / (Double(Smoothed.seconds) * rate)))
      let aim = { (_: Int) in
        self.now.rate += (self.chosen.rate - self.now.rate) * share
        self.now.depth += (self.chosen.depth - self.now.depth) * share
        self.chorus.aim(&self.now, &self.chosen, frames: 16)
      }
      return playInTicks(left, right, cuts: cuts, aim: aim) { chorus.process($0, $1, frames: $2) }
    }
  }

  private static func noise(_ count: Int, seed: UInt32 = 1) -> [Float] {
    var words = seed
    return (0..<count).map { _ in
      words = words &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: words)) / 4_294_967_296
    }
  }

  private static func sine(_ hertz: Double, _ count: Int) -> [Float] {
    (0..<count).map { Float(0.5 * sin(2 * .pi * hertz / rate * Double($0))) }
  }

  private static func power(_ x: some Sequence<Float>) -> Double {
    x.reduce(0) { $0 + Double($1) * Double($1) }
  }

  /// How late both sides are at every 64th frame, in milliseconds: what is left of a ramp, without the low-pass.
  private static func lateness(_ mode: Int, seconds: Double) -> (left: [Double], right: [Double]) {
    let ramp = (0..<Int(seconds * rate)).map { Float($0) / 65_536 }
    let y = Playing(mode: mode).play(ramp, ramp)
    func late(_ side: [Float]) -> [Double] {
      stride(from: 512, to: ramp.count, by: 64).map {
        (Double(ramp[$0] - side[$0]) * 65_536 - 2.97) / rate * 1_000
      }
    }
    return (late(y.left), late(y.right))
  }

  @Test(
    "The delays of both sides swing in opposition, with the range and rate of the Juno",
    arguments: [(0, 0.513, 1.5, 5.3), (1, 0.863, 1.5, 5.3), (2, 9.75, 3.3, 3.7)]
      as [(Int, Double, Double, Double)])
  func delaySwing(_ mode: (number: Int, hertz: Double, least: Double, most: Double)) {
    let (left, right) = Self.lateness(mode.number, seconds: 1.1 / min(mode.hertz, 2))
    let (least, most) = (left.min() ?? 0, left.max() ?? 0)
    // From the shortest to the longest.
    let half = Double(left.firstIndex(of: most) ?? 0) * 64 / Self.rate
    print("chorus: mode \(mode.number) \(least)...\(most) ms, half a swing by \(half) s")
    #expect(abs(least - mode.least) < 0.03 && abs(most - mode.most) < 0.03)
    if mode.number < 2 { #expect(abs(half + 512 / Self.rate - 0.5 / mode.hertz) < 0.005) }
    // The second line swings against the first.
    for (a, b) in zip(left, right) { #expect(abs(a + b - mode.least - mode.most) < 0.03) }
  }

  /// What of a sine through a mode is further than `near` Hz from where it is loudest, in dB of it, in 16,384 frames around
  /// one.
  private static func noise(_ mode: Int, _ hertz: Double, around frame: Int, near: Double) -> Double {
    let size = 16_384
    let x = sine(hertz, frame + size / 2)
    let spectrum = Spectrum(Playing(mode: mode).play(x, x).left.suffix(size), size: size)
    let loudest = Double(spectrum.power.indices.max { spectrum.power[$0] < spectrum.power[$1] } ?? 0)
    let place = near < 100 ? loudest * spectrum.bin : hertz
    let all = spectrum.power(from: 20, to: 24_000)
    let tone = spectrum.power(from: place - near, to: place + near)
    return 10 * log10((all - tone) / tone)
  }

  /// Calf has -46 and -26 dB, Zyn -68 and -50. What counts is all that is further from the sine than the swing takes it and
  /// the sidebands of a turn of the triangle reach, which is in the midst of what is looked at: at 5 ms, 200 Hz.
  @Test(
    "Around a turn of the swing, a sine has noise and images below -60 dB, at 9 kHz -50 dB",
    arguments: 0..<4, [3_000.0, 9_000])
  func sineImages(_ mode: Int, _ hertz: Double) {
    let turn = [46_784, 27_808, 9_600, 20_000][mode]
    let near = [0.0039, 0.0066, 0.0078, 0.0115][mode] * hertz + 200
    let rest = Self.noise(mode, hertz, around: turn, near: near)
    print("chorus: mode \(mode), sine of \(hertz) Hz, noise and images \(rest) dB beyond \(near) Hz")
    #expect(rest < (hertz < 5_000 ? -60 : -50))
  }

  /// Between two turns the pitch is constant, so that all beside a tone is noise.
  @Test(
    "Between turns of the swing, a sine has noise below -70 dB, at 9 kHz below -60 dB",
    arguments: 0..<2, [1_000.0, 3_000, 9_000])
  func noiseBetweenTurns(_ mode: Int, _ hertz: Double) {
    let rest = Self.noise(mode, hertz, around: [23_392, 13_904][mode], near: 30)
    print("chorus: mode \(mode), sine of \(hertz) Hz, noise and images between turns \(rest) dB")
    #expect(rest < (hertz < 5_000 ? -70 : -60))
  }

  /// Both the dry sound and the chorus in full.
  @Test(
    "In mono, the chorus is within 1.2 dB of the level of each side and of the dry sound",
    arguments: 0..<4)
  func monoLevel(_ mode: Int) {
    let x = Self.noise(48_000)
    let y = Playing(mode: mode).play(x, x)
    let (left, right) = (zip(x, y.left).map { $0 + $1 }, zip(x, y.right).map { $0 + $1 })
    let mono = Self.power(zip(left, right).map { ($0 + $1) / 2 })
    let dry = 10 * log10(mono / Self.power(x))
    let side = 10 * log10(mono * 2 / (Self.power(left) + Self.power(right)))
    print("chorus: mode \(mode), mono against dry \(dry) dB, against the sides \(side) dB")
    #expect(abs(dry) < 1.2 && abs(side) < 1.2)
  }

  @Test("Sound on the left stays on the left, except in the middle line of the ensemble", arguments: 0..<4)
  func stereoSides(_ mode: Int) {
    let x = Self.noise(9_600)
    let y = Playing(mode: mode).play(x, x.map { _ in 0 })
    let across = 10 * log10(Self.power(y.right) / Self.power(y.left))
    print("chorus: mode \(mode), left alone is on the right at \(across) dB")
    #expect(y.left.peak > 0.1)
    #expect(across < (mode == 3 ? -6.5 : -200))
  }

  /// The low-pass of the lines: 10 kHz is 3 dB down, four poles beyond.
  @Test("The delay lines lower 10 kHz by 3 to 4 dB, and 16 kHz by over 20 dB") func lineLowpass() {
    for (hertz, least, most) in [(1_000.0, -0.1, 0.1), (10_000, -4.2, -2.9), (16_000, -40, -20)] {
      let x = Self.sine(hertz, 9_600)
      let y = Playing(mode: 0, depth: 0).play(x, x).left
      let gain = 10 * log10(Self.power(y.suffix(4_800)) / Self.power(x.suffix(4_800)))
      #expect(gain > least && gain < most, "\(hertz) Hz: \(gain) dB")
    }
  }

  @Test(
    "The chorus has the same bits however a control tick is split",
    arguments: 0..<4, [22_050.0, 192_000])
  func anySplit(_ mode: Int, _ rate: Double) {
    let (x, y) = (Self.noise(3_200), Self.noise(3_200, seed: 7))
    expectSameInAnySplit { cuts in
      let playing = Playing(mode: mode, rate: rate)
      let a = playing.play(x, y, cuts: cuts)
      playing.chosen.mode = Float((mode + 1) % 4)
      playing.chosen.depth = 0.3
      let b = playing.play(x, y, cuts: cuts)
      return (a.left + a.right + b.left + b.right).bits
    }
  }

  @Test("A cleared chorus has the same bits as a new one") func clearedMemory() {
    let x = Self.noise(2_000)
    let playing = Playing(mode: 3, rate: 192_000)
    _ = playing.play(x, x)
    playing.chosen.mode = 1
    _ = playing.play(x, x)
    var calls = 1
    while !playing.chorus.clearPiece() { calls += 1 }
    playing.now = playing.chosen
    playing.chorus.snap(&playing.now)
    let again = playing.play(x, x)
    let new = Playing(mode: 1, rate: 192_000).play(x, x)
    print("chorus: forgotten in \(calls) calls, \(playing.chorus.bytes) bytes at 192 kHz")
    let same = isSame((again.left + again.right).bits, (new.left + new.right).bits)
    #expect(same)
  }

  @Test(
    "A jump of mode, depth or rate under a 1 kHz tone causes no peak and no click above -60 dB",
    arguments: [
      ("mode", 0, 1), ("mode", 1, 2), ("mode", 2, 3), ("mode", 3, 0), ("depth", 0, 1), ("depth", 1, 0),
      ("rate", 0.25, 4), ("rate", 4, 0.25),
    ] as [(String, Float, Float)])
  func knobJump(_ knob: (name: String, from: Float, to: Float)) {
    let playing = Playing(mode: 1)
    func set(_ x: Float) {
      switch knob.name {
      case "mode": playing.chosen.mode = x
      case "depth": playing.chosen.depth = x
      default: playing.chosen.rate = x
      }
    }
    set(knob.from)
    let x = Self.sine(1_000, 4_800)
    _ = playing.play(x, x)
    _ = playing.play(x, x)
    let before = playing.play(x, x).left.suffix(2_048)
    set(knob.to)
    let y = Array(before) + playing.play(x, x).left + playing.play(x, x).left
    let most = y.peak
    let spectrum = Spectrum(y, size: 8_192)
    let tone = spectrum.power(from: 600, to: 1_400)
    let rest = 10 * log10((spectrum.power(from: 20, to: 24_000) - tone) / tone)
    print("chorus: \(knob.name) \(knob.from)...\(knob.to): peak \(most), beside the tone \(rest) dB")
    #expect(most < 0.5 * 1.74)
    #expect(rest < -60)
  }
}
