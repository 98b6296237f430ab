import Scenes

// The knobs of a part's input from the keyboards.

extension Table {
  private static let key = Kind.steps(0...127, .key)
  private static let velocity = Kind.steps(1...127, .plain)

  // swift-format-ignore
  static let input: [Parameter] = [
    knob("/key/low",        Field(\PartInput.lowKey),            key,                           0,   "Lowest key that the part plays, before transposition."),
    knob("/key/high",       Field(\PartInput.highKey),           key,                           127, "Highest key that the part plays, before transposition."),
    knob("/key/transpose",  Field(\PartInput.transpose),         .steps(-48...48, .semitones),  0,   "Transposition of the part."),
    knob("/velocity/low",   Field(\PartInput.lowVelocity),       velocity,                      1,   "Lowest MIDI velocity that the part plays."),
    knob("/velocity/high",  Field(\PartInput.highVelocity),      velocity,                      127, "Highest MIDI velocity that the part plays."),
    knob("/velocity/curve", Field(\PartInput.curve),             .linear(-1...1, .percent),     0,   "Velocity curve of the part, added to /play/curve of its sound."),
    knob("/velocity/dynamics", Field(\PartInput.dynamics),      .linear(-1...1, .percent),     0,   "Decibels from soft to hard strokes, times those of the sound: 0 at -100, 2 at 100."),
    knob("/hear/bend",      Field(\PartInput.received.bend),     .toggle,                       1,   "Whether the part follows the pitch wheel."),
    knob("/hear/wheel",     Field(\PartInput.received.wheel),    .toggle,                       1,   "Whether the part follows the modulation wheel."),
    knob("/hear/pedal",     Field(\PartInput.received.pedal),    .toggle,                       1,   "Whether the part follows sustain, sostenuto, soft pedal and legato switch."),
    knob("/hear/pressure",  Field(\PartInput.received.pressure), .toggle,                       1,   "Whether the part follows key and channel pressure."),
    knob("/hear/program",   Field(\PartInput.received.program),  .toggle,                       1,   "Whether the part follows program changes."),
  ]
}

// The knobs of the morph between two snapshots of a part.

extension Table {
  /// The letters of the snapshots, as addresses and files spell them.
  public static let snapshots = ["a", "b", "c", "d", "e", "f", "g", "h"]

  // swift-format-ignore
  static let morph: [Parameter] = [
    knob("/morph/position", Field(\MorphKnobs.position), percent,                                    0, "Position between two snapshots: 0 is that of /morph/from, 100 that of /morph/to."),
    knob("/morph/from",     Field(\MorphKnobs.from),     .choice(snapshots),                         0, "Snapshot at one end of the morph."),
    knob("/morph/to",       Field(\MorphKnobs.to),       .choice(snapshots),                         1, "Snapshot at the other end of the morph."),
    knob("/morph/time",     Field(\MorphKnobs.time),     .cubic(0...Limits.morphSeconds, .seconds),  0, "Time that the recall of a snapshot takes."),
    knob("/morph/quantize", Field(\MorphKnobs.quantize), choice(SnapshotStart.self),                 0, "Whether the recall of a snapshot waits for the next beat or bar while the transport runs."),
  ]
}
