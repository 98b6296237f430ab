import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The third oscillator, the chain of phase modulation 3 → 2 → 1, and tuning by ratio and by hertz.
@Suite("Third oscillator") struct ThirdOscillatorTests {
  typealias Knobs = [(String, Float)]
  private static let open: Knobs = [
    ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
    ("/amp/sustain", 1), ("/osc/1/level", 0), ("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/3/wave", 0),
  ]

  private static func play(_ knobs: Knobs, _ key: Int = 57, frames: Int = 24_000) -> Player {
    let player = Player(.with(open + knobs))
    player.press(key, velocity: 1)
    player.play(frames, block: 256)
    return player
  }

  private static func rms(_ x: some Collection<Float>) -> Float {
    (x.reduce(0) { $0 + $1 * $1 } / Float(x.count)).squareRoot()
  }

  /// The difference between two sounds, beside the first, in decibels.
  private static func difference(_ one: Player, _ other: Player) -> Double {
    func power(_ x: some Sequence<Float>) -> Double { x.reduce(0.0) { $0 + Double($1) * Double($1) } }
    let (first, second): ([Float], [Float]) = (one.left + one.right, other.left + other.right)
    return 10 * log10((power(zip(first, second).map { $0 - $1 }) + 1e-30) / power(first))
  }

  @Test(
    "Oscillator 3 alone sounds as oscillator 2 alone, in each waveform but noise",
    arguments: [0, 1, 2, 3, 5, 6] as [Float])
  func soloSound(_ wave: Float) {
    let second = Self.play([("/osc/2/level", 0.7), ("/osc/2/wave", wave), ("/osc/2/feedback", 0.01)])
    let third = Self.play([("/osc/3/level", 0.7), ("/osc/3/wave", wave), ("/osc/3/feedback", 0.01)])
    let difference = Self.difference(second, third)
    #expect(difference < -120, "\(difference) dB")
  }

  @Test("A unison of oscillator 3 is as loud on each side as one of oscillator 2, within 1 dB")
  func unisonLevel() {
    let rms = [2, 3].map { number -> (Float, Float) in
      let own = "/osc/\(number)/"
      let player = Self.play(
        [
          (own + "level", 0.5), (own + "wave", 2), (own + "unison", 5), (own + "spread", 1),
          (own + "detune", 30),
        ], frames: 96_000)
      return (Self.rms(player.left), Self.rms(player.right))
    }
    #expect(abs(20 * log10(rms[0].0 / rms[1].0)) < 1 && abs(20 * log10(rms[0].1 / rms[1].1)) < 1)
  }

  @Test(
    "Oscillator 3 phase-modulates oscillator 2 as oscillator 2 does oscillator 1",
    arguments: [0, 1, 2, 3, 6] as [Float])
  func thirdModulator(_ wave: Float) {
    let first = Self.play([
      ("/osc/1/level", 0.7), ("/osc/1/pm", 2), ("/osc/2/wave", wave), ("/osc/2/octave", 1),
    ])
    let second = Self.play([
      ("/osc/2/level", 0.7), ("/osc/2/pm", 2), ("/osc/3/wave", wave), ("/osc/3/octave", 1),
    ])
    let difference = Self.difference(first, second)
    #expect(difference < -110, "\(difference) dB")
  }

  @Test(
    "Modulating oscillator 2 does not change the sound of oscillator 3 itself",
    arguments: [0, 2] as [Float])
  func audibleModulator(_ wave: Float) {
    let voices: Knobs = [("/osc/3/wave", wave), ("/osc/3/level", 0.5), ("/osc/3/unison", 3)]
    let (alone, both) = (Self.play(voices), Self.play(voices + [("/osc/2/pm", 3)]))
    // The second is silent. What is taken out of the mean differs.
    #expect(Self.difference(alone, both) < -60)
  }

