import Parameters

// The page of the arpeggiator and the chord memory.

extension Panel {
  /// The steps of the rhythm, in the largest area; the modes, LATCH and CLEAR above them, the faders and the chord
  /// beside them.
  mutating func arp(_ frame: Frame) {
    var left = frame
    let right = left.cutRight(432, gap: size.gap)
    stack([("/arp", .plain), ("/chord", .plain)], right, [4, 3])
    rhythm(left.cutBottom(422, gap: size.gap))
    latch(left.cutRight(170, gap: size.gap).rows(2, gap: size.gap))
    modes(left)
  }

  /// The large buttons LATCH, which is lit while the latch holds or adds, and CLEAR.
  mutating func latch(_ cells: [Frame]) {
    let switched = ControlMessage.both("/arp/latch", .value("x", .int, low: 0, high: 1))
    button(
      "latch", "LATCH", cells[0], Color.coral.dimmed(0.8), [switched], type: 2, largest: size.title * 3 / 2)
    trigger("/arp/clear", "CLEAR", cells[1], .red, largest: size.title * 3 / 2)
  }

  /// The choices of the arpeggiator, and below them its step, its keys and the LEARN button of the chord.
  mutating func modes(_ frame: Frame) {
    section("/arp", .modes, in: frame)
    var inside = frame.inset(size.padding)
    var line = inside.cutBottom(Size.finger)
    let isTablet = size == .tablet
    let learn = line.cutRight(isTablet ? 130 : 96, gap: size.gap)
    trigger("/chord/learn", "LEARN CHORD", learn, Color.violet.dimmed(0.7))
    var top = learn.inset(4)
    lamp("/chord/learn/armed", top.cutTop(5), .amber, .int)
    let shown = [("/arp/at", "STEP"), ("/arp/keys", "KEYS"), ("/arp/held", "HELD")]
    for ((address, words), column) in zip(shown, line.columns(shown.count, gap: 2)) {
      var cell = column
      caption(words, cell.cutTop(cell.h * 2 / 5), .grey, largest: size.text - 3)
      readout(address + "/text", cell, characters: 3, largest: size.title + 2)
    }
  }

  /// The steps of the rhythm: a column of buttons for each on a tablet, a fader for each on a phone.
  mutating func rhythm(_ frame: Frame) {
    guard let section = KnobSection.named("/arp/step") else { return }
    if size == .phone { return lines(of: section, in: frame) }
    background("section \(section.title)", frame)
    columns(of: section, in: frame.inset(size.padding))
  }

  /// The sixteen steps of a section on a phone, a fader for each.
  mutating func lines(of section: KnobSection, in frame: Frame) {
    background("section \(section.title)", frame)
    var inside = frame.inset(size.padding)
    caption(
      section.title, inside.cutTop(size.title + 6, gap: 2), section.color, largest: size.title, align: 1)
    let perColumn = section.rows.count / 2
    for (column, cells) in inside.columns(2, gap: size.gap * 2).enumerated() {
      for (row, cell) in zip(section.rows[(column * perColumn)...], cells.rows(perColumn, gap: 2)) {
        horizontalFader(row, row.address, cell, section.color)
      }
    }
  }

  /// Vertical radio buttons, with the number of the step above and the choice below. The first choice is at the
  /// bottom.
  private mutating func columns(of section: KnobSection, in frame: Frame) {
    var rest = frame
    let numbers = rest.cutTop(size.title + 6, gap: 4)
    let texts = rest.cutBottom(size.text * 3 / 2, gap: 2)
    let names = section.rows.first?.choices ?? []
    let words = rest.cutLeft(60, gap: 6)
    for (name, cell) in zip(names.reversed(), words.rows(names.count, gap: 0)) {
      caption(name.uppercased(), cell, .grey, largest: 13, align: 3)
    }
    let corner = Frame(words.x, numbers.y, words.w, numbers.h)
    caption("STEPS", corner, section.color, largest: size.title, align: 1)
    for (row, column) in zip(section.rows, rest.columns(section.rows.count, gap: 2)) {
      var radio = LayoutNode(.radio, row.address, column, section.color.dimmed(0.8))
      radio["steps"] = .int(names.count)
      radio["orientation"] = .int(0)
      radio.messages = [.both(row.address, .value("x", .int, low: 0, high: 1))]
      add(radio)
      caption(row.leaf, Frame(column.x, numbers.y, column.w, numbers.h), .grey, largest: size.title)
      readout(
        row.address + "/text", Frame(column.x, texts.y, column.w, texts.h), characters: row.characters,
        largest: size.text)
    }
  }
}
