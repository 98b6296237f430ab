import Synth

// What a part takes from the keyboards.

extension Table {
  private static let key = Kind.steps(0...127, .key)
  private static let velocity = Kind.steps(1...127, .plain)

  // swift-format-ignore
  static let input: [Row] = [
    knob("/key/low",        Field(\PartInput.lowKey),         key,                           0,   "Lowest key that the part plays, before it is transposed."),
    knob("/key/high",       Field(\PartInput.highKey),        key,                           127, "Highest key that the part plays, before it is transposed."),
    knob("/key/transpose",  Field(\PartInput.transpose),      .steps(-48...48, .semitones),  0,   "Semitones that the part's keys are moved by."),
    knob("/velocity/low",   Field(\PartInput.lowVelocity),    velocity,                      1,   "Softest stroke that the part plays, a velocity of MIDI."),
    knob("/velocity/high",  Field(\PartInput.highVelocity),   velocity,                      127, "Hardest stroke that the part plays."),
    knob("/velocity/curve", Field(\PartInput.curve),          .linear(-1...1, .percent),     0,   "Velocity curve of the part, added to that of its sound (/play/curve)."),
    knob("/hear/bend",      Field(\PartInput.hears.bend),     .toggle,                       1,   "Whether the part hears the pitch wheel."),
    knob("/hear/wheel",     Field(\PartInput.hears.wheel),    .toggle,                       1,   "Whether the part hears the modulation wheel."),
    knob("/hear/pedal",     Field(\PartInput.hears.pedal),    .toggle,                       1,   "Whether the part hears sustain, sostenuto, soft pedal and legato switch."),
    knob("/hear/pressure",  Field(\PartInput.hears.pressure), .toggle,                       1,   "Whether the part hears pressure on the keys."),
    knob("/hear/program",   Field(\PartInput.hears.program),  .toggle,                       1,   "Whether the part hears program changes."),
  ]
}
