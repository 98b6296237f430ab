import EngineHarness
import Glibc
import Testing
@testable import Scenes
@testable import Synth

/// The reverb by its impulse response.
@Suite("Reverb") struct ReverbTests {
  private final class Room {
    var reverb: Reverb
    var settings = ReverbKnobs()

    init(rate: Double = 48_000) {
      reverb = Reverb(rate: rate)
      (settings.preDelay, settings.size, settings.decay) = (0.02, 1, 2)
      (settings.low, settings.high, settings.modulation, settings.width) = (1, 1, 1, 1)
    }

    deinit { reverb.deallocate() }

    /// The answer to an impulse in both inputs, in blocks of a tick, each cut in pieces of `split` frames.
    func answer(_ frames: Int, split: Int = 16) -> (left: [Float], right: [Float]) {
      var (left, right) = ([Float](repeating: 0, count: frames), [Float](repeating: 0, count: frames))
      (left[0], right[0]) = (1, 1)
      left.withUnsafeMutableBufferPointer { l in
        right.withUnsafeMutableBufferPointer { r in
          guard let l = l.baseAddress, let r = r.baseAddress else { return }
          let knobs = UnsafeMutablePointer<ReverbKnobs>.allocate(capacity: 1)
          knobs.initialize(to: settings)
          let wet = (
            UnsafeMutablePointer<Float>.allocate(capacity: 16),
            UnsafeMutablePointer<Float>.allocate(capacity: 16)
          )
          wet.0.initialize(repeating: 0, count: 16)
          wet.1.initialize(repeating: 0, count: 16)
          defer {
            knobs.deallocate()
            wet.0.deallocate()
            wet.1.deallocate()
          }
          reverb.control.snap(knobs, knobs)
          for at in stride(from: 0, to: frames, by: 16) {
            reverb.control.aim(knobs, knobs, frames: 16)
            var done = 0
            while done < 16 {
              let count = min(split, 16 - done)
              for i in 0..<count { (wet.0[i], wet.1[i]) = (l[at + done + i], r[at + done + i]) }
              reverb.process(wet.0, wet.1, frames: count)
              for i in 0..<count { (l[at + done + i], r[at + done + i]) = (wet.0[i], wet.1[i]) }
              done += count
            }
          }
        }
      }
      return (left, right)
    }
  }

  /// The time in which a band falls by 60 dB, from 0.2 s after the impulse to where it has fallen by 30 dB more.
  private static func decay(_ x: [Float], _ hertz: Double, _ seconds: Double) -> Double {
    let size = 4_096
    func power(_ at: Double) -> Double {
      10
        * log10(
          (0..<4).map { piece in
            let from = Int(at * 48_000) + piece * size
            return Spectrum(x[from..<from + size], size: size).power(from: hertz / 1.41, to: hertz * 1.41)
          }.reduce(0, +))
    }
    let (a, b) = (0.2, 0.2 + seconds / 2)
    return 60 * (b - a) / (power(a) - power(b))
  }

  @Test("is mono at width 0, its first echoes too, for an input that is")
  func width() {
    let room = Room(rate: 48_000)
    room.settings.width = 0
    let mono = room.answer(24_000)
    #expect(isSame(mono.left.bits, mono.right.bits) && mono.left.contains { $0.magnitude > 0.01 })
    let wide = Room(rate: 48_000).answer(24_000)
    #expect(!isSame(wide.left.bits, wide.right.bits))
  }

  @Test(
    "The tail falls by 60 dB in the set time, within 10 %, in each octave from 125 Hz to 8 kHz",
    arguments: [0.8, 2, 6] as [Float])
  func octaveDecay(_ seconds: Float) {
    let room = Room()
    (room.settings.decay, room.settings.high) = (seconds, 1)
    let answer = room.answer(Int(48_000 * (Double(seconds) / 2 + 0.7)) / 16 * 16)
    for hertz in [125.0, 250, 500, 1_000, 2_000, 4_000, 8_000] {
      let measured = Self.decay(answer.left, hertz, Double(seconds))
      print("reverb: decay of \(seconds) s at \(hertz) Hz: \(measured) s")
      #expect(abs(measured / Double(seconds) - 1) < 0.1, "\(hertz) Hz: \(measured) s")
    }
  }