  /// The chain is the formula: sines, 3 at twice the pitch, 2 at three times, all from phase 0.
  @Test("A phase modulation chain of three sines has the calculated harmonics within 0.2 dB")
  func chainFormula() {
    let (index2, index1): (Float, Float) = (1.2, 1.7)
    let player = Self.play([
      ("/osc/1/level", 1), ("/osc/1/pm", index1), ("/osc/2/pm", index2), ("/osc/2/ratio", 3),
      ("/osc/3/ratio", 2),
    ])
    let size = 16_384
    let pitch = 220.0
    let expected = (0..<size).map { i -> Float in
      let phase = 2 * Double.pi * pitch * Double(i) / 48_000
      let two = sin(3 * phase + Double(index2) * sin(2 * phase))
      return Float(sin(phase + Double(index1) * two))
    }
    let sound = Spectrum(player.left.suffix(size), size: size)
    let formula = Spectrum(expected, size: size)
    func level(_ spectrum: Spectrum, _ harmonic: Int) -> Double {
      let hertz = pitch * Double(harmonic)
      return 10 * log10(spectrum.power(from: hertz - 15, to: hertz + 15))
    }
    let offset = level(sound, 1) - level(formula, 1)
    for harmonic in 2...12 where level(formula, harmonic) > level(formula, 1) - 40 {
      let error = level(sound, harmonic) - level(formula, harmonic) - offset
      // Measured 0.11 dB: the limit of the index, and the low-pass at 20 kHz.
      #expect(abs(error) < 0.2, "harmonic \(harmonic): \(error) dB")
    }
  }

  @Test(
    "A phase modulation chain aliases below -65 dB from 110 Hz to 3.5 kHz at indices up to 20",
    arguments: [45, 57, 69, 81, 93, 105], [2, 5, 20] as [Float])
  func chainSpectrum(_ key: Int, _ index: Float) {
    let player = Player(
      .with(Self.open + [("/osc/1/level", 1), ("/osc/1/pm", index), ("/osc/2/pm", index)]))
    player.press(key, velocity: 1)
    player.play(4_800 + 16_384, block: 256)
    let pitch = 440 * exp2(Double(key - 69) / 12)
    let aliasing = Spectrum(player.left.dropFirst(4_800), size: 16_384).aliasing(of: pitch)
    print("aliasing: chain, key \(key), index \(index): \(aliasing) dB")
    // Measured at worst: -67.0 dB, at the lowest pitch and the highest index.
    #expect(aliasing < -65)
  }

  @Test(
    "The frequency of each oscillator is its ratio times the pitch plus its shift in hertz",
    arguments: [1, 2, 3])
  func ratioAndShift(_ number: Int) {
    let own = "/osc/\(number)/"
    for (ratio, shift) in [(1, 0), (3, 0), (0.5, 0), (1, 5), (2.5, -20), (1, 20)] as [(Float, Float)] {
      let player = Self.play(
        [(own + "level", 0.7), (own + "ratio", ratio), (own + "shift", shift)], 69,
        frames: 4_800 + Spectrum.size)
      let hertz = 440 * Double(ratio) + Double(shift)
      let found = Spectrum(player.left.dropFirst(4_800)).peak(near: hertz)
      #expect(abs(found - hertz) < 0.01, "\(ratio) \(shift): \(found)")
    }
  }

  @Test("Oscillator 3 turned up under a held note is heard, and leaves nothing when turned down")
  func levelSwitch() {
    var scene = Scene.with(Self.open + [("/osc/1/level", 0.5)])
    let player = Player(scene, running: true)
    player.press(57, velocity: 1)
    player.play(9_600)
    func set(_ level: Float) {
      scene[0].patch.oscillator3.level = level
      player.link.scene.publish(scene)
      player.link.scene.service()
      player.play(24_000)
    }
    let before = Self.rms(player.left.suffix(4_800))
    set(0.5)
    let during = Self.rms(player.left.suffix(4_800))
    set(0)
    let after = Self.rms(player.left.suffix(4_800))
    // Two sines of one pitch, the third from the phase at which it was switched on.
    #expect(abs(during / before - 1) > 0.1 && abs(after / before - 1) < 0.001)
  }

  @Test("Data of oscillator 3 lies at the memory offsets that indexed access expects") func dataLayout() {
    #expect(
      MemoryLayout<Patch>.offset(of: \Patch.oscillator3) == 2 * MemoryLayout<OscillatorKnobs>.stride)
    var control = SoundTables()
    withUnsafeMutablePointer(to: &control) { tables in
      let distance = UnsafeRawPointer(tables.change(of: 2)) - UnsafeRawPointer(tables)
      #expect(distance == MemoryLayout<SoundTables>.offset(of: \.third))
    }
    let extras = MemoryLayout<LaneExtras>.offset(of: \.index)
    #expect(
      extras == MemoryLayout<LaneExtras.UnisonPhases>.size + 3
        * MemoryLayout<LaneExtras.OscillatorExtras>.stride)
    #expect(MemoryLayout<LaneExtras>.offset(of: \.index2) == (extras ?? 0) + MemoryLayout<Ramp>.stride)
  }
}
