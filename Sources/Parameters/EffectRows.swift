import Scenes

// The knobs of the effects, in the order of the signal path.

extension Table {
  private static let bell = Kind.linear(-18...18, .decibels)
  private static let q = Kind.exponential(0.3...10, .plain)
  private static let audible = Kind.exponential(20...20_000, .hertz)

  /// The rows of all effects.
  static let effects: [Parameter] =
    drive + equalizer + compressor + phaser + flanger + chorus + rotary + delay + reverb + rack

  // swift-format-ignore
  private static let drive: [Parameter] = [
    knob("/drive/on",    path(\.effects.drive.on),    .toggle, 0, "Whether the drive is on."),
    knob("/drive/shape", path(\.effects.drive.shape), .choice(DriveShape.allCases.map { "\($0)" }), 0, "Shape of the drive: soft clipping, asymmetric, hard clipping, wave folding or a power."),
    knob("/drive/gain",  path(\.effects.drive.gain),  .linear(0...36, .decibels), 12, "Gain into the drive. The loudness stays the same."),
    knob("/drive/tilt",  path(\.effects.drive.tilt),  .linear(-6...6, .decibels), 0, "Tilt before the drive: level above 700 Hz relative to the level below."),
    knob("/drive/tone",  path(\.effects.drive.tone),  .exponential(500...DriveKnobs.toneOff, .hertz), DriveKnobs.toneOff, "Low-pass after the drive; off at the highest value."),
    knob("/drive/mix",   path(\.effects.drive.mix),   percent, 1, "Dry and wet mix of the drive; 100 is wet only."),
  ]

  // swift-format-ignore
  private static let equalizer: [Parameter] = [
    knob("/eq/on",             path(\.effects.equalizer.on),              .toggle, 0,       "Whether the equalizer is on."),
    knob("/eq/low/frequency",  path(\.effects.equalizer.low.frequency),   .exponential(20...1_000, .hertz), 120, "Frequency at which the low shelf has half its gain."),
    knob("/eq/low/gain",       path(\.effects.equalizer.low.gain),        bell, 0,          "Boost or cut of the low shelf."),
    knob("/eq/1/frequency",    path(\.effects.equalizer.bell1.frequency), audible, 250,     "Centre frequency of the first bell."),
    knob("/eq/1/gain",         path(\.effects.equalizer.bell1.gain),      bell, 0,          "Boost or cut of the first bell."),
    knob("/eq/1/q",            path(\.effects.equalizer.bell1.q),         q, 1,             "Q of the first bell; higher is narrower."),
    knob("/eq/2/frequency",    path(\.effects.equalizer.bell2.frequency), audible, 1_000,   "Centre frequency of the second bell."),
    knob("/eq/2/gain",         path(\.effects.equalizer.bell2.gain),      bell, 0,          "Boost or cut of the second bell."),
    knob("/eq/2/q",            path(\.effects.equalizer.bell2.q),         q, 1,             "Q of the second bell; higher is narrower."),
    knob("/eq/3/frequency",    path(\.effects.equalizer.bell3.frequency), audible, 4_000,   "Centre frequency of the third bell."),
    knob("/eq/3/gain",         path(\.effects.equalizer.bell3.gain),      bell, 0,          "Boost or cut of the third bell."),
    knob("/eq/3/q",            path(\.effects.equalizer.bell3.q),         q, 1,             "Q of the third bell; higher is narrower."),
    knob("/eq/high/frequency", path(\.effects.equalizer.high.frequency),  .exponential(1_000...20_000, .hertz), 8_000, "Frequency at which the high shelf has half its gain."),
    knob("/eq/high/gain",      path(\.effects.equalizer.high.gain),       bell, 0,          "Boost or cut of the high shelf."),
    knob("/eq/mix",            path(\.effects.equalizer.mix),             percent, 1,       "Dry and wet mix of the equalizer; 100 is wet only."),
  ]

  // swift-format-ignore
  private static let compressor: [Parameter] = [
    knob("/compressor/on",        path(\.effects.compressor.on),        .toggle, 0, "Whether the compressor is on."),
    knob("/compressor/threshold", path(\.effects.compressor.threshold), .linear(-48...0, .decibels), -18, "Level above which the compressor reduces; its knee is 6 dB wide."),
    knob("/compressor/ratio",     path(\.effects.compressor.ratio),     .exponential(1...20, .plain), 4, "Decibels above the threshold for one decibel of output."),
    knob("/compressor/attack",    path(\.effects.compressor.attack),    .exponential(0.0005...0.2, .seconds), 0.01, "Time in which a reduction sets in."),
    knob("/compressor/release",   path(\.effects.compressor.release),   .exponential(0.01...2, .seconds), 0.15, "Time in which a reduction ends, except after a beat."),
    knob("/compressor/source",    path(\.effects.compressor.source),    .choice(CompressorSource.names), 0, "Listens to the sound itself, to a beat of this length at full scale, or to a part."),
    knob("/compressor/mix",       path(\.effects.compressor.mix),       percent, 1, "Dry and wet mix of the compressor; 100 is wet only."),
  ]

