import EngineHarness
import Glibc
import Parameters
import Testing
@testable import Scenes
@testable import Synth

/// The trisaw: a triangle whose peak the width moves.
@Suite("The trisaw") struct TrisawTests {
  private static let (size, before) = (65_536, 9_600)
  private static let wave = Waveform.trisaw.choice

  private func spectrum(_ width: Float, note: Int, _ knobs: [(String, Float)] = []) -> Spectrum {
    let open: [(String, Float)] = [
      ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
      ("/osc/1/wave", Self.wave), ("/osc/1/width", width), ("/osc/2/wave", Self.wave),
      ("/osc/2/width", width),
    ]
    let player = Player(Scene.with(open + knobs))
    player.press(note, velocity: 1)
    player.play(Self.before + Self.size, block: 256)
    return Spectrum(player.left.dropFirst(Self.before))
  }

  private func hertz(_ note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }

  private func level(_ spectrum: Spectrum, _ hertz: Double) -> Double {
    10 * log10(spectrum.power(from: hertz - 8, to: hertz + 8))
  }

  /// The filter is open at 20 kHz and takes 0.1 dB of the tenth harmonic.
  @Test("has the harmonics of its Fourier series", arguments: [0.05, 0.3, 0.5, 0.7, 0.95] as [Float])
  func harmonics(width: Float) {
    let spectrum = spectrum(width, note: 45)
    let series = { (n: Double) in 20 * log10(max(abs(sin(n * .pi * Double(width))) / (n * n), 1e-6)) }
    let first = level(spectrum, hertz(45)) - series(1)
    for n in stride(from: 2.0, through: 10, by: 1) where series(n) - series(1) > -60 {
      let (got, expected) = (level(spectrum, n * hertz(45)) - first, series(n))
      #expect(abs(got - expected) < 0.3, "harmonic \(n): \(got) dB, \(expected) expected")
    }
  }

  /// Measured at worst: -81.8 dB.
  @Test("does not alias", arguments: [45, 57, 69, 81, 93, 105])
  func aliasing(note: Int) {
    let alias = ([0.05, 0.25, 0.5, 0.8, 0.95] as [Float]).map {
      spectrum($0, note: note).aliasing(of: hertz(note))
    }
    let worst = alias.max() ?? 0
    print("trisaw, key \(note): aliasing \(worst) dB")
    #expect(worst < -80, "\(alias)")
  }

  /// Measured at worst: -76.2 dB.
  @Test("does not alias under hard sync", arguments: [45, 57, 69, 81])
  func synchronized(note: Int) {
    var worst = -200.0
    for width: Float in [0.2, 0.5, 0.9] {
      for semitones in stride(from: -5, through: 31, by: 4) {
        let octave = Float(semitones / 12)
        let knobs: [(String, Float)] = [
          ("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/sync", 1), ("/osc/2/octave", octave),
          ("/osc/2/semitone", Float(semitones) - 12 * octave), ("/osc/2/fine", 37),
        ]
        let alias = spectrum(width, note: note, knobs).aliasing(of: hertz(note))
        worst = max(worst, alias)
      }
    }
    print("synchronized trisaw, key \(note): aliasing \(worst) dB")
    #expect(worst < -74)
  }

  @Test("with its peak in the middle is as loud as a triangle, in unison and with modulated phase too")
  func triangle() {
    let cases: [[(String, Float)]] = [
      [], [("/osc/1/unison", 5), ("/osc/1/detune", 30)], [("/osc/1/feedback", 0.4)],
      [("/osc/1/pm", 2), ("/osc/2/wave", 0)],
    ]
    for knobs in cases {
      let levels = [knobs, knobs + [("/osc/1/wave", 1)]].map { knobs in
        10 * log10(spectrum(0.5, note: 57, knobs).power(from: 100, to: 5_000))
      }
      // Their notes begin at other phases, so the sidebands of the phase modulation add up otherwise: 0.8 dB.
      #expect(abs(levels[0] - levels[1]) < 1, "\(knobs): \(levels) dB")
    }
  }

  @Test("moves its peak with the width")
  func moved() {
    let slot: [(String, Float)] = [("/mod/1/source", 1), ("/mod/1/target", 6), ("/mod/1/amount", 0.3)]
    let (moved, still) = (spectrum(0.5, note: 57, slot), spectrum(0.8, note: 57))
    for harmonic in 1...6 {
      let hertz = Double(harmonic) * 220
      #expect(
        abs(level(moved, hertz) - level(still, hertz)) < 0.2 || level(still, hertz) < level(still, 220) - 60)
    }
  }
}
