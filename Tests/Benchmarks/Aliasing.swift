import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// Alias-to-signal of what the oscillators do: harmonics under 18 kHz against all else from 40 Hz to 18 kHz.
func benchmarkAliasing() {
  let waves: [(String, [(String, Float)])] = [
    ("saw", [("/osc/1/wave", 2)]), ("pulse 50 %", [("/osc/1/wave", 3)]),
    ("pulse 25 %", [("/osc/1/wave", 3), ("/osc/1/width", 0.25)]), ("triangle", [("/osc/1/wave", 1)]),
    ("sine", [("/osc/1/wave", 0)]),
  ]
  let pitches = [55.0, 110, 440, 1_760, 3_520, 5_000, 5_500, 6_000, 7_000, 7_900, 10_000, 12_000]
  for (name, knobs) in waves { print("aliasing: \(name):" + line(pitches) { aliasing(knobs, $0) }) }
  for (name, wave) in [("saw", 2), ("pulse", 3), ("triangle", 1), ("sine", 0)] {
    print("aliasing: sync'd \(name), worst ratio:" + line([110, 220, 440, 880]) { synced(Float(wave), $0) })
  }
  for index in [1, 5, 13] {
    let knobs = modulated(Float(index))
    print(
      "aliasing: phase modulation, index \(index):"
        + line([220, 440, 880, 1_760, 3_520]) { aliasing(knobs, $0) })
  }
  print(
    "aliasing: feedback:"
      + line([220, 440, 880, 1_760, 3_520]) { aliasing([("/osc/1/wave", 0), ("/osc/1/feedback", 1)], $0) })
}

private func line(_ pitches: [Double], _ figure: (Double) -> Double) -> String {
  pitches.map { " \(Int($0)) Hz \(decimals(figure($0), 1)) dB" }.joined()
}

private func modulated(_ index: Float) -> [(String, Float)] {
  [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/1/pm", index)]
}

/// The worst of some ratios of slave to master, the slave under 9 kHz. A little above a whole number it has just jumped
/// by itself where it begins anew.
private func synced(_ wave: Float, _ hertz: Double) -> Double {
  [1.02, 1.37, 1.83, 2.04, 2.41, 3.3, 4.74, 5.02, 6.14, 6.83, 8.65, 9.02, 10.1, 16.3, 18.1].filter {
    $0 * hertz < 9_000
  }.map { ratio in
    let cents = 1200 * log2(ratio)
    let octave = (cents / 1200).rounded()
    let semitone = ((cents - 1200 * octave) / 100).rounded()
    let fine = cents - 1200 * octave - 100 * semitone
    return aliasing(
      [
        ("/osc/1/level", 0), ("/osc/2/level", 0.7), ("/osc/2/wave", wave), ("/osc/2/sync", 1),
        ("/osc/2/octave", Float(octave)), ("/osc/2/semitone", Float(semitone)), ("/osc/2/fine", Float(fine)),
      ], hertz)
  }.max() ?? 0
}

private func aliasing(_ knobs: [(String, Float)], _ hertz: Double) -> Double {
  var scene = Scene.with(
    [("/filter/cutoff", 20_000), ("/filter/track", 0), ("/amp/velocity", 0), ("/filter/resonance", 0)] + knobs
  )
  // The nearest note, and the rest by concert pitch.
  let note = (69 + 12 * log2(hertz / 440)).rounded()
  scene.master.tune = Float(hertz / exp2((note - 69) / 12))
  let player = Player(scene)
  player.press(Int(note), velocity: 1)
  player.play(9_600 + Spectrum.size, block: 256)
  return Spectrum(player.left.dropFirst(9_600)).aliasing(of: hertz)
}
