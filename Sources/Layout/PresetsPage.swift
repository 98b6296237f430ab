import Presets
import Scenes

extension Panel {
  /// A page of sixteen presets, and the commands for presets.
  mutating func presets(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    var top = rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap)
    pageButtons("preset", "BANK", Color.amber.dimmed(0.6), &top, width: isWide ? 200 : 88)
    background("bank", top)
    readout("/preset/page", top, characters: 28, largest: isWide ? 22 : 15)

    if isWide { searches(rest.cutTop(Size.finger, gap: size.gap), across: 10) }

    let actions: [Action] =
      isWide
      ? [.previous, .next, .undo, .redo, .delete, .copy, .saveNew, .save, .favorite]
      : [.previous, .next, .undo, .copy, .save]
    self.actions(actions, rest.cutBottom(isWide ? 72 : Size.finger, gap: size.gap))
    notice(&rest)

    slots("/preset/slot", rest)
  }

  /// The buttons for the pages before and after, at both ends of the bar above a page of slots.
  mutating func pageButtons(_ kind: String, _ word: String, _ color: Color, _ bar: inout Frame, width: Int) {
    trigger("/\(kind)/page/previous", "\(word) −", bar.cutLeft(width, gap: size.gap), color)
    trigger("/\(kind)/page/next", "\(word) +", bar.cutRight(width, gap: size.gap), color)
  }

  /// Sixteen slots of a page, of presets or of setups.
  mutating func slots(_ stem: String, _ frame: Frame) {
    let across = size == .tablet ? 4 : 2
    let cells = frame.rows(Limits.presetsPerPage / across, gap: size.gap).flatMap {
      $0.columns(across, gap: size.gap)
    }
    for (index, cell) in cells.enumerated() { slot(stem, index + 1, cell) }
  }

  /// Buttons that fill the slots with a category, with the favourites, or with the banks again. The name of the page
  /// says what the slots show.
  private mutating func searches(_ frame: Frame, across: Int) {
    let searches =
      [("ALL", ""), ("FAVOURITES", "favorite")]
      + PresetCategory.allCases.map { ($0.rawValue.uppercased(), "category:\($0.rawValue)") }
    let rows = frame.rows((searches.count + across - 1) / across, gap: size.gap)
    for ((name, words), cell) in zip(searches, rows.flatMap { $0.columns(across, gap: size.gap) }) {
      button(
        "/preset/search \(words)", name, cell, Color.amber.dimmed(0.45),
        [.send("/preset/search", [.constant(words, .string)], on: ["x"], .rise)])
    }
  }

  /// A phone's page of searches, which fill the slots of the other page, and of the less common commands.
  mutating func find(_ frame: Frame) {
    var rest = frame
    let top = rest.cutTop(Size.finger, gap: size.gap)
    background("bank", top)
    readout("/preset/page", top, characters: 28, largest: 15)
    actions([.favorite, .redo, .delete, .saveNew], rest.cutBottom(Size.finger, gap: size.gap))
    notice(&rest)
    searches(rest, across: 2)
  }

  /// A command for the preset in use.
  private enum Action { case previous, next, undo, redo, delete, copy, saveNew, save, favorite }

  /// Commands side by side.
  private mutating func actions(_ actions: [Action], _ frame: Frame) {
    for (action, cell) in zip(actions, frame.columns(actions.count, gap: size.gap)) {
      switch action {
      case .previous: trigger("/preset/previous", "PREV", cell, Color.silver.dimmed(0.6))
      case .next: trigger("/preset/next", "NEXT", cell, Color.silver.dimmed(0.6))
      case .undo: trigger("/preset/undo", "UNDO", cell, Color.violet.dimmed(0.8))
      case .redo: trigger("/preset/redo", "REDO", cell, Color.violet.dimmed(0.8))
      case .delete: trigger("/preset/delete", "DELETE", cell, Color.red.dimmed(0.7))
      case .copy: copy(cell)
      case .saveNew: saveNew(cell)
      case .save: trigger("/preset/save", "SAVE", cell, Color.green.dimmed(0.75))
      case .favorite:
        button(
          "/preset/favorite", "FAVOURITE", cell, Color.amber.dimmed(0.6),
          [.both("/preset/favorite", .value("x", .int))], type: 2)
      }
    }
  }

  /// A button that copies the sound to the slot pressed next; it is lit until then.
  private mutating func copy(_ frame: Frame) {
    trigger("/preset/copy", "COPY", frame, Color.cyan.dimmed(0.6))
    var inside = frame.inset(6)
    lamp("/preset/copy/armed", inside.cutBottom(5), .amber, .int)
  }

  /// A button that saves as a new preset, with the name that it will have.
  private mutating func saveNew(_ frame: Frame) {
    trigger("/preset/save/new", "", frame, Color.green.dimmed(0.55))
    var inside = frame.inset(2)
    readout("/preset/save/new/name", inside.cutBottom(inside.h * 2 / 5), characters: 15)
    caption("SAVE AS", inside, .white)
  }

  /// The button of a slot. It only sends; its lamp is another control, which stays lit after the touch.
  mutating func slot(_ stem: String, _ number: Int, _ frame: Frame) {
    let address = "\(stem)/\(number)"
    trigger(address, "", frame, Color.silver.dimmed(0.6))
    var inside = frame.inset(6)
    lamp(address + "/current", inside.cutBottom(frame.h > 80 ? 8 : 5), .amber, .int)
    var corner = inside
    if frame.h > 80 { corner = inside.cutTop(size.text + 4) } else { corner = inside.cutLeft(24) }
    caption("\(number)", corner, .grey, largest: size.text - 1, align: 1)
    readout(address + "/name", inside, characters: 15, largest: size.text + 4)
  }
}
