import Synth

// The knobs of the modulation matrix: four for each slot.

extension Table {
  /// The slots of a patch, in order.
  public static var slots: [WritableKeyPath<Patch, SlotKnobs>] {
    [
      \.slot1, \.slot2, \.slot3, \.slot4, \.slot5, \.slot6, \.slot7, \.slot8,
      \.slot9, \.slot10, \.slot11, \.slot12, \.slot13, \.slot14, \.slot15, \.slot16,
    ]
  }

  /// The rows of all slots.
  static let modulation: [Parameter] = {
    // The slots share the names.
    let (sources, targets) = (Kind.choice(ModulationSource.names), Kind.choice(ModulationTarget.names))
    return slots.enumerated().flatMap { slot($0.offset, $0.element, sources, targets) }
  }()

  private static func slot(
    _ index: Int, _ slot: WritableKeyPath<Patch, SlotKnobs>, _ sources: Kind, _ targets: Kind
  ) -> [Parameter] {
    let (number, isDetail) = (index + 1, index >= 8)
    return [
      knob(
        "/mod/\(number)/source", path(slot.appending(path: \.source)), sources, 0,
        isDetail: isDetail, "Source of slot \(number)."),
      knob(
        "/mod/\(number)/target", path(slot.appending(path: \.target)), targets, 0,
        isDetail: isDetail, "Target of slot \(number). The mix of an effect follows the note struck last."),
      knob(
        "/mod/\(number)/amount", path(slot.appending(path: \.amount)), .linear(-1...1, .percent), 0,
        isDetail: isDetail, "Depth of slot \(number); 100 is the whole range of the target."),
      knob(
        "/mod/\(number)/scale", path(slot.appending(path: \.scale)), sources, 0,
        isDetail: isDetail, "Second source, multiplied with the first; off for none."),
    ]
  }
}
