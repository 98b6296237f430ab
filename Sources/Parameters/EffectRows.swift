import Synth

// The knobs of the effects, in the order that a sound goes through them.

extension Table {
  private static let bell = Kind.linear(-18...18, .decibels)
  private static let q = Kind.exponential(0.3...10, .plain)
  private static let audible = Kind.exponential(20...20_000, .hertz)

  /// The rows of all effects.
  static let effects = drive + equalizer + chorus + delay + reverb

  // swift-format-ignore
  private static let drive: [Row] = [
    knob("/drive/on",    path(\.effects.drive.on),    .toggle, 0, "Whether the drive is on."),
    knob("/drive/shape", path(\.effects.drive.shape), .choice(DriveShape.allCases.map { "\($0)" }), 0, "How the drive bends: softly, more on one side, hard, or folding back."),
    knob("/drive/gain",  path(\.effects.drive.gain),  .linear(0...36, .decibels), 12, "Level into the drive; the loudness is kept."),
    knob("/drive/tilt",  path(\.effects.drive.tilt),  .linear(-6...6, .decibels), 0, "Tone in front of the drive: what lies above 700 Hz against what lies below."),
    knob("/drive/tone",  path(\.effects.drive.tone),  .exponential(500...DriveKnobs.toneOff, .hertz), DriveKnobs.toneOff, "Low-pass behind the drive; the highest is off."),
    knob("/drive/mix",   path(\.effects.drive.mix),   percent, 1, "How much of the sound goes through the drive."),
  ]

  // swift-format-ignore
  private static let equalizer: [Row] = [
    knob("/eq/on",             path(\.effects.equalizer.on),              .toggle, 0,       "Whether the equalizer is on."),
    knob("/eq/low/frequency",  path(\.effects.equalizer.low.frequency),   .exponential(20...1_000, .hertz), 120, "Where the low shelf is half as high as it gets."),
    knob("/eq/low/gain",       path(\.effects.equalizer.low.gain),        bell, 0,          "Boost or cut below."),
    knob("/eq/1/frequency",    path(\.effects.equalizer.bell1.frequency), audible, 250,     "Centre of the first bell."),
    knob("/eq/1/gain",         path(\.effects.equalizer.bell1.gain),      bell, 0,          "Boost or cut at the first bell."),
    knob("/eq/1/q",            path(\.effects.equalizer.bell1.q),         q, 1,             "Quality of the first bell; higher is narrower."),
    knob("/eq/2/frequency",    path(\.effects.equalizer.bell2.frequency), audible, 1_000,   "Centre of the second bell."),
    knob("/eq/2/gain",         path(\.effects.equalizer.bell2.gain),      bell, 0,          "Boost or cut at the second bell."),
    knob("/eq/2/q",            path(\.effects.equalizer.bell2.q),         q, 1,             "Quality of the second bell; higher is narrower."),
    knob("/eq/3/frequency",    path(\.effects.equalizer.bell3.frequency), audible, 4_000,   "Centre of the third bell."),
    knob("/eq/3/gain",         path(\.effects.equalizer.bell3.gain),      bell, 0,          "Boost or cut at the third bell."),
    knob("/eq/3/q",            path(\.effects.equalizer.bell3.q),         q, 1,             "Quality of the third bell; higher is narrower."),
    knob("/eq/high/frequency", path(\.effects.equalizer.high.frequency),  .exponential(1_000...20_000, .hertz), 8_000, "Where the high shelf is half as high as it gets."),
    knob("/eq/high/gain",      path(\.effects.equalizer.high.gain),       bell, 0,          "Boost or cut above."),
    knob("/eq/mix",            path(\.effects.equalizer.mix),             percent, 1,       "How much of the sound goes through the equalizer."),
  ]

