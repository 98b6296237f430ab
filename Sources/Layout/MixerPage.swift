import Parameters
import Scenes

extension Panel {
  /// The mixer: eight parts and the master, on a tablet as strips side by side, on a phone as lines.
  mutating func mixer(_ frame: Frame) {
    var rest = frame
    let master = KnobSection.of(.mixer).filter { !$0.stem.isEmpty }.flatMap(\.rows)
    if size == .tablet {
      notice(&rest)
      masterStrip(master, rest.cutRight(130, gap: size.gap))
      let names = (1...Limits.parts).map { "\($0)" }
      let top = rest.cutTop(64)
      radio("/focus", names, top, .silver, first: 1, isLabelled: false)
      for (part, cell) in top.columns(Limits.parts, gap: 0).enumerated() {
        stripHeading(part, cell)
        let cells = rest.columns(Limits.parts, gap: 0)
        strip(part, Frame(cells[part].x + 3, rest.y + 6, cells[part].w - 6, rest.h - 6))
      }
    } else {
      let lines = frame.rows(Limits.parts + 1, gap: 2)
      for part in 0..<Limits.parts { line(part, lines[part]) }
      background("section MASTER", lines[Limits.parts])
      let cells = lines[Limits.parts].inset(2).columns(master.count + 1, gap: size.gap)
      for (row, cell) in zip(master, cells) { horizontalFader(row, row.address, cell, .silver) }
      var card = cells[master.count]
      let text = card.cutTop(card.h - Size.finger)
      cardFader(card, text, isHorizontal: true)
    }
  }

  private func rows(where isWanted: (Parameter) -> Bool) -> [Parameter] {
    KnobSection.all.filter { $0.stem.isEmpty }.flatMap(\.rows).filter(isWanted)
  }

  /// The number of a part and the name of its preset.
  private mutating func stripHeading(_ part: Int, _ cell: Frame) {
    var cell = cell.inset(4)
    caption("\(part + 1)", cell.cutTop(cell.h * 3 / 5), .white, largest: 24)
    readout("/part/\(part + 1)/preset/name", cell, characters: 14, largest: size.text)
  }

  private mutating func strip(_ part: Int, _ frame: Frame) {
    background("strip \(part + 1)", frame)
    var rest = frame.inset(size.padding)
    let prefix = "/part/\(part + 1)"
    let cells = rest.cutTop(Size.finger + 4, gap: size.gap).columns(rows(where: \.isToggle).count, gap: 6)
    for (row, cell) in zip(rows(where: \.isToggle), cells) {
      toggle(row, prefix + row.address, cell, row.leaf == "mute" ? .red : .green)
    }
    for row in rows(where: { !$0.isToggle && $0.leaf != "level" }) {
      horizontalFader(row, prefix + row.address, rest.cutTop(Size.finger + 20, gap: size.gap), .silver)
    }
    for row in rows(where: { $0.leaf == "level" }) {
      verticalFader(row, prefix + row.address, rest, .silver, TextSizes([(row, rest)], size))
    }
  }

  private mutating func masterStrip(_ rows: [Parameter], _ frame: Frame) {
    background("section MASTER", frame)
    var rest = frame.inset(size.padding)
    caption("MASTER", rest.cutTop(40, gap: size.gap), .white, largest: 20)
    for row in rows where row.leaf != "level" {
      horizontalFader(row, row.address, rest.cutTop(Size.finger + 20, gap: size.gap), .silver)
    }
    tuning(rest.cutTop(Size.finger + 24, gap: size.gap))
    recording(rest.cutBottom(Size.finger + 20, gap: size.gap))
    let columns = rest.columns(2, gap: size.gap)
    for row in rows where row.leaf == "level" {
      verticalFader(row, row.address, columns[0], .silver, TextSizes([(row, columns[0])], size))
    }
    var card = columns[1]
    let height = size.text * 3 / 2
    caption("CARD", card.cutTop(height, gap: 3), .grey)
    let text = card.cutBottom(height, gap: 2)
    cardFader(card, text, isHorizontal: false)
  }

  /// The volume of the sound card, with its value.
  private mutating func cardFader(_ frame: Frame, _ text: Frame, isHorizontal: Bool) {
    let address = "/master/card/level"
    var fader = LayoutNode(.fader, address, frame, .amber)
    fader["orientation"] = .int(isHorizontal ? 1 : 0)
    fader.messages = [.both(address, .value("x", .float))]
    fader.values["x"] = .float(1)
    add(fader)
    readout(address + "/text", text, characters: 8, largest: size.text)
  }

  /// The line of a part on a phone. A touch of its number puts the part in focus.
  private mutating func line(_ part: Int, _ frame: Frame) {
    background("strip \(part + 1)", frame)
    var rest = frame.inset(2)
    let prefix = "/part/\(part + 1)"
    var number = rest.cutLeft(Size.finger, gap: 4)
    button(
      "focus \(part + 1)", "\(part + 1)", number.cutBottom(Size.finger), Color.silver.dimmed(0.5),
      [.send("/focus", [.constant("\(part + 1)", .int)], on: ["x"], .rise)], largest: 20)
    for row in rows(where: \.isToggle).reversed() {
      var cell = rest.cutRight(Size.finger, gap: 4)
      toggle(row, prefix + row.address, cell.cutBottom(Size.finger), row.leaf == "mute" ? .red : .green)
    }
    let faders = rows { !$0.isToggle }.sorted { $0.leaf == "level" && $1.leaf != "level" }
    let weights = faders.map { $0.leaf == "level" ? 2.0 : 1.0 }
    for (row, cell) in zip(faders, rest.columns(weights, gap: 4)) {
      horizontalFader(row, prefix + row.address, cell, .silver)
    }
  }
}

extension Panel {
  /// REC, lit while recording, and KEEP for the last seconds; the length below them, or beside them on a phone.
  mutating func recording(_ frame: Frame) {
    var rest = frame
    let length = size == .tablet ? rest.cutBottom(18, gap: 2) : rest.cutRight(56, gap: size.gap)
    readout("/record/text", length, characters: 8, largest: size.text)
    let columns = rest.columns(2, gap: size.gap)
    button(
      "/record", "REC", columns[0], Color.red.dimmed(0.8), [.both("/record", .value("x", .int))], type: 2)
    trigger("/record/last", "KEEP", columns[1], Color.silver.dimmed(0.6))
  }
}

extension Panel {
  /// The tuning of all parts, and buttons that step through the list: below it, or beside it on a phone.
  mutating func tuning(_ frame: Frame) {
    var (name, buttons) = (frame, [frame])
    if size == .tablet {
      let row = name.cutBottom(Size.finger, gap: 2)
      buttons = row.columns(2, gap: size.gap)
    } else {
      buttons = [name.cutLeft(64, gap: size.gap), name.cutRight(64, gap: size.gap)]
    }
    readout("/master/tuning", name, characters: 16, largest: size.text)
    trigger("/master/tuning/previous", "TUNE −", buttons[0], Color.silver.dimmed(0.6))
    trigger("/master/tuning/next", "TUNE +", buttons[1], Color.silver.dimmed(0.6))
  }
}
