import Parameters

// The controls of knobs, each with its name and its value in its unit.

extension Panel {
  /// A section: its background, its title and a control for each of its rows.
  mutating func section(_ section: KnobSection, in frame: Frame) {
    background("section \(section.title)", frame)
    var inside = frame.inset(size.padding)
    caption(
      section.title, inside.cutTop(size.title + 6, gap: 4), section.color, largest: size.title, align: 1)
    let faders = section.rows.filter { !$0.isRadio && !$0.isGrid && !$0.isToggle }
    let radios = section.rows.filter(\.isRadio)
    for line in lines(of: radios, width: inside.w) {
      self.radios(line, areNamed: radios.count > 1, in: &inside, section.color)
    }
    let grids = section.rows.filter(\.isGrid)
    if !grids.isEmpty {
      var line = inside.cutTop(Size.finger, gap: size.gap)
      line.w = min(line.w, grids.count * 2 * Panel.widest)
      let cells = line.columns(grids.count, gap: size.gap)
      for (row, cell) in zip(grids, cells) { choice(row, row.address, cell, section.color) }
    }
    let toggles = section.rows.filter(\.isToggle)
    if !toggles.isEmpty {
      var line = inside.cutTop(Size.finger, gap: size.gap)
      line.w = min(line.w, toggles.count * Panel.widest)
      let cells = line.columns(max(toggles.count, 2), gap: size.gap)
      for (row, cell) in zip(toggles, cells) { toggle(row, row.address, cell, section.color) }
    }
    if section.stem == "/tempo" {
      trigger("/tempo/tap", "TAP", inside.cutBottom(Size.finger, gap: size.gap), section.color.dimmed(0.8))
    }
    if faders.isEmpty { return }
    if let pad = EqualizerPad(section) {
      let cell =
        inside.w > inside.h
        ? inside.cutLeft(inside.w * 3 / 5, gap: size.gap * 2)
        : inside.cutTop(inside.h / 2, gap: size.gap)
      self.pad(pad, cell, section.color)
    }
    self.faders(faders, in: inside, section.color)
  }

  /// The largest useful width of a button.
  private static let widest = 150

  /// Choices in one line, with the name of the knob above if it is ambiguous.
  private mutating func radios(
    _ rows: [Parameter], areNamed: Bool, in frame: inout Frame, _ color: Color
  ) {
    let choices = rows.map { Double($0.choices.count) }
    func cells(_ line: Frame) -> [Frame] {
      var line = line
      line.w = min(line.w, Int(choices.reduce(0, +)) * Panel.widest)
      return line.columns(choices, gap: size.gap)
    }
    if areNamed {
      for (row, cell) in zip(rows, cells(frame.cutTop(14, gap: 1))) {
        caption(row.caption, cell, largest: 11, align: 1)
      }
    }
    for (row, cell) in zip(rows, cells(frame.cutTop(Size.finger, gap: size.gap))) {
      radio(row.address, row.radioWords, cell, color)
    }
  }

  /// Choices in lines, several in one line if the words fit.
  private func lines(of rows: [Parameter], width: Int) -> [[Parameter]] {
    var lines: [[Parameter]] = []
    var widthLeft = 0
    for row in rows {
      let needed = row.choices.count * (Size.finger + size.gap) + size.gap
      if needed > widthLeft {
        lines.append([])
        widthLeft = width + size.gap
      }
      lines[lines.count - 1].append(row)
      widthLeft -= needed
    }
    return lines
  }

  /// Vertical faders side by side, in as many lines as needed for a finger's width each.
  private mutating func faders(_ rows: [Parameter], in frame: Frame, _ color: Color) {
    let fitting = max(1, (frame.w + size.gap) / (Size.finger + size.gap))
    let lines = (rows.count + fitting - 1) / fitting
    let perLine = (rows.count + lines - 1) / lines
    let ranges = (0..<lines).map { $0 * perLine..<min(($0 + 1) * perLine, rows.count) }
    // The line of the main fader is twice as high.
    let heights = ranges.map { rows[$0].contains(where: \.isMain) ? 2.0 : 1 }
    for (range, line) in zip(ranges, frame.rows(heights, gap: size.gap)) {
      let rows = Array(rows[range])
      let columns = line.columns(rows.map(\.weight), gap: size.gap)
      // One text size for the line, that of the longest text; only the main fader's is larger.
      let common = TextSizes(zip(rows, columns).filter { !$0.0.isMain }, size)
      for (row, column) in zip(rows, columns) {
        verticalFader(
          row, row.address, column, color, row.isMain ? .main(size) : common,
          textHeight: rows.contains(where: \.isMain) ? 34 : nil)
      }
    }
  }

