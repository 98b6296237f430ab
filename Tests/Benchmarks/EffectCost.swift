import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// What each effect and the whole rack cost for a stereo sample, beside a note of the `bench` sound in the same run.
func benchmarkEffects() {
  let bands: [(String, Float)] = ["low", "1", "2", "3", "high"].map { ("/eq/\($0)/gain", 3) }
  let effects: [(String, [(String, Float)])] = [
    ("drive", [("/drive/on", 1)]), ("equalizer, five bands", [("/eq/on", 1)] + bands),
    ("chorus", [("/chorus/on", 1)]), ("ensemble", [("/chorus/on", 1), ("/chorus/mode", 3)]),
    ("delay", [("/delay/on", 1)]), ("reverb", [("/reverb/on", 1)]),
    ("compressor", [("/compressor/on", 1)]),
    ("rotary speaker", [("/rotary/on", 1), ("/rotary/speed", 2)]),
    ("flanger", [("/flanger/on", 1)]),
    ("phaser, six stages", [("/phaser/on", 1)]),
    ("phaser, twelve stages", [("/phaser/on", 1), ("/phaser/stages", 12)]),
  ]
  let all = effects.flatMap(\.1)
  // A few notes, so that what they cost besides is seldom more than the effect.
  let few = best(notes: 8, [])
  let note = (best(notes: 64, []) - few) / 56
  print("effects: a note of bench: \(decimals(note, 2)) ns a sample")
  for (name, knobs) in effects + [("the whole rack", all)] {
    let more = best(notes: 8, knobs) - few
    print("effects: \(name): \(decimals(more, 1)) ns a stereo sample, \(decimals(more / note, 1)) notes")
  }
}

/// Nanoseconds of processor time for a sample of so many notes through some effects, at best.
private func best(notes: Int, _ knobs: [(String, Float)]) -> Double {
  var scene = Scene.with(knobs)
  let effects = scene[0].patch.effects
  scene[0].patch = .bench
  scene[0].patch.effects = effects
  // Far below the master's ceiling, or its limiter would work on what an effect makes louder, and count as the effect.
  scene[0].strip.level = -30
  var best = Double.infinity
  for _ in 0..<7 {
    let player = Player(scene)
    for note in 0..<notes { player.press(36 + note) }
    player.render(256, blocks: 40)
    let begin = processorSeconds()
    player.render(256, blocks: 400)
    best = min(best, (processorSeconds() - begin) * 1e9 / (256 * 400))
  }
  return best
}
