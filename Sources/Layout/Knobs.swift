import Parameters

// The controls of rows, each with its name and its value in its unit.

extension Panel {
  /// A section: its plate, its title and a control for each of its rows.
  mutating func section(_ section: Section, in frame: Frame) {
    plate("section \(section.title)", frame)
    var inside = frame.inset(size.padding)
    caption(
      section.title, inside.cutTop(size.title + 6, gap: 4), section.color, most: size.title, align: 1)
    let faders = section.rows.filter { !$0.isRadio && !$0.isToggle }
    for row in section.rows where row.isRadio {
      radio(
        row.address, row.names.map { $0.uppercased() }, inside.cutTop(Size.finger, gap: size.gap),
        section.color)
    }
    let toggles = section.rows.filter(\.isToggle)
    if !toggles.isEmpty {
      let places = inside.cutTop(Size.finger, gap: size.gap).columns(max(toggles.count, 2), gap: size.gap)
      for (row, place) in zip(toggles, places) { toggle(row, row.address, place, section.color) }
    }
    if faders.isEmpty { return }
    if let pad = Pad(section) {
      let place =
        inside.w > inside.h
        ? inside.cutLeft(inside.w * 3 / 5, gap: size.gap * 2)
        : inside.cutTop(inside.h / 2, gap: size.gap)
      self.pad(pad, place, section.color)
    }
    self.faders(faders, in: inside, section.color)
  }

  /// Upright faders side by side, in as many lines as fingers need.
  private mutating func faders(_ rows: [Row], in frame: Frame, _ color: Color) {
    let fitting = max(1, (frame.w + size.gap) / (Size.finger + size.gap))
    let lines = (rows.count + fitting - 1) / fitting
    let perLine = (rows.count + lines - 1) / lines
    for (line, place) in frame.rows(lines, gap: size.gap).enumerated() {
      let here = Array(rows[(line * perLine)..<min((line + 1) * perLine, rows.count)])
      let columns = place.columns(here.map(\.weight), gap: size.gap)
      // Side by side, all words are as large as the longest can be; only the main one is larger.
      let lettering = Lettering(zip(here, columns).filter { !$0.0.isMain }, size)
      for (row, column) in zip(here, columns) {
        let own = row.isMain ? Lettering(main: column.w, size) : lettering
        upright(row, row.address, column, color, own, band: here.contains(where: \.isMain) ? 34 : nil)
      }
    }
  }

  /// An upright fader, its name above and its value below, each in a band so high.
  mutating func upright(
    _ row: Row, _ address: String, _ frame: Frame, _ color: Color, _ lettering: Lettering, band: Int? = nil
  ) {
    var rest = frame
    let band = band ?? size.text * 3 / 2
    caption(
      row.caption, rest.cutTop(band, gap: 3), row.isMain ? color : .grey, most: lettering.caption)
    let value = rest.cutBottom(band, gap: 2)
    fader(row, address, rest, color, isAcross: false)
    readout(address + "/text", value, letters: row.letters, most: lettering.value)
  }

  /// A lying fader, its name and its value above it.
  mutating func lying(_ row: Row, _ address: String, _ frame: Frame, _ color: Color) {
    var rest = frame
    let line = rest.cutTop(frame.h - Size.finger)
    fader(row, address, rest, color, isAcross: true)
    if line.w < 100 {
      // No room for two words, and a value says what it is of.
      readout(address + "/text", line, letters: row.letters, most: size.text)
    } else {
      let halves = line.columns([5, 4], gap: 2)
      caption(row.caption, halves[0], .grey, most: 12, align: 1)
      readout(address + "/text", halves[1], letters: row.letters, most: 12, align: 3)
    }
  }

  /// Something that is on or off.
  mutating func toggle(_ row: Row, _ address: String, _ frame: Frame, _ color: Color) {
    button(
      address, row.caption, frame, color.dimmed(0.8), [.both(address, .value("x", .float))], type: 2)
  }

  /// Two knobs under one finger.
  private mutating func pad(_ pad: Pad, _ frame: Frame, _ color: Color) {
    var node = Node(.xy, pad.x.address + " and " + pad.y.leaf, frame, color)
    node.messages = [
      .both(pad.x.address, .value("x", .float)), .both(pad.y.address, .value("y", .float)),
    ]
    node.values["x"] = .float(Double(pad.x.kind.fader(value: pad.x.initial)))
    node.values["y"] = .float(Double(pad.y.kind.fader(value: pad.y.initial)))
    add(node)
    var words = frame.inset(8)
    let line = words.cutBottom(20)
    caption(pad.x.caption, line, .grey, align: 3)
    caption(pad.y.caption, words.cutTop(20), .grey, align: 1)
  }
}

/// How large names and values are.
struct Lettering {
  let caption: Int
  let value: Int

  /// As large as fits all these.
  init(_ columns: [(Row, Frame)], _ size: Size) {
    caption =
      columns.map { Panel.size(letters: $0.0.caption.count, width: $0.1.w, most: size.text) }.min()
      ?? size.text
    value =
      columns.map { Panel.size(letters: $0.0.letters, width: $0.1.w, most: size.text, tenths: 6) }.min()
      ?? size.text
  }

  /// For the one that is looked for first.
  init(main width: Int, _ size: Size) {
    (caption, value) = (size.text * 5 / 3, size.text * 5 / 3)
  }
}

/// A section whose frequency and gain are one point on a plane, as of an equalizer.
private struct Pad {
  let x: Row
  let y: Row

  init?(_ section: Section) {
    guard let x = section.rows.first(where: { $0.leaf == "frequency" }),
      let y = section.rows.first(where: { $0.leaf == "gain" })
    else { return nil }
    (self.x, self.y) = (x, y)
  }
}

extension Row {
  /// The names of a choice; none for others.
  var names: [String] {
    if case .choice(let names) = kind { return names }
    return []
  }

  /// A choice of so few that all can be seen.
  var isRadio: Bool { !names.isEmpty && names.count <= 8 }

  /// On or off.
  var isToggle: Bool {
    if case .toggle = kind { return true }
    return false
  }
}
