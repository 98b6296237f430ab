import Synth

/// The one table of knobs. Addresses, text, controllers, presets, layout and reference are derived from it.
public enum Table {
  static func knob(
    _ address: String, _ field: Field, _ kind: Kind, _ initial: Float, cc controller: UInt8? = nil,
    _ about: String
  ) -> Row {
    Row(address: address, field: field, kind: kind, initial: initial, controller: controller, about: about)
  }

  static func path(_ path: WritableKeyPath<Patch, Float>) -> Field { Field(path) }

  // Shapes that several rows share.
  private static let wave = Kind.choice(Waveform.allCases.map { "\($0)" })
  static let percent = Kind.linear(0...1, .percent)
  private static let octave = Kind.steps(-3...3, .octaves)
  private static let semitone = Kind.steps(-12...12, .semitones)
  private static let fine = Kind.linear(-100...100, .cents)
  private static let width = Kind.linear(0.05...0.95, .percent)
  private static func choice<Choice: CaseIterable>(_ type: Choice.Type) -> Kind {
    .choice(type.allCases.map { "\($0)" })
  }

  /// Every knob. A row here is all that a new one needs.
  public static let rows = voice + envelopes + lfos + modulation + effects + others + input

  // swift-format-ignore
  private static let voice: [Row] = [
    // address            field                                     kind                                     initial  controller
    knob("/osc/1/wave",       path(\.oscillator1.wave),                  wave,                                        2,          "Waveform of the first oscillator."),
    knob("/osc/1/octave",     path(\.oscillator1.octave),                octave,                                      0,          "Octave of the first oscillator."),
    knob("/osc/1/semitone",   path(\.oscillator1.semitone),              semitone,                                    0,          "Semitones that the first oscillator is shifted by."),
    knob("/osc/1/fine",       path(\.oscillator1.fine),                  fine,                                        0,          "Fine tuning of the first oscillator."),
    knob("/osc/1/width",      path(\.oscillator1.width),                 width,                                       0.5,        "Pulse width of the first oscillator's square."),
    knob("/osc/1/level",      path(\.oscillator1.level),                 percent,                                     0.7,        "Level of the first oscillator."),
    knob("/osc/1/random",       path(\.oscillator1.random), percent, 0, "How much of its period the place where a note begins may lie in."),
    knob("/osc/1/drift",        path(\.oscillator1.drift), .linear(0...OscillatorKnobs.mostDrift, .cents), 0, "How far the pitch of the first oscillator wanders."),
    knob("/osc/1/feedback",     path(\.oscillator1.feedback), percent, 0, "How far the first oscillator moves its own phase."),
    knob("/osc/1/unison",       path(\.oscillator1.unison), .steps(1...7, .plain), 1, "Voices of the first oscillator."),
    knob("/osc/1/detune",       path(\.oscillator1.detune), .exponential(OscillatorKnobs.leastDetune...OscillatorKnobs.mostDetune, .cents), 20, "How far the outermost voices of the unison lie from the pitch."),
    knob("/osc/1/spread",       path(\.oscillator1.spread), percent, 0.5, "How far the voices of the unison lie apart, left and right."),
    knob("/osc/1/blend",        path(\.oscillator1.blend), percent, 0.75, "How loud the outer voices of the unison are against the middle one."),
    knob("/osc/1/pm", path(\.mixer.index), .linear(0...MixerKnobs.mostIndex, .plain), 0, "Phase modulation: how far the second oscillator moves the phase of the first, in radians."),
    knob("/osc/2/wave",       path(\.oscillator2.wave),                  wave,                                        2,          "Waveform of the second oscillator."),
    knob("/osc/2/octave",     path(\.oscillator2.octave),                octave,                                      0,          "Octave of the second oscillator."),
    knob("/osc/2/semitone",   path(\.oscillator2.semitone),              semitone,                                    0,          "Semitones that the second oscillator is shifted by."),
    knob("/osc/2/fine",       path(\.oscillator2.fine),                  fine,                                        0,          "Fine tuning of the second oscillator."),
    knob("/osc/2/width",      path(\.oscillator2.width),                 width,                                       0.5,        "Pulse width of the second oscillator's square."),
    knob("/osc/2/level",      path(\.oscillator2.level),                 percent,                                     0,          "Level of the second oscillator."),
    knob("/osc/2/random",       path(\.oscillator2.random), percent, 0, "How much of its period the place where a note begins may lie in."),
    knob("/osc/2/drift",        path(\.oscillator2.drift), .linear(0...OscillatorKnobs.mostDrift, .cents), 0, "How far the pitch of the second oscillator wanders."),
    knob("/osc/2/feedback",     path(\.oscillator2.feedback), percent, 0, "How far the second oscillator moves its own phase."),
    knob("/osc/2/unison",       path(\.oscillator2.unison), .steps(1...7, .plain), 1, "Voices of the second oscillator."),
    knob("/osc/2/detune",       path(\.oscillator2.detune), .exponential(OscillatorKnobs.leastDetune...OscillatorKnobs.mostDetune, .cents), 20, "How far the outermost voices of the unison lie from the pitch."),
    knob("/osc/2/spread",       path(\.oscillator2.spread), percent, 0.5, "How far the voices of the unison lie apart, left and right."),
    knob("/osc/2/blend",        path(\.oscillator2.blend), percent, 0.75, "How loud the outer voices of the unison are against the middle one."),
    knob("/osc/2/sync", path(\.mixer.sync), .toggle, 0, "Hard sync: the second oscillator begins anew with every period of the first."),

    knob("/ring/level", path(\.mixer.ring), percent, 0, "Ring modulation: level of the product of both oscillators."),
    knob("/sub/wave", path(\.sub.wave), .choice(SubWave.allCases.map { "\($0)" }), 1, "Waveform of the sub oscillator; the pulse is high for a quarter."),
    knob("/sub/octave", path(\.sub.octave), .steps(1...2, .octaves), 1, "How far the sub oscillator lies below the first."),
    knob("/sub/level", path(\.sub.level), percent, 0, "Level of the sub oscillator."),
    knob("/noise/color", path(\.noise.color), .linear(-1...1, .percent), 0, "Colour of the noise: -100 brown, -50 pink, 0 white, 100 violet."),
    knob("/noise/level", path(\.noise.level), percent, 0, "Level of the noise."),

    knob("/filter/cutoff",    path(\.filter.cutoff),                     .exponential(20...20_000, .hertz),           8_000, cc: 74, "Cutoff of the filter for middle C: where a low-pass begins to close."),
    knob("/filter/resonance", path(\.filter.resonance),                  percent,                                     0,     cc: 71, "Emphasis at the cutoff; the last tenth makes it ring by itself, in tune."),
    knob("/filter/mode",      path(\.filter.mode),                       .linear(0...4, .plain),                      0,          "What passes: 0 low, 1 band, 2 high, 3 notch, 4 peak, and what lies between two."),
    knob("/filter/slope",     path(\.filter.slope),                      .choice(["24", "12"]),                       0,          "How steep the filter is: 24 or 12 decibels an octave."),
    knob("/filter/drive",     path(\.filter.drive),                      .linear(0...24, .decibels),                  0,          "Level into a soft clipper in front of the filter; the loudness is kept."),
    knob("/filter/highpass",  path(\.filter.highpass),                   .exponential(FilterKnobs.highpassOff...8_000, .hertz), FilterKnobs.highpassOff, "High-pass in front of the filter; the lowest is off."),
    knob("/filter/track",     path(\.filter.track),                      percent,                                     0.5,        "How far the cutoff follows the key; 100 is octave for octave."),
    knob("/filter/amount",    path(\.filter.amount),                     .linear(-8...8, .octaves),                   0,          "How far the filter's envelope opens it."),
    knob("/filter/velocity",  path(\.filter.velocity),                   .linear(0...4, .octaves),                    0,          "How much further a hard key opens the filter than a soft one."),
    knob("/amp/level",        path(\.amplifier.level),                   .linear(Limits.silence...12, .decibels),                0,          "Loudness of the sound; part of the preset, to match it to the others."),
    knob("/amp/velocity",     path(\.amplifier.velocity),                percent,                                     0.7,        "How much softer a soft key sounds."),
  ]

