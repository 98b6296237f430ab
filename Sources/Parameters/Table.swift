import Scenes

/// The table of all knobs. Addresses, text, controllers, presets, layout and reference are derived from it.
public enum Table {
  static func knob(
    _ address: String, _ field: Field, _ kind: Kind, _ initial: Float, cc controller: UInt8? = nil,
    isDetail: Bool = false, _ about: String
  ) -> Parameter {
    Parameter(
      address: address, field: field, kind: kind, initial: initial, controller: controller, about: about,
      isDetail: isDetail)
  }

  static func path(_ path: WritableKeyPath<Patch, Float>) -> Field { Field(path) }

  // Kinds that several rows share.
  static let percent = Kind.linear(0...1, .percent)
  static func choice<Choice: CaseIterable>(_ type: Choice.Type) -> Kind {
    .choice(type.allCases.map { "\($0)" })
  }

  /// All knobs. A new knob needs only a row here.
  public static let rows =
    voice + envelopes + lfos + modulation + effects + others + arps + input + morph + click

  // swift-format-ignore
  private static let voice: [Parameter] = oscillators + [
    // address            field                                     kind                                     initial  controller
    knob("/ring/level", path(\.mixer.ring), percent, 0, "Level of the ring modulation of the first two oscillators."),
    knob("/sub/wave", path(\.sub.wave), .choice(SubWave.allCases.map { "\($0)" }), 1, "Waveform of the sub oscillator; pulse has a width of 25 %."),
    knob("/sub/octave", path(\.sub.octave), .steps(1...2, .octaves), 1, "Octaves of the sub oscillator below the first oscillator."),
    knob("/sub/level", path(\.sub.level), percent, 0, "Level of the sub oscillator."),
    knob("/noise/color", path(\.noise.color), .linear(-1...1, .percent), 0, "Colour of the noise: -100 brown, -50 pink, 0 white, 100 violet."),
    knob("/noise/level", path(\.noise.level), percent, 0, "Level of the noise."),

    knob("/filter/cutoff",    path(\.filter.cutoff),                     .exponential(20...20_000, .hertz),           8_000, cc: 74, "Cutoff frequency of the filter for middle C; a low-pass weakens what is above it."),
    knob("/filter/resonance", path(\.filter.resonance),                  percent,                                     0,     cc: 71, "Emphasis at the cutoff. In the last tenth the filter oscillates by itself, in tune."),
    knob("/filter/mode",      path(\.filter.mode),                       .linear(0...4, .plain),                      0,          "0 low-pass, 1 band, 2 high, 3 notch, 4 peak; formants: a, e, i, o, u; comb: damping."),
    knob("/filter/slope",     path(\.filter.slope),                      .choice(["24", "12"]),                       0,          "Slope of the filter: 24 or 12 dB an octave. A comb adds at 24 and subtracts at 12."),
    knob("/filter/character", path(\.filter.character),                  choice(FilterCharacter.self),                0,          "How the filter is built: clean, a ladder that loses bass, formants of a voice, a comb."),
    knob("/filter/drive",     path(\.filter.drive),                      .linear(0...24, .decibels),                  0,          "Gain into a soft clipper before the filter. The loudness stays the same."),
    knob("/filter/highpass",  path(\.filter.highpass),                   .exponential(FilterKnobs.highpassOff...8_000, .hertz), FilterKnobs.highpassOff, "High-pass before the filter; off at the lowest value."),
    knob("/filter/track",     path(\.filter.track),                      percent,                                     0.5,        "How far the cutoff follows the key; 100 moves it an octave for each octave."),
    knob("/filter/amount",    path(\.filter.amount),                     .linear(-8...8, .octaves),                   0,          "Depth of the filter envelope on the cutoff."),
    knob("/filter/velocity",  path(\.filter.velocity),                   .linear(0...4, .octaves),                    0,          "Depth of velocity on the cutoff."),
    knob("/filter/fm",        path(\.filter.fm),                         .linear(0...FilterKnobs.mostFM, .octaves),   0,   isDetail: true, "Modulation of the cutoff by the second oscillator, at audio rate."),
    knob("/amp/level",        path(\.amplifier.level),                   .linear(Limits.silence...12, .decibels),                0,          "Level of the sound, stored in the preset to match its loudness to other presets."),
    knob("/amp/velocity",     path(\.amplifier.velocity),                percent,                                     0.7,        "Depth of velocity on the level."),
  ]