  /// Short decays, in rooms of any size: from 5 to 35 dB below the whole, of what is still to come (M. Schroeder, 1965).
  @Test(
    "Tails of 0.2 to 0.5 s have the set decay time within 10 % at any room size",
    arguments: [0.2, 0.3, 0.5] as [Float], [0.3, 0.85, 1] as [Float])
  func shortDecay(_ seconds: Float, _ size: Float) {
    let room = Room()
    (room.settings.decay, room.settings.size, room.settings.preDelay) = (seconds, size, 0)
    let tail = room.answer(48_000).left.map { Double($0) * Double($0) }
    var (energy, rest) = ([Double](repeating: 0, count: tail.count), 0.0)
    for index in tail.indices.reversed() {
      rest += tail[index]
      energy[index] = rest
    }
    let (from, to) = (
      energy.firstIndex { $0 < rest * pow(10, -0.5) } ?? 0,
      energy.firstIndex { $0 < rest * pow(10, -3.5) } ?? 0
    )
    let measured = Double(to - from) / 48_000 * 2
    print("reverb: decay of \(seconds) s, size \(size): \(measured) s")
    #expect(abs(measured / Double(seconds) - 1) < 0.1, "\(measured) s")
  }

  /// Normalized echo density (J. Abel, P. Huang, AES 121, 2006): the part of a window of 20 ms that lies outside its
  /// standard deviation, 1 for noise.
  private static func density(_ x: [Float], at seconds: Double) -> Double {
    let from = Int((seconds - 0.01) * 48_000)
    let window = x[from..<from + 960].map(Double.init)
    let deviation = sqrt(window.reduce(0) { $0 + $1 * $1 } / Double(window.count))
    return Double(window.filter { abs($0) > deviation }.count) / Double(window.count) / 0.3173
  }

  @Test("The echo density is at least 90 % of that of noise from 50 ms on") func echoDensity() {
    let room = Room()
    (room.settings.preDelay, room.settings.high) = (0, 1)
    let answer = room.answer(14_400)
    for (seconds, least) in [(0.05, 0.9), (0.1, 0.9), (0.2, 0.9)] {
      let density = Self.density(answer.left, at: seconds)
      print("reverb: echo density at \(seconds) s: \(density)")
      #expect(density > least)
    }
  }

  /// Geometric over arithmetic mean of the power in thirds of an octave, the mean of them all: how even the tail is.
  private static func flatness(_ x: [Float]) -> Double {
    let spectrum = Spectrum(x, size: 32_768)
    var (sum, count, hertz) = (0.0, 0.0, 125.0)
    while hertz < 10_000 {
      let bins = Int(hertz / 1.12 / spectrum.bin)..<Int(hertz * 1.12 / spectrum.bin)
      let power = bins.map { spectrum.power[$0] + 1e-30 }
      let mean = power.reduce(0, +) / Double(power.count)
      sum += exp(power.map { log($0) }.reduce(0, +) / Double(power.count)) / mean
      count += 1
      hertz *= 1.26
    }
    return sum / count
  }

  /// Beside noise, whose spectrum is as even as that of anything random: 0.68 s of the tail from 0.3 s on, its decay undone.
  @Test("The spectral flatness of the tail is more than 80 % of that of noise") func tailFlatness() {
    let room = Room()
    room.settings.preDelay = 0
    let tail = room.answer(14_400 + 32_768).left[14_400...].enumerated().map { index, x in
      x * powf(10, 3 * Float(index) / 48_000 / 2)
    }
    var state: UInt32 = 1
    let noise = tail.map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return Float(Int32(bitPattern: state))
    }
    let flatness = Self.flatness(tail) / Self.flatness(noise)
    print("reverb: flatness of the tail against noise: \(flatness)")
    #expect(flatness > 0.8)
  }

  /// What measures reverbs renders the effects alone: they must be those of the instrument.
  @Test("The effect bench gives the same impulse response as the reverb itself") func benchReverb() {
    let room = Room()
    (room.settings.on, room.settings.mix) = (1, 1)
    let answer = room.answer(9_600)
    var effects = EffectKnobs()
    effects.reverb = room.settings
    var (left, right) = ([Float](repeating: 0, count: 9_600), [Float](repeating: 0, count: 9_600))
    (left[0], right[0]) = (1, 1)
    EffectBench(effects, rate: 48_000).process(&left, &right)
    let isTheSame = left == answer.left && right == answer.right
    #expect(isTheSame)
    #expect(left.peak > 0.01)
  }

  @Test("The impulse response has the same bits when ticks are split into blocks of 7 frames")
  func blockSplits() {
    let whole = Room().answer(9_600)
    let pieces = Room().answer(9_600, split: 7)
    let isTheSame = whole.left == pieces.left && whole.right == pieces.right
    #expect(isTheSame)
  }
}
