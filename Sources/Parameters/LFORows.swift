import Synth

// The knobs of the LFOs, and the depths by which the first moves targets without the matrix.

extension Table {
  /// The rows of all LFOs.
  // swift-format-ignore
  static let lfos: [Parameter] = rows("/lfo/1", \.lfo.shape, "the first LFO", rate: 76, delay: 78) + [
    knob("/lfo/1/pitch",  path(\.lfo.pitch),  .linear(0...1_200, .cents), 0,  cc: 77, "Vibrato: depth of the first LFO on the pitch, up and down."),
    knob("/lfo/1/cutoff", path(\.lfo.cutoff), .linear(0...4, .octaves),   0,          "Depth of the first LFO on the cutoff, up and down."),
    knob("/lfo/1/level",  path(\.lfo.level),  percent,                    0,  cc: 92, "Tremolo: depth of the first LFO on the level."),
    knob("/lfo/1/wheel",  path(\.lfo.wheel),  .linear(0...200, .cents),   30,         "Vibrato that the modulation wheel adds at its maximum."),
  ] + rows("/lfo/2", \.lfo2, "the second LFO") + rows("/lfo/3", \.lfo3, "the third LFO") + lfoSteps

  private static let lfoSteps: [Parameter] = SixteenSteps.all.enumerated().map { index, step in
    let steps: WritableKeyPath<Patch, SixteenSteps> = \.lfoSteps
    // A staircase, so that the wave is audible before a step is set.
    return knob(
      "/lfo-steps/\(index + 1)", path(steps.appending(path: step)), .linear(-1...1, .percent),
      Float(index) / 7.5 - 1, isDetail: true, "Step \(index + 1) of LFOs whose wave is steps.")
  }

  private static func rows(
    _ stem: String, _ knobs: WritableKeyPath<Patch, LFOShapeKnobs>, _ name: String,
    rate: UInt8? = nil, delay: UInt8? = nil
  ) -> [Parameter] {
    func row(
      _ leaf: String, _ field: WritableKeyPath<LFOShapeKnobs, Float>, _ kind: Kind, _ initial: Float,
      cc: UInt8? = nil, _ about: String
    ) -> Parameter {
      knob(stem + "/" + leaf, path(knobs.appending(path: field)), kind, initial, cc: cc, about)
    }
    return [
      row("wave", \.wave, .choice(LFOWave.allCases.map(\.rawValue)), 0, "Waveform of \(name)."),
      row("rate", \.rate, .exponential(0.02...40, .hertz), 5, cc: rate, "Speed of \(name)."),
      row(
        "sync", \.sync, .choice(NoteLength.names), 0,
        "Period of \(name) as a note length, or off."),
      row(
        "mode", \.mode, .choice(LFOMode.allCases.map(\.rawValue)), 0,
        "Restarted by each note (voice), not restarted (free), shared (all), or one period (once)."
      ),
      row("phase", \.phase, .linear(0...1, .percent), 0, "Start phase of \(name)."),
      row("delay", \.delay, .cubic(0...10, .seconds), 0, cc: delay, "Time before \(name) begins."),
      row(
        "fade", \.fade, .cubic(0...10, .seconds), 0,
        "Time for \(name) to reach its full depth after the delay."),
    ]
  }
}