  // swift-format-ignore
  private static let others: [Parameter] = [
    knob("/play/bend",        path(\.play.bend),                         .steps(0...24, .semitones),                  2,          "Range of the pitch wheel."),
    knob("/play/mode",        path(\.play.mode),                         choice(PlayMode.self),                       0,          "Many voices (poly); one, restarted by each key (mono) or by detached keys (legato)."),
    knob("/play/priority",    path(\.play.priority),                     choice(NotePriority.self),                   0,          "Held key that sounds in mono and legato."),
    knob("/play/glide",       path(\.play.glide),                        .cubic(0...Limits.glideSeconds, .seconds),   0,            "Time of the glide from pitch to pitch; 0 is no glide."),
    knob("/play/glidemode",   path(\.play.glideMode),                    .choice(GlideMode.allCases.map(\.rawValue)), 0,         "Glide time for any interval (time) or for each octave (rate), on a curve or in a line."),
    knob("/play/glidewhen",   path(\.play.glideWhen),                    choice(GlideWhen.self),                      0,          "Whether every note glides, or only a note that is played while a key is held."),
    knob("/play/curve",       path(\.play.curve),                        .linear(-1...1, .percent),                   0,          "Velocity curve. Below 0, soft keys sound softer; above 0, harder."),
    knob("/play/restrike",    path(\.play.restrike),                     choice(Restrike.self),                       0,          "Key struck again while it sounds: reuse its voice, or fade it and start another."),
    knob("/play/vintage",     path(\.play.vintage),                      percent,                                     0,          "How far voices differ in tune, cutoff and envelope times, as in old synthesizers."),

    knob("/macro/1",          path(\.macro1),                             percent,                                     0,          "First macro, a source of the matrix."),
    knob("/macro/2",          path(\.macro2),                             percent,                                     0,          "Second macro, a source of the matrix."),
    knob("/macro/3",          path(\.macro3),                             percent,                                     0,          "Third macro, a source of the matrix."),
    knob("/macro/4",          path(\.macro4),                             percent,                                     0,          "Fourth macro, a source of the matrix."),

    knob("/on",               Field(\Strip.on),                          .toggle,                                     0,          "Whether the part plays."),
    knob("/channel",          Field(\Strip.channel),                     .choice(["omni"] + (1...Limits.channels).map { "\($0)" }), 0, "MIDI channel that the part listens to."),
    knob("/level",            Field(\Strip.level),                       .linear(Limits.silence...6, .decibels),                 0,          "Level of the part in the mix; silent at the lowest value."),
    knob("/pan",              Field(\Strip.pan),                         .linear(-1...1, .percent),                   0,     cc: 10, "Stereo position of the part."),
    knob("/mute",             Field(\Strip.mute),                        .toggle,                                     0,          "Mutes the part."),

    knob("/master/level",     Field(\Master.level),                      .linear(Limits.silence...6, .decibels),                 0,          "Level of all parts before the limiter; silent at the lowest value."),
    knob("/master/tune",      Field(\Master.tune),                       .linear(415...466, .hertz),                  440,        "Concert pitch: frequency of the A above middle C."),
    knob("/tempo",            Field(\Master.tempo),                      .linear(20...300, .beats),                   120,        "Tempo of LFOs and delays with sync."),
    knob("/master/eq/bypass", Field(\Master.equalizer.bypass),           .toggle,                                     1,          "Whether the master equalizer is bypassed."),
    knob("/master/eq/frequency", Field(\Master.equalizer.frequency),     .exponential(20...20_000, .hertz),           1_000,      "Centre frequency of the master equalizer."),
    knob("/master/eq/q",      Field(\Master.equalizer.q),                .exponential(0.1...25, .plain),              1,          "Q of the master equalizer; higher is narrower."),
    knob("/master/eq/gain",   Field(\Master.equalizer.gain),             .linear(-50...50, .decibels),                0,          "Boost or cut at the centre frequency."),
  ]
}

// The knobs of the click.

extension Table {
  // swift-format-ignore
  static let click: [Parameter] = [
    knob("/click/on",       Field(\Master.click.on),      .toggle,                                   0,   "Whether a click strikes each beat while the transport runs."),
    knob("/click/level",    Field(\Master.click.level),   .linear(Limits.silence...0, .decibels),    -12, "Level of the click, whatever the master level is; silent at the lowest value."),
    knob("/click/beats",    Field(\Master.click.beats),   .steps(2...12, .plain),                    4,   "Beats of a bar unless a song says otherwise; the click accents the first."),
    knob("/click/count-in", Field(\Master.click.countIn), .steps(0...4, .plain),                     0,   "Bars that the click counts before /clock/start takes effect."),
    knob("/click/output",   Field(\Master.click.output),  .choice(["auto"] + PartOutputs.pairNames), 0,   "Outputs of the click; auto are those that the option outputs names, else 1-2."),
    knob("/click/record",   Field(\Master.click.record),  .toggle,                                   0,   "Whether recordings contain the click."),
  ]
}
