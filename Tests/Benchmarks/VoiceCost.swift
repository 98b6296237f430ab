import EngineHarness
import Glibc
import Parameters
import Scenes
import Synth

/// Nanoseconds of processor time for each note and sample of the `bench` sound, at 16, 64 and 128 notes.
func benchmarkVoices() {
  for notes in [16, 64, 128] {
    var best = Double.infinity
    for _ in 0..<5 { best = min(best, cost(notes: notes, seconds: 4)) }
    print("voices: \(notes) notes: \(decimals(best, 2)) ns a note and sample")
  }
}

/// What the parts of the voice cost: the `bench` sound with some of it turned on, against itself, at 64 notes.
func benchmarkFeatures() {
  let base = (0..<5).map { _ in cost(notes: 64, seconds: 1) }.min() ?? 1
  for (name, knobs) in features {
    let best = (0..<3).map { _ in cost(notes: 64, seconds: 1, knobs) }.min() ?? 0
    print("voices: \(name): \(decimals(best / base, 2)) times bench")
  }
}

/// Writes the knobs of one of them, or of each behind its name, for Tests/Benchmarks/instructions.
func writeFeature(_ name: String) {
  let knobs = features.map { ($0.0, $0.1.map { "\($0)=\($1)" }.joined(separator: " ")) }
  if name.isEmpty { return knobs.forEach { print("\($0): \($1)") } }
  guard let feature = knobs.first(where: { $0.0 == name }) else {
    print("no feature \(name); there are \(features.map(\.0))")
    exit(2)
  }
  print(feature.1)
}

private let unison: [(String, Float)] = [
  ("/osc/1/unison", 7), ("/osc/1/spread", 1), ("/osc/2/unison", 7), ("/osc/2/spread", 1),
]

private let features: [(String, [(String, Float)])] = [
  ("unison of 7 in both oscillators, stereo", unison),
  ("unison of 7 in both oscillators, mono", unison + [("/osc/1/spread", 0), ("/osc/2/spread", 0)]),
  ("unison of 7 in one oscillator, stereo", Array(unison.prefix(2))), ("hard sync", [("/osc/2/sync", 1)]),
  ("phase modulation", [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/1/pm", 3)]),
  ("feedback", [("/osc/1/wave", 0), ("/osc/1/feedback", 0.5)]), ("ring", [("/ring/level", 0.5)]),
  ("sub oscillator", [("/sub/level", 0.5)]), ("white noise", [("/noise/level", 0.5)]),
  ("pink noise", [("/noise/level", 0.5), ("/noise/color", -0.5)]), ("drift", [("/osc/1/drift", 5)]),
  ("trisaws", [("/osc/1/wave", 5), ("/osc/2/wave", 5)]), ("vintage", [("/play/vintage", 1)]),
  ("wavetables", [("/osc/1/wave", 6), ("/osc/2/wave", 6)]),
  (
    "wavetables that move",
    [
      ("/osc/1/wave", 6), ("/osc/2/wave", 6), ("/mod/1/source", lfo), ("/mod/1/target", 6),
      ("/mod/2/source", lfo), ("/mod/2/target", 7), ("/mod/1/amount", 0.5), ("/mod/2/amount", 0.5),
    ]
  ),
  ("LFOs that run once", [("/lfo/1/mode", 3)]), ("filter drive of 6 dB", [("/filter/drive", 6)]),
  ("filter drive of 12 dB", [("/filter/drive", 12)]), ("high-pass", [("/filter/highpass", 200)]),
  ("notch", [("/filter/mode", 3)]), ("eight slots", Array(slots.prefix(3 * 8))), ("sixteen slots", slots),
  ("ladder", [("/filter/character", 1), ("/filter/resonance", 0.5)]),
  ("ladder, stereo", [("/filter/character", 1), ("/osc/1/unison", 2)]),
  ("formant", [("/filter/character", 2)]),
  ("formant, stereo", [("/filter/character", 2), ("/osc/1/unison", 2)]),
  ("comb", [("/filter/character", 3)]), ("comb, stereo", [("/filter/character", 3), ("/osc/1/unison", 2)]),
  ("third oscillator", [("/osc/3/level", 0.5)]),
  ("third oscillator, unison of 7, stereo", [("/osc/3/level", 0.5), ("/osc/3/unison", 7)]),
  (
    "chain of phase modulation",
    [("/osc/1/wave", 0), ("/osc/2/wave", 0), ("/osc/3/wave", 0), ("/osc/1/pm", 3), ("/osc/2/pm", 3)]
  ),
  ("cutoff modulated by an oscillator", [("/filter/fm", 1)]),
  ("cutoff modulated, ladder", [("/filter/fm", 1), ("/filter/character", 1)]),
  ("everything", everything),
]

private let lfo = Float(ModulationSource.names.firstIndex(of: "lfo-1") ?? 0)

private let everything: [(String, Float)] =
  unison + slots + [
    ("/osc/2/sync", 1), ("/sub/level", 0.5), ("/noise/level", 0.3), ("/noise/color", -0.5),
    ("/filter/drive", 12), ("/filter/resonance", 1),
  ]

/// All slots of the matrix, each with a source and a target of its own.
private let slots: [(String, Float)] = {
  let routes = [
    ("envelope-3", "pitch"), ("lfo-1", "osc-1-pitch"), ("lfo-2", "resonance"), ("velocity", "osc-1-level"),
    ("key", "drive"), ("random", "osc-2-pitch"), ("wheel", "osc-1-detune"), ("pressure", "noise-color"),
    ("macro-1", "osc-2-width"), ("timbre", "filter-mode"), ("amp-envelope", "highpass"),
    ("bend", "osc-2-level"),
    ("expression", "pan"), ("breath", "cutoff"), ("filter-envelope", "ring"), ("alternate", "osc-1-width"),
  ]
  var knobs: [(String, Float)] = []
  for (index, route) in routes.enumerated() {
    let slot = "/mod/\(index + 1)/"
    knobs.append((slot + "source", Float(ModulationSource.names.firstIndex(of: route.0) ?? 0)))
    knobs.append((slot + "target", Float(ModulationTarget.names.firstIndex(of: route.1) ?? 0)))
    knobs.append((slot + "amount", 0.1))
  }
  return knobs
}()

private func cost(notes: Int, seconds: Int, _ knobs: [(String, Float)] = []) -> Double {
  var scene = Scene.initial
  scene[0].patch = .bench
  for (address, value) in knobs {
    guard let row = Table.rows.firstIndex(where: { $0.address == address }) else { continue }
    scene[ParameterID(row: row, part: 0)] = value
  }
  let player = Player(scene, running: true)
  for note in 0..<notes { player.press(36 + note % 64, source: note / 64) }
  player.render(256, blocks: 20)
  let blocks = seconds * 48_000 / 256
  let start = processorSeconds()
  player.render(256, blocks: blocks)
  let spent = processorSeconds() - start
  precondition(player.voices == notes && player.link.meters.takePeak() > 0.05)
  return spent * 1e9 / Double(blocks * 256 * notes)
}

func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

func decimals(_ value: Double, _ places: Int) -> String {
  let scale = pow(10, Double(places))
  return "\((value * scale).rounded() / scale)"
}
