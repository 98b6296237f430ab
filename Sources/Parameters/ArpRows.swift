import Scenes

// The knobs of the arpeggiator, the chord memory and the sequence.

extension Table {
  /// The rows of the arpeggiator, the chord memory and the sequence.
  // swift-format-ignore
  static let arps: [Parameter] = [
    knob("/arp/on",        path(\.arp.on),        .toggle,                                         0,   "Whether the arpeggiator plays the held keys one after the other."),
    knob("/arp/mode",      path(\.arp.mode),      .choice(ArpMode.allCases.map(\.rawValue)),       0,   "Order of the notes; up-down-2 plays both ends twice, played is the order of the keys."),
    knob("/arp/octaves",   path(\.arp.octaves),   .steps(1...4, .octaves),                         1,   "Octaves that the arpeggio covers, from the keys up."),
    knob("/arp/order",     path(\.arp.order),     choice(ArpOrder.self),                           0,   "Order of the octaves."),
    knob("/arp/sync",      path(\.arp.sync),      .choice(StepLength.names),                       12,  "Length of a step as a note length; off uses the rate."),
    knob("/arp/rate",      path(\.arp.rate),      .exponential(0.5...40, .hertz),                  8,   "Steps a second while the sync is off."),
    knob("/arp/gate",      path(\.arp.gate),      .linear(0.01...2, .percent),                     0.6, "Length of a note as a share of its step; above 100 it ends after the next one has begun."),
    knob("/arp/swing",     path(\.arp.swing),     .linear(0.25...0.75, .percent),                  0.5, "Where the second of two steps begins, as a share of both; 50 is straight."),
    knob("/arp/velocity",  path(\.arp.velocity),  choice(ArpVelocity.self),                        0,   "Source of the velocities: each key, the first key, a fixed number, or the pressure."),
    knob("/arp/fixed",     path(\.arp.fixed),     .steps(1...127, .plain),                         100, "Velocity of all notes if it is fixed."),
    knob("/arp/accent",    path(\.arp.accent),    percent,                                         0.5, "How much louder accented steps are."),
    knob("/arp/repeat",    path(\.arp.repeats),   .steps(1...8, .plain),                           1,   "Times that each note is played."),
    knob("/arp/chance",    path(\.arp.chance),    percent,                                         1,   "Probability that a step is played."),
    knob("/arp/lock",      path(\.arp.lock),      .toggle,                                         0,   "Whether chance and random modes repeat their choices; with a length of 0, every 16 steps."),
    knob("/arp/length",    path(\.arp.length),    .steps(0...32, .plain),                          0,   "Steps after which the order of the notes begins anew; 0 is never."),
    knob("/arp/steps",     path(\.arp.steps),     .steps(1...16, .plain),                          16,  "Steps of the rhythm that are used."),
  ] + rhythm + [
    knob("/arp/start",     path(\.arp.start),     choice(ArpStart.self),                           0,   "When the arpeggio begins: with the key, or on the next step of the beat."),
    knob("/arp/retrigger", path(\.arp.retrigger), choice(ArpRetrigger.self),                       0,   "What begins the order of the notes anew: a new chord, every key, every bar, or nothing."),
    knob("/arp/latch",     path(\.arp.latch),     choice(ArpLatch.self),                           0,   "Released keys go on until a new chord (hold), or until struck again (add)."),
    knob("/arp/pedal",     path(\.arp.pedal),     choice(ArpPedal.self),                           0,   "What the sustain pedal holds: the keys (latch), the notes (sustain), or nothing."),
    knob("/chord/on",      path(\.chord.on),      .toggle,                                         0,   "Whether each key plays a chord."),
  ] + notes + [
    knob("/chord/strum",   path(\.chord.strum),   .linear(-0.2...0.2, .seconds),                   0,   "Time between the notes of the chord, from the lowest up; below 0 from the highest down."),
    knob("/sequence/mode",   path(\.sequence.mode),   choice(SequenceMode.self),                   0,   "Whether a held key plays the sequence, or the transport does, beside the keys."),
    knob("/sequence/length", path(\.sequence.length), .steps(1...StepSequence.mostSteps, .plain),  16,  "Steps of the sequence that are played."),
  ]

  private static let rhythm: [Parameter] = {
    let kind = choice(ArpStep.self)
    return SixteenSteps.all.enumerated().map { index, step in
      let rhythm: WritableKeyPath<Patch, SixteenSteps> = \.arp.rhythm
      return knob(
        "/arp/step/\(index + 1)", path(rhythm.appending(path: step)), kind, 0,
        "Step \(index + 1) of the rhythm.")
    }
  }()

  private static let notes: [Parameter] = {
    let notes: [WritableKeyPath<ChordKnobs, Float>] = [
      \.note1, \.note2, \.note3, \.note4, \.note5, \.note6, \.note7,
    ]
    return notes.enumerated().map { index, note in
      let chord: WritableKeyPath<Patch, ChordKnobs> = \.chord
      return knob(
        "/chord/\(index + 1)", path(chord.appending(path: note)), .steps(-36...36, .semitones), 0,
        "Another note of the chord, in semitones from the key; 0 is none.")
    }
  }()
}
