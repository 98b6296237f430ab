import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// Oscillators that read wavetables.
@Suite("A wavetable") struct WavetableTests {
  private typealias Playing = WavetablePlaying

  /// The amplitude of a harmonic of a sine, a triangle, a saw and a square.
  private static func amplitude(_ wave: Int, _ n: Double) -> Double {
    let isOdd = n.truncatingRemainder(dividingBy: 2) == 1
    switch wave {
    case 0: return n == 1 ? 1 : 0
    case 1: return isOdd ? (n.truncatingRemainder(dividingBy: 4) == 1 ? 0.8106 : -0.8106) / (n * n) : 0
    case 2: return (isOdd ? 0.6366 : -0.6366) / n
    default: return isOdd ? 1.2732 / n : 0
    }
  }

  /// The frames lie a tenth of the way from wave to wave apart, and those between are blends.
  @Test("has the harmonics of its frames, in tune", arguments: [0, 4, 10, 16, 25, 31])
  func harmonics(frame: Int) {
    let spectrum = Playing.spectrum(Playing.knobs(.basic, Float(frame) / 31), note: 45)
    let first = Playing.level(spectrum, 110)
    let place = Double(frame) * 3 / 31
    let wave = min(Int(place), 2)
    func amplitude(_ n: Double) -> Double {
      let (one, two) = (Self.amplitude(wave, n), Self.amplitude(wave + 1, n))
      return abs(one + (two - one) * (place - Double(wave)))
    }
    for n in stride(from: 2.0, through: 12, by: 1) {
      let expected = 20 * log10(max(amplitude(n), 1e-9) / amplitude(1))
      let got = Playing.level(spectrum, n * 110) - first
      #expect(abs(got - expected) < 0.3 || max(got, expected) < -60, "\(n): \(got), \(expected) dB")
    }
    #expect(abs(1200 * log2(spectrum.peak(near: 110) / 110)) < 0.05)
  }

  /// Relative to the sound at key 40, since high keys have few of the harmonics of some tables.
  @Test("does not alias up to 12 kHz", arguments: FactoryWavetable.allCases)
  func aliasing(table: FactoryWavetable) {
    var (worst, place) = (-200.0, "")
    for position: Float in [0, 0.37, 1] {
      var sound = 0.0
      for note in [40, 57, 71, 84, 98] {
        let spectrum = Playing.spectrum(Playing.knobs(table, position), note: note, size: 16_384)
        let powers = spectrum.powers(of: Playing.hertz(note), to: 12_000)
        if note == 40 { sound = powers.harmonics }
        let alias = 10 * log10(powers.beside / sound)
        if alias > worst { (worst, place) = (alias, "key \(note), position \(position)") }
      }
    }
    print("wavetable \(table): aliasing \(worst) dB (\(place))")
    #expect(worst < -75)
  }

  /// 468.75 Hz is the boundary of two levels, which the vibrato crosses. Measured: -91.6 dB.
  @Test("fades between its levels")
  func vibrato() {
    let knobs: [(String, Float)] = [("/lfo/1/pitch", 50), ("/lfo/1/rate", 6)]
    let spectrum = Playing.spectrum(Playing.knobs(.basic, 2.0 / 3, knobs), note: 70)
    let beside = spectrum.aliasing(of: Playing.hertz(70), to: 2_500, reach: 150)
    print("wavetable, levels under vibrato: \(beside) dB")
    #expect(beside < -80)
  }

  /// Frames are blended linearly, so that the blend has corners at the frames. Measured at worst: -75.1 dB (tenor).
  @Test("moves its position without side products")
  func moved() {
    let slot: [(String, Float)] = [
      ("/mod/1/source", Float(ModulationSource.names.firstIndex(of: "lfo-2") ?? 0)),
      ("/mod/1/target", Float(ModulationTarget.names.firstIndex(of: "osc-1-width") ?? 0)),
      ("/mod/1/amount", 0.5), ("/lfo/2/rate", 1), ("/lfo/2/wave", 0),
    ]
    for table: FactoryWavetable in [.basic, .fm11, .tenor, .noise] {
      let spectrum = Playing.spectrum(Playing.knobs(table, 0.5, slot), note: 81)
      let beside = spectrum.aliasing(of: Playing.hertz(81), to: 12_000, reach: 400)
      print("wavetable \(table), position moved: \(beside) dB")
      #expect(beside < -70)
    }
  }

