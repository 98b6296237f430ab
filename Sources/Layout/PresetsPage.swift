import Synth

extension Panel {
  /// A page of sixteen presets, and the commands for presets.
  mutating func presets(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    var top = rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap)
    let side = isWide ? 200 : 88
    trigger("/preset/page/previous", "BANK −", top.cutLeft(side, gap: size.gap), Color.amber.dimmed(0.6))
    trigger("/preset/page/next", "BANK +", top.cutRight(side, gap: size.gap), Color.amber.dimmed(0.6))
    background("bank", top)
    readout("/preset/page", top, characters: 20, largest: isWide ? 22 : 15)

    let cells = rest.cutBottom(isWide ? 72 : 2 * Size.finger + size.gap, gap: size.gap).rows(
      isWide ? 1 : 2, gap: size.gap)
    let actions = cells.flatMap { $0.columns(isWide ? 8 : 4, gap: size.gap) }
    trigger("/preset/previous", "PREV", actions[0], Color.silver.dimmed(0.6))
    trigger("/preset/next", "NEXT", actions[1], Color.silver.dimmed(0.6))
    trigger("/preset/undo", "UNDO", actions[2], Color.violet.dimmed(0.8))
    trigger("/preset/redo", "REDO", actions[3], Color.violet.dimmed(0.8))
    trigger("/preset/delete", "DELETE", actions[4], Color.red.dimmed(0.7))
    copy(actions[5])
    saveNew(actions[6])
    trigger("/preset/save", "SAVE", actions[7], Color.green.dimmed(0.75))
    notice(&rest)

    let across = isWide ? 4 : 2
    for (line, row) in rest.rows(16 / across, gap: size.gap).enumerated() {
      for (column, cell) in row.columns(across, gap: size.gap).enumerated() {
        slot(across * line + column + 1, cell)
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

  /// The button of a preset. It only sends; its lamp is another control, which stays lit after the touch.
  private mutating func slot(_ number: Int, _ frame: Frame) {
    trigger("/preset/slot/\(number)", "", frame, Color.silver.dimmed(0.6))
    var inside = frame.inset(6)
    lamp("/preset/slot/\(number)/current", inside.cutBottom(frame.h > 80 ? 8 : 5), .amber, .int)
    var corner = inside
    if frame.h > 80 { corner = inside.cutTop(size.text + 4) } else { corner = inside.cutLeft(24) }
    caption("\(number)", corner, .grey, largest: size.text - 1, align: 1)
    readout("/preset/slot/\(number)/name", inside, characters: 15, largest: size.text + 4)
  }
}
