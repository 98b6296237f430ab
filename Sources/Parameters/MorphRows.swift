import Synth

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
