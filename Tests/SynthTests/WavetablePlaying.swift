import EngineHarness
import Glibc
import Parameters
@testable import Scenes
@testable import Synth

/// Notes of wavetables, for tests.
enum WavetablePlaying {
  static let before = 9_600

  /// Knobs of a sound that is one wavetable through an open filter. `position` is 0…1.
  static func knobs(_ table: FactoryWavetable, _ position: Float, _ more: [(String, Float)] = []) -> [(
    String, Float
  )] {
    let number = Float(FactoryWavetable.allCases.firstIndex(of: table) ?? 0)
    var knobs: [(String, Float)] = [
      ("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/amp/attack", 0.001),
    ]
    for oscillator in ["/osc/1", "/osc/2"] {
      knobs += [
        (oscillator + "/wave", Waveform.wavetable.choice), (oscillator + "/table", number),
        (oscillator + "/width", 0.05 + 0.9 * position),
      ]
    }
    return knobs + more
  }

  /// A player that holds a key.
  static func player(_ knobs: [(String, Float)], note: Int) -> Player {
    let player = Player(Scene.with(knobs), running: true)
    player.press(note, velocity: 1)
    return player
  }

  /// The spectrum of a held note.
  static func spectrum(_ knobs: [(String, Float)], note: Int, size: Int = Spectrum.size) -> Spectrum {
    let player = player(knobs, note: note)
    player.play(before + size, block: 256)
    return Spectrum(player.left.dropFirst(before), size: size)
  }

  static func hertz(_ note: Int) -> Double { 440 * exp2(Double(note - 69) / 12) }

  static func level(_ spectrum: Spectrum, _ hertz: Double) -> Double {
    10 * log10(spectrum.power(from: hertz - 8, to: hertz + 8))
  }
}