  // swift-format-ignore
  private static let phaser: [Parameter] = [
    knob("/phaser/on",        path(\.effects.phaser.on),        .toggle, 0, "Whether the phaser is on."),
    knob("/phaser/stages",    path(\.effects.phaser.stages),    .steps(PhaserKnobs.fewestStages...PhaserKnobs.mostStages, .plain), 6, "Number of all-pass stages. Each pair of stages makes a notch."),
    knob("/phaser/rate",      path(\.effects.phaser.rate),      .exponential(0.02...10, .hertz), 0.3, "Rate of the sweep."),
    knob("/phaser/sync",      path(\.effects.phaser.sync),      .choice(NoteLength.names), 0, "Length of a sweep as a note length, or off."),
    knob("/phaser/depth",     path(\.effects.phaser.depth),     percent, 0.6, "Depth of the sweep; 100 is two octaves up and down."),
    knob("/phaser/frequency", path(\.effects.phaser.frequency), .exponential(100...4_000, .hertz), 800, "Centre frequency of the sweep."),
    knob("/phaser/feedback",  path(\.effects.phaser.feedback),  .linear(-PhaserKnobs.mostFeedback...PhaserKnobs.mostFeedback, .percent), 0.3, "Feedback of the phaser; more makes its peaks narrower. Negative values move the peaks."),
    knob("/phaser/spread",    path(\.effects.phaser.spread),    percent, 0.5, "Phase of the right side's sweep; 100 sweeps both sides in opposite directions."),
    knob("/phaser/mix",       path(\.effects.phaser.mix),       percent, 0.5, "Dry and wet mix of the phaser; 50 has the deepest notches."),
  ]

  // swift-format-ignore
  private static let flanger: [Parameter] = [
    knob("/flanger/on",       path(\.effects.flanger.on),       .toggle, 0, "Whether the flanger is on."),
    knob("/flanger/rate",     path(\.effects.flanger.rate),     .exponential(0.02...10, .hertz), 0.2, "Rate of the sweep."),
    knob("/flanger/depth",    path(\.effects.flanger.depth),    percent, 0.6, "Depth of the sweep; 100 is two octaves up and down, from 0.1 to 10 ms at most."),
    knob("/flanger/delay",    path(\.effects.flanger.delay),    .exponential(FlangerKnobs.shortest...FlangerKnobs.longest, .seconds), 0.002, "Delay around which the flanger sweeps."),
    knob("/flanger/feedback", path(\.effects.flanger.feedback), .linear(-FlangerKnobs.mostFeedback...FlangerKnobs.mostFeedback, .percent), 0.4, "Feedback of the flanger; more makes its peaks narrower. Negative values move the peaks."),
    knob("/flanger/spread",   path(\.effects.flanger.spread),   percent, 0.5, "Phase of the right side's sweep; 100 sweeps both sides in opposite directions."),
    knob("/flanger/mix",      path(\.effects.flanger.mix),      percent, 0.5, "Dry and wet mix of the flanger; 50 has the deepest notches."),
  ]

  // swift-format-ignore
  private static let chorus: [Parameter] = [
    knob("/chorus/on",    path(\.effects.chorus.on),    .toggle, 0, "Whether the chorus is on."),
    knob("/chorus/mode",  path(\.effects.chorus.mode),  .choice(ChorusMode.allCases.map(\.rawValue)), 0, "Chorus type: I and II are slow, I+II is fast and shallow, ensemble has three voices."),
    knob("/chorus/rate",  path(\.effects.chorus.rate),  .exponential(0.25...4, .plain), 1, "Rate of the chorus, as a multiple of the rate of its mode."),
    knob("/chorus/depth", path(\.effects.chorus.depth), percent, 1, "Depth of the chorus."),
    knob("/chorus/mix",   path(\.effects.chorus.mix),   percent, 0.5, "Dry and wet mix of the chorus; 50 has both at full level."),
  ]

