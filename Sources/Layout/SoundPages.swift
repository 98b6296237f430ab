import Parameters
import Scenes

// The knobs of the part in focus on a tablet, in the order of the signal path.

extension Panel {
  /// The first two oscillators side by side, each above its unison, and beside them the other sound sources.
  mutating func oscillators(_ frame: Frame) {
    let columns = frame.columns([8, 8, 5], gap: size.gap)
    stack([("/osc/1", .plain), ("/osc/1", .unison)], columns[0], [1, 1])
    stack([("/osc/2", .plain), ("/osc/2", .unison)], columns[1], [1, 1])
    let rows = columns[2].rows(2, gap: size.gap)
    section("/sub", in: rows[0])
    let cells = rows[1].columns([2, 3], gap: size.gap)
    section("/ring", in: cells[0])
    section("/noise", in: cells[1])
  }

  /// The third oscillator above its unison.
  mutating func thirdOscillator(_ frame: Frame) {
    stack([("/osc/3", .plain), ("/osc/3", .unison)], frame, [1, 1])
  }

  /// The filter above, the largest, and the envelopes side by side below it.
  mutating func filter(_ frame: Frame) {
    var top = frame
    let envelopes = top.cutBottom(frame.h * 9 / 20, gap: size.gap).columns(2, gap: size.gap)
    section("/amp", in: top.cutRight(180, gap: size.gap))
    section("/filter", in: top)
    section("/filter", .envelope, in: envelopes[0])
    section("/amp", .envelope, in: envelopes[1])
  }

  /// The modulation sources: the LFOs above, the third envelope and the tempo below.
  mutating func modulation(_ frame: Frame) {
    let rows = frame.rows([11, 9], gap: size.gap)
    let lfos = rows[0].columns([9, 6], gap: size.gap)
    section("/lfo/1", in: lfos[0])
    section("/lfo/2", in: lfos[1])
    let cells = rows[1].columns([2, 12, 2], gap: size.gap)
    section("/env/3", in: cells[0])
    section("/env/3", .envelope, in: cells[1])
    section("/tempo", in: cells[2])
  }

  /// The third LFO, and below it the steps of LFOs.
  mutating func thirdLFO(_ frame: Frame) {
    let rows = frame.rows([9, 11], gap: size.gap)
    section("/lfo/3", in: rows[0])
    lfoSteps(rows[1])
  }

  mutating func lfoSteps(_ frame: Frame) {
    guard let steps = KnobSection.named("/lfo-steps") else { return }
    if size == .phone { lines(of: steps, in: frame) } else { section(steps, in: frame) }
  }

  /// The pages of a part's effects on a phone: the stems of their addresses, their shares of the height, and the tab,
  /// which has room for five letters.
  static let rack: [EffectPage] =
    listed
    + unlisted.map { stem -> EffectPage in
      (stems: [stem], weights: [1], tab: stem.dropFirst().prefix(5).uppercased())
    }

  /// A page of effects on a phone.
  typealias EffectPage = (stems: [String], weights: [Double], tab: String)

  private static let listed: [EffectPage] = [
    (["/drive", "/rack"], [5, 1], "DRIVE"), (["/eq"], [1], "EQ"), (["/compressor"], [1], "COMP"),
    (["/phaser"], [1], "PHA"), (["/flanger", "/chorus"], [1, 1], "FL CH"), (["/rotary"], [1], "ROT"),
    (["/delay"], [1], "DELAY"), (["/reverb"], [1], "REV"),
  ]

  /// The effects that are not listed: on the phone the last tabs, on the tablet after the reverb.
  private static let unlisted: [String] = KnobSection.of(.effects).map(\.stem).filter { stem in
    !listed.contains { $0.stems.contains { stem == $0 || stem.hasPrefix($0 + "/") } }
  }

  /// The effects that colour the sound, and the order of all effects. The equalizer, which has the most knobs, is
  /// below the others.
  mutating func tone(_ frame: Frame) {
    let rows = frame.rows([11, 9], gap: size.gap)
    effects([("/drive", 8), ("/compressor", 13), ("/rack", 5)], in: rows[0])
    equalizer(rows[1], rows: 1)
  }

  /// The effects that move the sound, in the order of the signal path.
  mutating func motion(_ frame: Frame) {
    let rows = frame.rows(2, gap: size.gap)
    effects([("/phaser", 7), ("/flanger", 6)], in: rows[0])
    effects([("/chorus", 5), ("/rotary", 7)], in: rows[1])
  }