  // swift-format-ignore
  private static let others: [Row] = [
    knob("/play/bend",        path(\.play.bend),                         .steps(0...24, .semitones),                  2,          "How far the pitch wheel bends."),
    knob("/play/mode",        path(\.play.mode),                         choice(PlayMode.self),                       0,          "Many voices; or one, where each key begins anew, or keys that overlap are slurred."),
    knob("/play/priority",    path(\.play.priority),                     choice(NotePriority.self),                   0,          "Which of the held keys sounds where one voice plays all."),
    knob("/play/glide",       path(\.play.glide),                        .cubic(0...Limits.glideSeconds, .seconds),   0,            "Time of the glide from pitch to pitch; 0 is none."),
    knob("/play/glidemode",   path(\.play.glideMode),                    choice(GlideMode.self),                      0,          "Whether a glide takes its time for any way, or for each octave."),
    knob("/play/glidewhen",   path(\.play.glideWhen),                    choice(GlideWhen.self),                      0,          "Whether every note glides, or only one played while a key is held."),
    knob("/play/curve",       path(\.play.curve),                        .linear(-1...1, .percent),                   0,          "Velocity curve: below 0 a soft key sounds softer, above it harder."),
    knob("/play/restrike",    path(\.play.restrike),                     choice(Restrike.self),                       0,          "A key struck again while it sounds: its voice goes on, or fades as another begins."),

    knob("/macro/1",          path(\.macro1),                             percent,                                     0,          "A source of the matrix for the player's hand."),
    knob("/macro/2",          path(\.macro2),                             percent,                                     0,          "Another source of the matrix for the player's hand."),

    knob("/on",               Field(\Strip.on),                          .toggle,                                     0,          "Whether the part answers to notes."),
    knob("/channel",          Field(\Strip.channel),                     .choice(["omni"] + (1...Limits.channels).map { "\($0)" }), 0, "MIDI channel that the part listens to."),
    knob("/level",            Field(\Strip.level),                       .linear(Limits.silence...6, .decibels),                 0,          "Level of the part in the mix; the lowest is silence."),
    knob("/pan",              Field(\Strip.pan),                         .linear(-1...1, .percent),                   0,     cc: 10, "Place of the part between left and right."),
    knob("/mute",             Field(\Strip.mute),                        .toggle,                                     0,          "Silences the part."),

    knob("/master/level",     Field(\Master.level),                      .linear(Limits.silence...6, .decibels),                 0,          "Level of the whole, before the limiter; the lowest is silence."),
    knob("/master/tune",      Field(\Master.tune),                       .linear(415...466, .hertz),                  440,        "Concert pitch: the A above middle C."),
    knob("/tempo",            Field(\Master.tempo),                      .linear(20...300, .beats),                   120,        "Tempo that LFOs can go by."),
    knob("/master/eq/bypass", Field(\Master.equalizer.bypass),           .toggle,                                     1,          "Takes the equalizer out."),
    knob("/master/eq/frequency", Field(\Master.equalizer.frequency),     .exponential(20...20_000, .hertz),           1_000,      "Centre of the peaking equalizer."),
    knob("/master/eq/q",      Field(\Master.equalizer.q),                .exponential(0.1...25, .plain),              1,          "Quality of the peaking equalizer; higher is narrower."),
    knob("/master/eq/gain",   Field(\Master.equalizer.gain),             .linear(-50...50, .decibels),                0,          "Boost or cut at the centre of the equalizer."),
  ]
}
