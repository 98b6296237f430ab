/// Runs the named benchmarks, or all.
func runBenchmarks(_ names: [String]) {
  let all: [(name: String, run: () -> Void)] = [
    ("voices", benchmarkVoices), ("blocks", benchmarkBlocks), ("aliasing", benchmarkAliasing),
    ("features", benchmarkFeatures), ("effects", benchmarkEffects), ("filter", benchmarkFilter),
    ("knobs", benchmarkKnobs),
    ("recalls", benchmarkRecalls), ("osc", benchmarkOSC), ("flood", benchmarkFlood),
    ("floods", benchmarkFloods), ("edits", benchmarkEdits),
  ]
  for (name, run) in all where names.isEmpty || names.contains(name) { run() }
}