  // swift-format-ignore
  private static let chorus: [Row] = [
    knob("/chorus/on",    path(\.effects.chorus.on),    .toggle, 0, "Whether the chorus is on."),
    knob("/chorus/mode",  path(\.effects.chorus.mode),  .choice(ChorusMode.allCases.map(\.rawValue)), 0, "I and II slow, both together fast and shallow; an ensemble of three."),
    knob("/chorus/rate",  path(\.effects.chorus.rate),  .exponential(0.25...4, .plain), 1, "How fast the chorus swings, times the speed of its mode."),
    knob("/chorus/depth", path(\.effects.chorus.depth), percent, 1, "How far the chorus swings."),
    knob("/chorus/mix",   path(\.effects.chorus.mix),   percent, 0.5, "From the dry sound to the chorus alone; 50 has both in full."),
  ]

  // swift-format-ignore
  private static let delay: [Row] = [
    knob("/delay/on",         path(\.effects.delay.on),         .toggle, 0, "Whether the delay is on."),
    knob("/delay/time",       path(\.effects.delay.time),       .exponential(0.001...DelayKnobs.longest, .seconds), 0.375, "Time from echo to echo."),
    knob("/delay/sync",       path(\.effects.delay.sync),       .choice(NoteLength.names), 0, "Time from echo to echo in notes of the tempo, or off."),
    knob("/delay/ratio",      path(\.effects.delay.ratio),      .choice(DelayRatio.allCases.map(\.rawValue)), 0, "Time of the right side against the left."),
    knob("/delay/pingpong",   path(\.effects.delay.pingPong),   .toggle, 0, "Whether echoes go from side to side."),
    knob("/delay/feedback",   path(\.effects.delay.feedback),   .linear(0...DelayKnobs.mostFeedback, .percent), 0.4, "How loud an echo is beside the one before it; above 100 they grow until they saturate."),
    knob("/delay/highpass",   path(\.effects.delay.highpass),   .exponential(20...1_000, .hertz), 20, "High-pass that every echo goes through once more."),
    knob("/delay/lowpass",    path(\.effects.delay.lowpass),    .exponential(1_000...20_000, .hertz), 8_000, "Low-pass that every echo goes through once more; the highest is off."),
    knob("/delay/saturation", path(\.effects.delay.saturation), percent, 0.2, "How soon loud echoes are bent."),
    knob("/delay/change",     path(\.effects.delay.change),     .choice(DelayChange.allCases.map { "\($0)" }), 0, "When the time changes: echoes bend as on a tape, or fade into the new ones."),
    knob("/delay/mix",        path(\.effects.delay.mix),        percent, 0.3, "From the dry sound to the echoes alone; 50 has both in full."),
  ]

  // swift-format-ignore
  private static let reverb: [Row] = [
    knob("/reverb/on",         path(\.effects.reverb.on),         .toggle, 0, "Whether the reverb is on."),
    knob("/reverb/predelay",   path(\.effects.reverb.preDelay),   .linear(0...ReverbKnobs.longestPreDelay, .seconds), 0.02, "Time before the room answers."),
    knob("/reverb/size",       path(\.effects.reverb.size),       percent, 0.85, "How large the room is."),
    knob("/reverb/decay",      path(\.effects.reverb.decay),      .exponential(0.2...20, .seconds), 2, "Time in which the tail falls by 60 decibels."),
    knob("/reverb/low",        path(\.effects.reverb.low),        .exponential(0.2...2, .plain), 1, "The same below 200 Hz, times that."),
    knob("/reverb/high",       path(\.effects.reverb.high),       .exponential(0.1...1, .plain), 0.5, "The same above 4 kHz, times that."),
    knob("/reverb/modulation", path(\.effects.reverb.modulation), percent, 0.5, "How far the delays of the room swing."),
    knob("/reverb/width",      path(\.effects.reverb.width),      percent, 1, "How far the room lies apart, left and right."),
    knob("/reverb/freeze",     path(\.effects.reverb.freeze),     .toggle, 0, "Keeps what is in the room, and lets nothing in."),
    knob("/reverb/mix",        path(\.effects.reverb.mix),        percent, 0.25, "From the dry sound to the room alone; 50 has both in full."),
  ]
}