  /// The effects that place the sound in a room.
  mutating func space(_ frame: Frame) {
    let listed: [(stem: String, weight: Double)] = [("/delay", 9), ("/reverb", 7)]
    effects(listed + Panel.unlisted.map { (stem: $0, weight: 5.0) }, in: frame)
  }

  /// Effects side by side, with their shares of the width.
  private mutating func effects(_ effects: [(stem: String, weight: Double)], in frame: Frame) {
    for (effect, cell) in zip(effects, frame.columns(effects.map(\.weight), gap: size.gap)) {
      section(effect.stem, in: cell)
    }
  }

  /// The five bands of a part's equalizer, after its switch.
  mutating func equalizer(_ frame: Frame, rows: Int) {
    let bands = ["/eq", "/eq/low", "/eq/1", "/eq/2", "/eq/3", "/eq/high"]
    let perRow = bands.count / rows
    for (row, line) in frame.rows(rows, gap: size.gap).enumerated() {
      let stems = bands[row * perRow..<(row + 1) * perRow]
      let weights = stems.map { $0.hasSuffix("/eq") ? 2.0 : $0.last?.isNumber ?? false ? 3 : 2.2 }
      for (stem, cell) in zip(stems, line.columns(weights, gap: size.gap)) { section(stem, in: cell) }
    }
  }

  /// Sections one below the other.
  mutating func stack(
    _ sections: [(stem: String, kind: KnobSection.Kind)], _ frame: Frame, _ weights: [Double]
  ) {
    for (section, cell) in zip(sections, frame.rows(weights, gap: size.gap)) {
      self.section(section.stem, section.kind, in: cell)
    }
  }

  /// Adds the section of a kind whose addresses begin with `stem`, if there is one.
  mutating func section(_ stem: String, _ kind: KnobSection.Kind = .plain, in frame: Frame) {
    if let section = KnobSection.named(stem, kind) { self.section(section, in: frame) }
  }
}

// The page of snapshots and of the morph between two of them.

extension Panel {
  /// The letters A to H with STORE, and the knobs of the morph with KEEP.
  mutating func morph(_ frame: Frame) {
    var rest = frame
    notice(&rest)
    let isWide = size == .tablet
    let cells =
      isWide
      ? rest.cutTop(100, gap: size.gap).columns(8, gap: size.gap)
      : rest.cutTop(2 * Size.finger + size.gap, gap: size.gap).rows(2, gap: size.gap)
        .flatMap { $0.columns(4, gap: size.gap) }
    letters(cells)
    let commands = rest.cutTop(isWide ? 64 : Size.finger, gap: size.gap).columns(2, gap: size.gap)
    trigger("/snapshot/store", "STORE, THEN A LETTER", commands[0], Color.green.dimmed(0.75))
    var inside = commands[0].inset(6)
    lamp("/snapshot/store/armed", inside.cutBottom(5), .amber, .int)
    trigger("/morph/keep", "KEEP THE SOUND BETWEEN", commands[1], Color.violet.dimmed(0.7))
    section("/morph", in: rest)
  }
}

extension Panel {
  /// The slots of the matrix on each page: eight, so that each line has a finger's height.
  static let matrixPages: [Range<Int>] = stride(from: 1, to: Limits.slots, by: 8).map { $0..<$0 + 8 }

  /// Slots of the modulation matrix: a line for each, with its number, source, amount, target and scale.
  mutating func matrix(_ slots: Range<Int>, _ frame: Frame) {
    let sections = slots.compactMap { KnobSection.named("/mod/\($0)") }
    let isWide = size == .tablet
    for (section, line) in zip(sections, frame.rows(sections.count, gap: isWide ? 6 : 2)) {
      background("section \(section.title)", line)
      var cells = line.inset(isWide ? 6 : 2)
      let number = String(section.stem.split(separator: "/").last ?? "")
      caption(number, cells.cutLeft(isWide ? 30 : 16, gap: 4), section.color, largest: size.title)
      let rows = MatrixColumn.allCases.compactMap { column in
        section.rows.first { $0.leaf == column.rawValue }
      }
      let weights = rows.map { $0.leaf == "amount" ? 1.4 : 1 }
      for (row, cell) in zip(rows, cells.columns(weights, gap: isWide ? size.gap : 3)) {
        horizontalFader(row, row.address, cell, section.color)
      }
    }
  }

  /// The columns: source, amount, target, scale.
  private enum MatrixColumn: String, CaseIterable { case source, amount, target, scale }
}
