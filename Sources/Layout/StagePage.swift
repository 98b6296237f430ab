import Parameters

// The page for the stage: the controls that a show needs, legible from two metres, and no others.

extension Panel {
  /// The current and the next entry, the buttons for previous and next, the tempo, snapshots, morph, macros, the
  /// master level and the lock. PANIC is in the strip above, as on every page.
  mutating func stage(_ frame: Frame) {
    var rest = frame
    if size == .tablet {
      heading(rest.cutTop(140, gap: size.gap))
      coming(rest.cutTop(84, gap: size.gap))
      steps(rest.cutTop(160, gap: size.gap))
      letters(rest.cutTop(84, gap: size.gap).columns(8, gap: size.gap))
      notice(&rest)
      lock(rest.cutRight(130, gap: size.gap))
      stageFaders(rest)
    } else {
      heading(rest.cutTop(108, gap: size.gap))
      coming(rest.cutTop(48, gap: size.gap))
      steps(rest.cutTop(120, gap: size.gap))
      letters(
        rest.cutTop(2 * Size.finger + size.gap, gap: size.gap).rows(2, gap: size.gap)
          .flatMap { $0.columns(4, gap: size.gap) })
      notice(&rest)
      lock(rest.cutRight(64, gap: size.gap))
      stageFaders(rest)
    }
  }

  /// The position in the set and the title, as large as it fits.
  private mutating func heading(_ frame: Frame) {
    background("song", frame)
    var inside = frame.inset(size.padding)
    let isWide = size == .tablet
    let area = isWide ? inside.cutLeft(200, gap: size.gap) : inside.cutTop(26, gap: 2)
    readout("/set/place/text", area, .silver, characters: 7, largest: isWide ? 56 : 22, align: 1)
    let sizes = isWide ? 58...96 : 28...58
    readout(
      "/set/title", inside, characters: 1, largest: sizes.upperBound, align: 1,
      script: Panel.shrinkScript(sizes, width: inside.w))
  }

  /// The notes of the entry, and the title of the next one.
  private mutating func coming(_ frame: Frame) {
    let cells = size == .tablet ? frame.columns(2, gap: size.gap) : frame.rows(2, gap: 0)
    let largest = size == .tablet ? 30 : 15
    readout("/set/notes", cells[0], .amber, characters: 36, largest: largest, align: 1)
    var next = cells[1]
    caption("NEXT", next.cutLeft(size == .tablet ? 110 : 50, gap: size.gap), .grey, largest: largest)
    readout("/set/next/title", next, .white, characters: 24, largest: largest + 4, align: 1)
  }

  /// Previous and next, and the tempo between them, which a touch taps.
  private mutating func steps(_ frame: Frame) {
    let cells = frame.columns(3, gap: size.gap)
    let largest = size == .tablet ? 40 : 20
    trigger("/set/previous", "◀ PREV", cells[0], Color.silver.dimmed(0.6), largest: largest)
    trigger("/tempo/tap", "", cells[1], Color.violet.dimmed(0.8))
    var tempo = cells[1].inset(size.padding)
    let line = tempo.cutTop(tempo.h / 5, gap: 4)
    caption("TAP", tempo.cutBottom(size.text * 3 / 2), .white, largest: size.text)
    readout("/tempo/text", tempo, characters: 9, largest: largest)
    readout("/beat/text", line, characters: 4, largest: line.h * 4 / 5)
    trigger("/set/next", "NEXT ▶", cells[2], Color.green.dimmed(0.75), largest: largest)
  }

  /// The snapshots: a short press recalls, a press of half a second stores. A letter with a sound has a name; that of
  /// the current one is underlined.
  mutating func letters(_ cells: [Frame]) {
    for (letter, cell) in zip(Table.snapshots, cells) {
      let address = "/snapshot/\(letter)"
      button(
        address, "", cell, Color.cyan.dimmed(0.6),
        [.send(address, [.value("x", .int)], on: ["x"])]
          + Panel.repeated(address, [.constant("0", .int)], "x"))
      var inside = cell.inset(4)
      lamp(address + "/current", inside.cutBottom(6, gap: 1), .white, .int)
      let side = inside.cutRight(10)
      lamp(address + "/filled", Frame(side.x, side.y, 10, 10), .amber, .int, shape: .circle)
      if size == .tablet {
        readout(address + "/name", inside.cutBottom(inside.h / 3), characters: 14, largest: size.text)
      }
      caption(letter.uppercased(), inside, .white, largest: size == .tablet ? 34 : 20)
    }
  }

  /// A button that locks all surfaces when pressed, and unlocks them after a press of a second. Its text is the
  /// state.
  private mutating func lock(_ frame: Frame) {
    button(
      "/lock/press", "", frame, Color.red.dimmed(0.7),
      [.send("/lock/press", [.value("x", .int)], on: ["x"])]
        + Panel.repeated("/lock/press", [.constant("0", .int)], "x"))
    var inside = frame.inset(size.padding)
    lamp("/lock", inside.cutTop(14, gap: 4), .amber, .int)
    readout("/lock/text", inside, characters: 8, largest: size == .tablet ? 20 : 12)
  }

  /// Morph, macros and master level, side by side. The sound names the macros.
  private mutating func stageFaders(_ frame: Frame) {
    let addresses = ["/morph/position", "/macro/1", "/macro/2", "/macro/3", "/macro/4", "/master/level"]
    for (address, column) in zip(addresses, frame.columns(addresses.count, gap: size.gap)) {
      guard let row = Table.rows.first(where: { $0.address == address }) else { continue }
      let color: Color = address == "/morph/position" ? .cyan : address == "/master/level" ? .silver : .violet
      var rest = column
      let height = size == .tablet ? 20 : 16
      let name = rest.cutTop(height, gap: 2)
      if address.hasPrefix("/macro") {
        readout(address + "/name", name, .grey, characters: 12, largest: size.text)
      } else {
        caption(address == "/morph/position" ? "MORPH" : "LEVEL", name, .grey, largest: size.text)
      }
      readout(
        address + "/text", rest.cutBottom(height, gap: 2), characters: row.characters, largest: size.text)
      fader(row, address, rest, color, isHorizontal: false)
    }
  }

  /// A script that makes a label's text as large as it fits into a width, within a range of sizes.
  static func shrinkScript(_ sizes: ClosedRange<Int>, width: Int) -> String {
    "function onValueChanged(key)\n  if key == 'text' then\n"
      + "    local _, letters = self.values.text:gsub('[^\\128-\\191]', '')\n"
      + "    self.textSize = math.max(\(sizes.lowerBound), math.min(\(sizes.upperBound), "
      + "math.floor(\(width * 10 / 6) / math.max(letters, 1))))\n  end\nend"
  }
}