  /// A vertical fader, its name above and its value below.
  mutating func verticalFader(
    _ row: Parameter, _ address: String, _ frame: Frame, _ color: Color, _ sizes: TextSizes,
    textHeight: Int? = nil
  ) {
    var rest = frame
    let height = textHeight ?? size.text * 3 / 2
    let head = rest.cutTop(height, gap: 3)
    if row.stem == "/macro" {
      // The preset names it.
      readout(address + "/name", head, characters: 10, largest: size.text)
    } else {
      caption(row.caption, head, row.isMain ? color : .grey, largest: sizes.caption)
    }
    let value = rest.cutBottom(height, gap: 2)
    fader(row, address, rest, color, isHorizontal: false)
    readout(address + "/text", value, characters: row.characters, largest: sizes.value)
  }

  /// A horizontal fader, its name and its value above it; or the field of a choice with many names.
  mutating func horizontalFader(_ row: Parameter, _ address: String, _ frame: Frame, _ color: Color) {
    if row.isGrid { return choice(row, address, frame, color) }
    var rest = frame
    let line = rest.cutTop(frame.h - Size.finger)
    fader(row, address, rest, color, isHorizontal: true)
    if line.w < 100 {
      // Both do not fit, and the unit of the value identifies the knob.
      readout(address + "/text", line, characters: row.characters, largest: size.text)
    } else {
      let halves = line.columns([4, 5], gap: 2)
      let largest = min(size.text, line.h * 3 / 4)
      caption(row.caption, halves[0], .grey, largest: largest, align: 1)
      readout(address + "/text", halves[1], characters: row.characters, largest: largest, align: 3)
    }
  }

  /// A button for an on/off knob.
  mutating func toggle(_ row: Parameter, _ address: String, _ frame: Frame, _ color: Color) {
    button(
      address, row.caption, frame, color.dimmed(0.8), [.both(address, .value("x", .float))], type: 2)
  }

  /// Two knobs as one XY control.
  private mutating func pad(_ pad: EqualizerPad, _ frame: Frame, _ color: Color) {
    var node = LayoutNode(.xy, pad.x.address + " and " + pad.y.leaf, frame, color)
    node.messages = [
      .both(pad.x.address, .value("x", .float)), .both(pad.y.address, .value("y", .float)),
    ]
    node.values["x"] = .float(Double(pad.x.kind.fader(value: pad.x.initial)))
    node.values["y"] = .float(Double(pad.y.kind.fader(value: pad.y.initial)))
    add(node)
    var rest = frame.inset(8)
    let line = rest.cutBottom(20)
    caption(pad.x.caption, line, .grey, align: 3)
    caption(pad.y.caption, rest.cutTop(20), .grey, align: 1)
  }
}

/// The text sizes of a fader's name and value.
struct TextSizes {
  let caption: Int
  let value: Int

  /// The largest sizes at which the texts of all these faders fit.
  init(_ columns: [(Parameter, Frame)], _ size: Size) {
    caption =
      columns.map { Panel.textSize(characters: $0.0.caption.count, width: $0.1.w, largest: size.text) }.min()
      ?? size.text
    value =
      columns.map {
        Panel.textSize(characters: $0.0.characters, width: $0.1.w, largest: size.text, tenths: 6)
      }.min() ?? size.text
  }

  private init(caption: Int, value: Int) { (self.caption, self.value) = (caption, value) }

  /// The text sizes of the main fader of a section.
  static func main(_ size: Size) -> TextSizes {
    TextSizes(caption: size.text * 5 / 3, value: size.text * 5 / 3)
  }
}

/// The frequency and gain of an equalizer, as one point on a plane.
private struct EqualizerPad {
  let x: Parameter
  let y: Parameter

  /// The pair of a section; nil if it has none, or it does not fit.
  init?(_ section: KnobSection) {
    guard section.page == .master, let x = section.rows.first(where: { $0.leaf == "frequency" }),
      let y = section.rows.first(where: { $0.leaf == "gain" })
    else { return nil }
    (self.x, self.y) = (x, y)
  }
}
