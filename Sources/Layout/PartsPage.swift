import Scenes

// The page of keyboard input.

extension Panel {
  /// Split and layer, and the keys of each part; then key range, velocity range and accepted messages of the part in
  /// focus: side by side on a tablet, one below the other on a phone.
  mutating func parts(_ frame: Frame) {
    var rest = frame
    let isWide = size == .tablet
    sharing(rest.cutTop(isWide ? 64 : Size.finger + 4, gap: size.gap))
    if isWide { ranges(rest.cutTop(56, gap: size.gap)) }
    notice(&rest)
    let toggles = size.title + 10 + 2 * size.padding + Size.finger
    section("/hear", in: rest.cutBottom(toggles, gap: size.gap))
    let cells = isWide ? rest.columns(2, gap: size.gap) : rest.rows(2, gap: size.gap)
    range("/key", [("/key/learn", "STRIKE TWO KEYS")], cells[0])
    let learns = [("/velocity/learn", "STRIKE SOFT, HARD"), ("/velocity/curve/learn", "STRIKE TEN: CURVE")]
    range("/velocity", learns, cells[1])
  }

  /// The keyboard sharing of parts 1 and 2. An amber button waits for a key.
  private mutating func sharing(_ frame: Frame) {
    let cells = frame.columns(3, gap: size.gap)
    trigger("/single", "SINGLE", cells[0], Color.silver.dimmed(0.6))
    litTrigger("/split", "SPLIT", cells[1], [("/split/on", .green), ("/split/armed", .amber)])
    litTrigger("/layer", "LAYER", cells[2], [("/layer/on", .green)])
  }

  /// The number and the keys of each part.
  private mutating func ranges(_ frame: Frame) {
    background("ranges", frame)
    for (part, column) in frame.inset(4).columns(Limits.parts, gap: 4).enumerated() {
      var cell = column
      caption("\(part + 1)", cell.cutTop(cell.h / 2), .grey)
      readout("/part/\(part + 1)/key/range", cell, characters: 11, largest: size.text)
    }
  }

  /// The knobs of a range, and buttons to set them by striking keys.
  private mutating func range(_ stem: String, _ buttons: [(String, String)], _ frame: Frame) {
    var rest = frame
    let row = rest.cutBottom(size == .tablet ? 60 : Size.finger, gap: 4)
    section(stem, in: rest)
    for ((address, words), cell) in zip(buttons, row.columns(buttons.count, gap: 4)) {
      litTrigger(address, words, cell, [(address + "/armed", .amber)])
    }
  }

  /// A button with lamps at its bottom.
  private mutating func litTrigger(
    _ address: String, _ words: String, _ frame: Frame, _ lamps: [(address: String, color: Color)]
  ) {
    trigger(address, words, frame, Color.silver.dimmed(0.6))
    var inside = frame.inset(6)
    for (lamp, cell) in zip(lamps, inside.cutBottom(5).columns(lamps.count, gap: 4)) {
      self.lamp(lamp.address, cell, lamp.color, .int)
    }
  }
}
