import Parameters

// The page of edits that move more than one knob: of the whole sound, and of its sections.

extension Panel {
  /// Compare, init and random for the whole sound; on a tablet also copy, paste, init, random and lock for each section.
  mutating func edit(_ frame: Frame) {
    var rest = frame
    notice(&rest)
    if size == .tablet {
      wholeSound(rest.cutTop(Size.finger, gap: size.gap).columns(5, gap: size.gap))
      let sections = SoundSection.base
      let (columns, rows) = (3, (sections.count + 2) / 3)
      for (number, column) in rest.columns(columns, gap: size.gap).enumerated() {
        let some = sections.dropFirst(number * rows).prefix(rows)
        for (section, row) in zip(some, column.rows(rows, gap: 4)) { line(section, row) }
      }
    } else {
      wholeSound(rest.rows(5, gap: size.gap))
    }
  }

  private mutating func wholeSound(_ cells: [Frame]) {
    trigger("/preset/compare", "COMPARE", cells[0], Color.cyan.dimmed(0.6))
    var inside = cells[0].inset(6)
    lamp("/preset/comparing", inside.cutBottom(5), .amber, .int)
    trigger("/preset/init", "INIT", cells[1], Color.silver.dimmed(0.6))
    trigger("/preset/random/near", "RANDOM NEAR", cells[2], Color.violet.dimmed(0.7))
    trigger("/preset/random/far", "RANDOM FAR", cells[3], Color.violet.dimmed(0.7))
    var amount = cells[4]
    caption("AMOUNT", amount.cutLeft(80, gap: size.gap), .grey)
    var fader = LayoutNode(.fader, "/random/amount", amount, .violet)
    fader["orientation"] = .int(1)
    fader.messages = [.both("/random/amount", .value("x", .float))]
    add(fader)
  }

  private mutating func line(_ section: SoundSection, _ frame: Frame) {
    background("section \(section.name)", frame, .panel)
    var rest = frame
    caption(
      section.title, rest.cutLeft(120, gap: 4).inset(4), .silver,
      align: 1)
    let isDrawn = !SoundSection.ofNotes.contains(section.name)
    var verbs: [(address: String, words: String, color: Color)] = [
      ("/section/copy", "COPY", .cyan), ("/section/paste", "PASTE", .cyan),
      ("/section/init", "INIT", .silver),
    ]
    if isDrawn {
      verbs += [("/section/random/near", "NEAR", .violet), ("/section/random/far", "FAR", .violet)]
    }
    let cells = rest.columns(6, gap: 4)
    for (verb, cell) in zip(verbs, cells) {
      button(
        "\(verb.address) \(section.name)", verb.words, cell, verb.color.dimmed(0.6),
        [.send(verb.address, [.constant(section.name, .string)], on: ["x"], .rise)])
    }
    if !isDrawn { return }
    button(
      "/random/lock/\(section.name)", "LOCK", cells[verbs.count], Color.amber.dimmed(0.6),
      [.both("/random/lock/\(section.name)", .value("x", .int))], type: 2)
  }
}
