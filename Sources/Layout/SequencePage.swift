import Parameters

// The page of the sequence: sixteen of its steps, and the buttons that record it.

extension Panel {
  /// The page of a tablet: a column for each step, with all of its values.
  mutating func sequence(_ frame: Frame) {
    var rest = frame
    head(rest.cutTop(84, gap: size.gap))
    background("section SEQUENCE", rest)
    let inside = rest.inset(size.padding)
    let rows = SequenceRow.all(height: inside.h, gap: 4)
    var left = inside
    let words = left.cutLeft(78, gap: 6)
    for row in rows where !row.words.isEmpty {
      caption(row.words, row.cell(words), .grey, largest: 13, align: 1)
    }
    for (index, column) in left.columns(16, gap: 4).enumerated() {
      for row in rows { step(index + 1, row.part, row.cell(column)) }
    }
  }

  /// The choices of the whole sequence, and the buttons that record it.
  private mutating func head(_ frame: Frame) {
    background("section RECORD", frame)
    let cells = frame.inset(size.padding).columns([4, 5, 3.5, 3], gap: size.gap * 2)
    pages(cells[0])
    record(cells[1])
    for row in KnobSection.named("/sequence")?.rows ?? [] {
      if row.isRadio {
        var cell = cells[2]
        caption(row.caption, cell.cutTop(18, gap: 2), .grey, align: 1)
        radio(row.address, row.choices.map { $0.uppercased() }, cell, .coral)
      } else {
        horizontalFader(row, row.address, cells[3], .coral)
      }
    }
  }

  /// The pages of sixteen steps; on a tablet with a heading.
  private mutating func pages(_ frame: Frame) {
    var rest = frame
    if size == .tablet { caption("STEPS", rest.cutTop(18, gap: 2), .grey, align: 1) }
    radio("/sequence/page", ["1-16", "17-32", "33-48", "49-64"], rest, .coral, first: 1)
  }

  private mutating func record(_ frame: Frame) {
    let cells = frame.columns(4, gap: size.gap)
    let switched = ControlMessage.both("/sequence/record", .value("x", .int, low: 0, high: 1))
    button("/sequence/record", "RECORD", cells[0], .red, [switched], type: 2, largest: size.title)
    trigger("/sequence/rest", "REST", cells[1], Color.coral.dimmed(0.8), largest: size.title)
    trigger("/sequence/tie", "TIE", cells[2], Color.coral.dimmed(0.8), largest: size.title)
    trigger("/sequence/clear", "CLEAR", cells[3], Color.silver.dimmed(0.6), largest: size.title)
  }

  // MARK: - A step

  /// One control or text of the step in a slot.
  private mutating func step(_ slot: Int, _ part: SequenceRow.Part, _ frame: Frame) {
    let stem = "/sequence/slot/\(slot)"
    switch part {
    case .number:
      var cell = frame
      lamp(stem + "/at", cell.cutBottom(8, gap: 2), .amber, .int)
      caption("\(slot)", cell, .grey, largest: size.title)
    case .text: readout(stem + "/text", frame, characters: 4, largest: size.title + 2)
    case .up: trigger(stem + "/up", "+", frame, Color.coral.dimmed(0.5), largest: 22)
    case .down: trigger(stem + "/down", "-", frame, Color.coral.dimmed(0.5), largest: 22)
    case .note: fader(stem + "/note", -24...24, frame, .coral)
    case .velocity: fader(stem + "/velocity", 0...127, frame, .amber)
    case .gate: fader(stem + "/gate", 2...200, frame, .green)
    case .strokes: fader(stem + "/strokes", 0...4, frame, .violet)
    }
  }

  /// A fader of whole numbers without captions, upright unless its frame is wide.
  private mutating func fader(_ address: String, _ range: ClosedRange<Int>, _ frame: Frame, _ color: Color) {
    var fader = LayoutNode(.fader, address, frame, color)
    fader["orientation"] = .int(frame.w > frame.h * 5 / 4 ? 1 : 0)
    if range.lowerBound == -range.upperBound { fader["centered"] = .flag(true) }
    if range.count <= 5 {
      fader["grid"] = .flag(true)
      fader["gridSteps"] = .int(range.count - 1)
    }
    let (low, high) = (Double(range.lowerBound), Double(range.upperBound))
    fader.messages = [.both(address, .value("x", .int, low: low, high: high))]
    add(fader)
  }

  // MARK: - The pages of a phone

  /// The notes of sixteen steps, and the buttons that record them.
  mutating func notes(_ frame: Frame) {
    var rest = frame
    record(rest.cutTop(Size.finger, gap: size.gap))
    steps(rest) { panel, slot, cell in
      var cell = cell
      panel.step(slot, .down, cell.cutLeft(Size.finger, gap: 2))
      panel.step(slot, .up, cell.cutRight(Size.finger, gap: 2))
      panel.step(slot, .text, cell)
    }
  }

  /// The velocities of sixteen steps.
  mutating func levels(_ frame: Frame) {
    steps(frame) { panel, slot, cell in panel.step(slot, .velocity, cell) }
  }

  /// The gates and the strokes of sixteen steps.
  mutating func gates(_ frame: Frame) {
    steps(frame) { panel, slot, cell in
      let halves = cell.columns(2, gap: 4)
      panel.step(slot, .gate, halves[0])
      panel.step(slot, .strokes, halves[1])
    }
  }

  /// Two columns of eight steps below the pages, each with its number and its lamp.
  private mutating func steps(_ frame: Frame, _ fill: (inout Panel, Int, Frame) -> Void) {
    var rest = frame
    pages(rest.cutTop(Size.finger, gap: size.gap))
    for (column, cells) in rest.columns(2, gap: size.gap).enumerated() {
      for (row, cell) in cells.rows(8, gap: 4).enumerated() {
        var cell = cell
        let slot = column * 8 + row + 1
        step(slot, .number, cell.cutLeft(22, gap: 4))
        fill(&self, slot, cell)
      }
    }
  }
}

/// A row of the page of a tablet: one control or text of each step.
private struct SequenceRow {
  enum Part: CaseIterable { case number, text, up, note, down, velocity, gate, strokes }

  let part: Part
  /// The label before the row; empty for none.
  let words: String
  private let y: Int
  private let height: Int

  func cell(_ column: Frame) -> Frame { Frame(column.x, column.y + y, column.w, height) }

  /// All rows, in a total height; the faders share the height that the other rows leave.
  static func all(height: Int, gap: Int) -> [SequenceRow] {
    let fixed: [Part: Int] = [.number: 30, .text: 24, .up: Size.finger, .down: Size.finger]
    let shares: [Part: Int] = [.note: 9, .velocity: 8, .gate: 5, .strokes: 6]
    let words: [Part: String] = [
      .text: "NOTE", .velocity: "VELOCITY", .gate: "GATE", .strokes: "TIE, 1-4",
    ]
    let left = height - fixed.values.reduce(0, +) - gap * (Part.allCases.count - 1)
    var (rows, y) = ([SequenceRow](), 0)
    for part in Part.allCases {
      let height = fixed[part] ?? left * (shares[part] ?? 0) / shares.values.reduce(0, +)
      rows.append(SequenceRow(part: part, words: words[part] ?? "", y: y, height: height))
      y += height + gap
    }
    return rows
  }
}
