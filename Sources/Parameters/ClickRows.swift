import Synth

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