  // swift-format-ignore
  private static let rotary: [Parameter] = [
    knob("/rotary/on",      path(\.effects.rotary.on),      .toggle, 0, "Whether the rotary speaker is on."),
    knob("/rotary/speed",   path(\.effects.rotary.speed),   .choice(RotarySpeed.allCases.map { "\($0)" }), 1, "Speed of the rotors, which take their time to reach it."),
    knob("/rotary/rate",    path(\.effects.rotary.rate),    .exponential(0.5...2, .plain), 1, "Factor on the slow and the fast speed of both rotors."),
    knob("/rotary/inertia", path(\.effects.rotary.inertia), .exponential(RotaryKnobs.leastInertia...4, .plain), 1, "Factor on the times in which the rotors speed up and slow down."),
    knob("/rotary/horn",    path(\.effects.rotary.horn),    percent, 0.5, "Balance of drum and horn; 50 has both at full level."),
    knob("/rotary/spread",  path(\.effects.rotary.spread),  percent, 1, "Angle between the microphones; 100 is 180 degrees, 0 is mono."),
    knob("/rotary/mix",     path(\.effects.rotary.mix),     percent, 1, "Dry and wet mix of the rotary speaker; 100 is wet only."),
  ]

  // swift-format-ignore
  private static let delay: [Parameter] = [
    knob("/delay/on",         path(\.effects.delay.on),         .toggle, 0, "Whether the delay is on."),
    knob("/delay/time",       path(\.effects.delay.time),       .exponential(0.001...DelayKnobs.longest, .seconds), 0.375, "Time between echoes."),
    knob("/delay/sync",       path(\.effects.delay.sync),       .choice(NoteLength.names), 0, "Time between echoes as a note length, or off."),
    knob("/delay/ratio",      path(\.effects.delay.ratio),      .choice(DelayRatio.allCases.map(\.rawValue)), 0, "Time of the right side relative to the left."),
    knob("/delay/pingpong",   path(\.effects.delay.pingPong),   .toggle, 0, "Whether echoes alternate between left and right."),
    knob("/delay/feedback",   path(\.effects.delay.feedback),   .linear(0...DelayKnobs.mostFeedback, .percent), 0.4, "Level of an echo relative to the one before. Above 100, echoes grow until they saturate."),
    knob("/delay/highpass",   path(\.effects.delay.highpass),   .exponential(20...1_000, .hertz), 20, "High-pass in the feedback; each echo passes it once more."),
    knob("/delay/lowpass",    path(\.effects.delay.lowpass),    .exponential(1_000...20_000, .hertz), 8_000, "Low-pass in the feedback; each echo passes it once more. Off at the highest value."),
    knob("/delay/saturation", path(\.effects.delay.saturation), percent, 0.2, "Saturation of loud echoes."),
    knob("/delay/change",     path(\.effects.delay.change),     .choice(DelayChange.allCases.map { "\($0)" }), 0, "When the time changes: echoes change pitch as on a tape, or fade to the new time."),
    knob("/delay/mix",        path(\.effects.delay.mix),        percent, 0.3, "Dry and wet mix of the delay; 50 has both at full level."),
  ]

  // swift-format-ignore
  private static let reverb: [Parameter] = [
    knob("/reverb/on",         path(\.effects.reverb.on),         .toggle, 0, "Whether the reverb is on."),
    knob("/reverb/predelay",   path(\.effects.reverb.preDelay),   .linear(0...ReverbKnobs.longestPreDelay, .seconds), 0.02, "Time before the reverb begins."),
    knob("/reverb/size",       path(\.effects.reverb.size),       percent, 0.85, "Size of the room."),
    knob("/reverb/decay",      path(\.effects.reverb.decay),      .exponential(0.2...20, .seconds), 2, "Time for the tail to fall by 60 dB."),
    knob("/reverb/low",        path(\.effects.reverb.low),        .exponential(0.2...2, .plain), 1, "Decay time below 200 Hz, as a multiple of the decay."),
    knob("/reverb/high",       path(\.effects.reverb.high),       .exponential(0.1...1, .plain), 0.5, "Decay time at 8 kHz, as a multiple of the decay."),
    knob("/reverb/modulation", path(\.effects.reverb.modulation), percent, 0.5, "Modulation depth of the reverb."),
    knob("/reverb/width",      path(\.effects.reverb.width),      percent, 1, "Stereo width of the reverb."),
    knob("/reverb/freeze",     path(\.effects.reverb.freeze),     .toggle, 0, "Whether the reverb holds its present sound and takes no new one."),
    knob("/reverb/mix",        path(\.effects.reverb.mix),        percent, 0.25, "Dry and wet mix of the reverb; 50 has both at full level."),
  ]

  // swift-format-ignore
  private static let rack: [Parameter] = [
    knob("/rack/order", path(\.effects.order), .choice(EffectOrder.allCases.map(\.rawValue)), 0, "Order of the effects in the signal path; a change fades the sound for 40 ms."),
  ]
}