  /// Measured at worst, keys 45 to 81: feedback -74 dB, by a sine -84 dB, by itself -71 dB, sync -68 dB up to key 69 and -57 dB at 81,
  /// where the derivatives that jump at the reset are not smoothed.
  @Test("does not alias in unison and under feedback, phase modulation and sync")
  func mixed() {
    let cases: [(String, [(String, Float)], Double)] = [
      ("feedback", [("/osc/1/feedback", 0.4)], -70),
      ("pm by a sine", [("/osc/1/pm", 3), ("/osc/2/wave", 0), ("/osc/2/octave", 1)], -75),
      ("pm by itself", [("/osc/1/pm", 2)], -65),
      (
        "sync", [("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/sync", 1), ("/osc/2/semitone", 7)], -53
      ),
    ]
    for (name, knobs, bar) in cases {
      for note in [45, 57, 69, 81] {
        var worst = -200.0
        for table: FactoryWavetable in [.basic, .cutoff, .pulse, .fm12] {
          let spectrum = Playing.spectrum(Playing.knobs(table, 0.7, knobs), note: note)
          worst = max(worst, spectrum.aliasing(of: Playing.hertz(note), to: 12_000))
        }
        print("wavetable, \(name), key \(note): aliasing \(worst) dB")
        #expect(worst < bar)
      }
    }
  }

  @Test("in a unison is as bright as the highest voice allows, and no brighter")
  func unison() {
    let voices: [(String, Float)] = [("/osc/1/unison", 7), ("/osc/1/detune", 200)]
    let spectrum = Playing.spectrum(Playing.knobs(.cutoff, 1, voices), note: 96)
    // Harmonics of 2,093 Hz reach up to 2 % to either side; between them is nothing.
    let (low, between) = (spectrum.power(from: 1_700, to: 2_500), spectrum.power(from: 200, to: 1_400))
    #expect(10 * log10(between / low) < -75, "\(10 * log10(between / low))")
  }

  @Test("changes to another table without a click")
  func changed() {
    var scene = Scene.with(Playing.knobs(.basic, 2.0 / 3))
    let player = Player(scene, running: true)
    player.press(83, velocity: 1)
    player.play(9_600)
    for table: FactoryWavetable in [.hollow, .cutoff, .fm11, .basic] {
      scene.turn(Playing.knobs(table, 2.0 / 3))
      player.link.scene.publish(scene)
      player.play(700)
      player.link.scene.service()
    }
    player.play(Spectrum.size)
    let heard = Spectrum(player.left.dropFirst(9_600).prefix(Spectrum.size))
    let beside = heard.aliasing(of: Playing.hertz(83), to: 18_000, reach: 400)
    print("wavetable, tables changed: \(beside) dB")
    #expect(beside < -60)
  }

  @Test("has the same samples in blocks of any size")
  func blocks() {
    let knobs = Playing.knobs(
      .tenor, 0.3,
      [
        ("/lfo/1/pitch", 80), ("/lfo/1/rate", 7), ("/osc/2/level", 0.5), ("/osc/2/unison", 4),
        ("/osc/2/detune", 30),
      ])
    let (one, two) = (Playing.player(knobs, note: 70), Playing.player(knobs, note: 70))
    one.play(9_600, block: 64)
    var left = 9_600
    for size in sequence(first: 1, next: { $0 % 97 + 13 }) where left > 0 {
      two.play(min(size, left), block: min(size, left))
      left -= min(size, left)
      if left == 0 { break }
    }
    #expect(one.left == two.left)
    #expect(one.left.contains { abs($0) > 0.01 })
  }
}
