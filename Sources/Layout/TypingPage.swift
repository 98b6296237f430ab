extension Panel {
  /// A keyboard for names: the text that pipit holds, the commands for it, and the keys. Each key sends one message,
  /// and pipit sends the text back, so a lost message is visible. On a tablet the slots show the results of a search.
  mutating func typing(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    let text = rest.cutTop(isWide ? 56 : Size.finger, gap: size.gap)
    background("text", text)
    readout("/preset/text", text.inset(6), characters: 40, largest: isWide ? 24 : 16)
    var actions = rest.cutTop(isWide ? 56 : 2 * Size.finger + size.gap, gap: size.gap)
    let lines = isWide ? [actions] : [actions.cutTop(Size.finger, gap: size.gap), actions]
    let cells =
      isWide
      ? actions.columns(5, gap: size.gap)
      : lines[0].columns(3, gap: size.gap) + lines[1].columns(2, gap: size.gap)
    trigger("/preset/text/save", "SAVE AS", cells[0], Color.green.dimmed(0.75))
    trigger("/preset/text/rename", "RENAME", cells[1], Color.cyan.dimmed(0.6))
    trigger("/preset/text/search", "SEARCH", cells[2], Color.amber.dimmed(0.6))
    trigger("/preset/text/name", "PRESENT NAME", cells[3], Color.silver.dimmed(0.6))
    trigger("/preset/text/clear", "CLEAR", cells[4], Color.red.dimmed(0.7))
    notice(&rest)
    if isWide {
      keys(rest.cutBottom(300, gap: size.gap))
      let page = rest.cutTop(24, gap: 2)
      readout("/preset/page", page, characters: 40)
      for (line, row) in rest.rows(2, gap: size.gap).enumerated() {
        for (column, cell) in row.columns(8, gap: size.gap).enumerated() {
          slot("/preset/slot", 8 * line + column + 1, cell)
        }
      }
    } else {
      readout("/preset/page", rest.cutTop(24, gap: size.gap), characters: 28)
      rest.h = min(rest.h, 380)
      keys(rest)
    }
  }

  /// The rows of keys, in the order of a typewriter.
  private mutating func keys(_ frame: Frame) {
    let rows = frame.rows(5, gap: size.gap)
    for (letters, row) in zip(["1234567890", "qwertyuiop", "asdfghjkl-"], rows) { keys(letters, row) }
    var last = rows[3]
    let side = last.w * 3 / 20
    button(
      "/preset/text/shift", "SHIFT", last.cutLeft(side, gap: Panel.keyGap), Color.violet.dimmed(0.8),
      [.both("/preset/text/shift", .value("x", .int))], type: 2)
    trigger(
      "/preset/text/back", "BACK", last.cutRight(side, gap: Panel.keyGap), Color.red.dimmed(0.5))
    keys("zxcvbnm", last)
    let bottom = rows[4].columns([2, 6, 2], gap: Panel.keyGap)
    keys("&'", bottom[0])
    trigger("/preset/text/space", "SPACE", bottom[1], Color.silver.dimmed(0.6))
    keys("+.", bottom[2])
  }

  private static let keyGap = 4

  private mutating func keys(_ letters: String, _ frame: Frame) {
    for (letter, cell) in zip(letters, frame.columns(letters.count, gap: Panel.keyGap)) {
      button(
        "/preset/text/add \(letter)", letter.uppercased(), cell, Color.silver.dimmed(0.6),
        [.send("/preset/text/add", [.constant("\(letter)", .string)], on: ["x"], .rise)],
        largest: size == .tablet ? 20 : 15)
    }
  }
}
