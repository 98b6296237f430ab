import Synth

// The knobs of the modulation matrix: four for each slot.

extension Table {
  private static var slots: [WritableKeyPath<Patch, SlotKnobs>] {
    [
      \.slot1, \.slot2, \.slot3, \.slot4, \.slot5, \.slot6, \.slot7, \.slot8,
    ]
  }

  /// The rows of all slots.
  static let modulation: [Row] = slots.enumerated().flatMap { index, slot in
    let number = index + 1
    let sources = Kind.choice(ModulationSource.names)
    return [
      knob(
        "/mod/\(number)/source", path(slot.appending(path: \.source)), sources, 0,
        "What moves the target of slot \(number)."),
      knob(
        "/mod/\(number)/target", path(slot.appending(path: \.target)), .choice(ModulationTarget.names), 0,
        "What slot \(number) moves; the mix of an effect by the sources of the note struck last."),
      knob(
        "/mod/\(number)/amount", path(slot.appending(path: \.amount)), .linear(-1...1, .percent), 0,
        "How far slot \(number) moves its target; 100 is the target's whole range."),
      knob(
        "/mod/\(number)/scale", path(slot.appending(path: \.scale)), sources, 0,
        "A second source that the first is multiplied by; off for none."),
    ]
  }
}
