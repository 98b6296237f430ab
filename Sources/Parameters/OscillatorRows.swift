import Scenes

// The knobs of the oscillators, and of their modulation by each other.

extension Table {
  /// The rows of all oscillators.
  // swift-format-ignore
  static let oscillators: [Parameter] =
    rows("/osc/1", \.oscillator1, "the first oscillator", level: 0.7) + [
      knob("/osc/1/pm", path(\.mixer.index), index, 0, "Phase modulation of the first oscillator by the second, in radians."),
    ] + rows("/osc/2", \.oscillator2, "the second oscillator", level: 0) + [
      knob("/osc/2/pm", path(\.mixer.index2), index, 0, isDetail: true, "Phase modulation of the second oscillator by the third, in radians."),
      knob("/osc/2/sync", path(\.mixer.sync), .toggle, 0, "Hard sync: each period of the first oscillator restarts the second."),
    ] + rows("/osc/3", \.oscillator3, "the third oscillator", level: 0, isDetail: true)

  private static let index = Kind.linear(0...MixerKnobs.mostIndex, .plain)
  private static let wave = Kind.choice(Waveform.allCases.map { "\($0)" })
  private static let table = Kind.names(FactoryWavetable.allCases.map(\.rawValue), nil)
  private static let width = Kind.linear(0.05...0.95, .percent)
  private static let ratio = Kind.exponential(0.25...16, .plain)
  private static let shift = Kind.linear(-OscillatorKnobs.mostShift...OscillatorKnobs.mostShift, .hertz)
  private static let start = Kind.choice(PhaseStart.allCases.map { "\($0)" })
  private static let drift = Kind.linear(0...OscillatorKnobs.mostDrift, .cents)
  private static let detune = Kind.exponential(
    OscillatorKnobs.leastDetune...OscillatorKnobs.mostDetune, .cents)

  private static func rows(
    _ stem: String, _ knobs: WritableKeyPath<Patch, OscillatorKnobs>, _ name: String, level: Float,
    isDetail: Bool = false
  ) -> [Parameter] {
    func row(
      _ leaf: String, _ field: WritableKeyPath<OscillatorKnobs, Float>, _ kind: Kind, _ initial: Float,
      isDetail own: Bool = false, _ about: String
    ) -> Parameter {
      knob(
        stem + "/" + leaf, path(knobs.appending(path: field)), kind, initial, isDetail: own || isDetail, about
      )
    }
    return [
      row("wave", \.wave, wave, 2, "Waveform of \(name)."),
      row("table", \.table, table, 0, "Wavetable of \(name), where its waveform is wavetable."),
      row("octave", \.octave, .steps(-3...3, .octaves), 0, "Octave of \(name)."),
      row("semitone", \.semitone, .steps(-12...12, .semitones), 0, "Transposition of \(name) in semitones."),
      row("fine", \.fine, .linear(-100...100, .cents), 0, "Fine tuning of \(name)."),
      row(
        "width", \.width, width, 0.5,
        "Pulse width of the square, peak of the trisaw, or position in the wavetable."),
      row("level", \.level, percent, level, "Level of \(name)."),
      row(
        "start", \.start, start, 0,
        "Where notes begin: each elsewhere (free), all alike (reset), or those of a key alike."),
      row(
        "random", \.random, percent, 0,
        "Share of the period in which a note begins; in unison and by rule, each of its voices."),
      row("drift", \.drift, drift, 0, "Random drift of the pitch of \(name)."),
      row("feedback", \.feedback, percent, 0, "Phase modulation of \(name) by itself."),
      row("unison", \.unison, .steps(1...7, .plain), 1, "Unison voices of \(name)."),
      row("detune", \.detune, detune, 20, "Detuning of the outermost unison voices."),
      row("spread", \.spread, percent, 0.5, "Stereo width of the unison voices."),
      row("blend", \.blend, percent, 0.75, "Level of the outer unison voices relative to the middle one."),
      row(
        "ratio", \.ratio, ratio, 1, isDetail: true, "Factor of the frequency of \(name), beside its tuning."),
      row(
        "shift", \.shift, shift, 0, isDetail: true,
        "Hertz added to the frequency of \(name): the same beat for all keys."),
    ]
  }
}
