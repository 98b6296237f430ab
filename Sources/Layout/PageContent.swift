/// A page of a layout: its controls, or subpages.
struct PageContent: Sendable {
  let title: String
  let color: Color
  private let fill: @Sendable (inout Panel, Frame) -> Void
  private let pages: [PageContent]

  init(_ title: String, _ color: Color, fill: @escaping @Sendable (inout Panel, Frame) -> Void) {
    (self.title, self.color, self.fill, pages) = (title, color, fill, [])
  }

  /// A page with subpages.
  init(_ title: String, _ color: Color, pages: [PageContent]) {
    (self.title, self.color, self.pages) = (title, color, pages)
    fill = { _, _ in }
  }

  /// The pages of a layout, in the order of the tabs.
  static func all(_ size: Size) -> [PageContent] { size == .tablet ? tablet : phone }

  private static var tablet: [PageContent] {
    [
      PageContent(
        "OSCILLATORS", .amber,
        pages: [
          PageContent("OSC 1 AND 2", .amber) { $0.oscillators($1) },
          PageContent("OSC 3", .amber) { $0.thirdOscillator($1) },
        ]),
      PageContent("FILTER", .cyan) { $0.filter($1) },
      PageContent(
        "MODULATION", .violet,
        pages: [
          PageContent("SOURCES", .violet) { $0.modulation($1) },
          PageContent("LFO 3", .violet) { $0.thirdLFO($1) },
        ]),
      PageContent("MATRIX", .violet, pages: matrix),
      PageContent(
        "EFFECTS", .pink,
        pages: [
          PageContent("TONE", .pink) { $0.tone($1) }, PageContent("MOTION", .pink) { $0.motion($1) },
          PageContent("SPACE", .pink) { $0.space($1) },
        ]),
      PageContent("ARP", .coral) { $0.arp($1) },
      PageContent("SEQUENCE", .coral) { $0.sequence($1) },
      PageContent("MASTER", .silver) { $0.master($1) },
      PageContent("MIXER", .silver) { $0.mixer($1) },
      PageContent("PARTS", .silver) { $0.parts($1) },
      PageContent(
        "PRESETS", .amber,
        pages: [
          PageContent("PRESETS", .amber) { $0.presets($1) }, PageContent("NAME", .amber) { $0.typing($1) },
          PageContent("EDIT", .violet) { $0.edit($1) },
          PageContent("MORPH", .cyan) { $0.morph($1) }, PageContent("SETUPS", .green) { $0.setups($1) },
        ]),
      PageContent("PLAY", .green) { $0.play($1) },
      PageContent("SONGS", .green) { $0.songs($1) },
      PageContent("STAGE", .green) { $0.stage($1) },
    ]
  }

  /// The pages of the modulation matrix.
  static let matrix: [PageContent] = Panel.matrixPages.enumerated().map { index, slots in
    PageContent(index == 0 ? "MATRIX" : "MATRIX \(index + 1)", .violet) { $0.matrix(slots, $1) }
  }

  /// A pager with these pages.
  static func pager(_ name: String, _ pages: [PageContent], _ frame: Frame, _ size: Size) -> LayoutNode {
    var pager = LayoutNode(.pager, name, frame, .background)
    pager["tabbarSize"] = .int(size.tabs)
    // The longest name has to fit.
    let longest = pages.map(\.title.count).max() ?? 1
    let text = Panel.textSize(characters: longest, width: frame.w / pages.count - 4, largest: size.text)
    pager["textSizeOff"] = .int(text)
    pager["textSizeOn"] = .int(text)
    pager["background"] = .flag(false)
    let inside = Frame(0, size.tabs, frame.w, frame.h - size.tabs)
    pager.children = pages.map { $0.group(inside, size) }
    return pager
  }

  private func group(_ frame: Frame, _ size: Size) -> LayoutNode {
    var group = LayoutNode(.group, title, frame, .background)
    group["tabLabel"] = .text(title)
    group["tabColorOff"] = .color(.panel)
    group["tabColorOn"] = .color(color.dimmed(0.7))
    group["textColorOff"] = .color(.grey)
    group["textColorOn"] = .color(.white)
    group["background"] = .flag(false)
    let inside = Frame(0, 0, frame.w, frame.h)
    if pages.count > 1 {
      group.children = [PageContent.pager("pages of \(title)", pages, inside, size)]
    } else {
      var panel = Panel(size)
      (pages.first ?? self).fill(&panel, inside.inset(size.margin))
      group.children = panel.nodes
    }
    return group
  }
}

// The pages of a phone. Few tabs of a finger's width fit side by side, so some pages have subpages.

extension PageContent {
  /// The pages of a phone, in the order of the tabs.
  static var phone: [PageContent] {
    [
      PageContent("SOUND", .cyan, pages: [oscillators, unison, third, sources, filter, amplifier, voice]),
      PageContent("MOD", .violet, pages: [envelopes, lfo, lfo2, lfo3, lfoSteps] + matrix),
      PageContent("FX", .pink, pages: effects),
      PageContent("ARP", .coral, pages: [arpeggiator, modes, rhythm, chord, notes, levels, gates, clock]),
      PageContent("MIXER", .silver) { $0.mixer($1) },
      PageContent(
        "BANK", .amber,
        pages: [
          PageContent("PRESETS", .amber) { $0.presets($1) }, PageContent("FIND", .amber) { $0.find($1) },
          PageContent("NAME", .amber) { $0.typing($1) }, PageContent("EDIT", .violet) { $0.edit($1) },
          PageContent("MORPH", .cyan) { $0.morph($1) },
          PageContent("SETUPS", .green) { $0.setups($1) },
          PageContent("SET", .green) { $0.setlist($1) },
        ]),
      PageContent(
        "PLAY", .green,
        pages: [
          PageContent("PLAY", .green) { $0.play($1) }, PageContent("PARTS", .silver) { $0.parts($1) },
          PageContent("SONGS", .green) { $0.songs($1) }, PageContent("CHANNELS", .green) { $0.song($1) },
          master,
        ]),
      PageContent("STAGE", .green) { $0.stage($1) },
    ]
  }

  private static let oscillators = PageContent("OSC", .amber) {
    $0.stack([("/osc/1", .plain), ("/osc/2", .plain)], $1, [1, 1])
  }
  private static let unison = PageContent("UNISON", .amber) {
    $0.stack([("/osc/1", .unison), ("/osc/2", .unison)], $1, [1, 1])
  }
  private static let third = PageContent("OSC 3", .amber) { $0.thirdOscillator($1) }
  private static let sources = PageContent("SUB", .amber) {
    $0.stack([("/sub", .plain), ("/ring", .plain), ("/noise", .plain)], $1, [1, 1, 1])
  }
  private static let filter = PageContent("FILTER", .cyan) { $0.section("/filter", in: $1) }
  private static let amplifier = PageContent("AMP", .coral) {
    $0.stack([("/amp", .envelope), ("/amp", .plain)], $1, [3, 2])
  }
  private static let voice = PageContent("VOICE", .green) {
    $0.stack([("/play", .plain), ("/macro", .plain)], $1, [2, 1])
  }
  private static let envelopes = PageContent("ENV", .cyan) {
    $0.stack([("/filter", .envelope), ("/env/3", .envelope)], $1, [1, 1])
  }
  private static let effects = Panel.rack.map { effect in
    PageContent(effect.tab, .pink) {
      if effect.stems == ["/eq"] { return $0.equalizer($1, rows: 3) }
      $0.stack(effect.stems.map { ($0, .plain) }, $1, effect.weights)
    }
  }
  private static let arpeggiator = PageContent("ARP", .coral) { panel, frame in
    var rest = frame
    panel.latch(rest.cutBottom(Size.finger + 12, gap: panel.size.gap).columns(2, gap: panel.size.gap))
    panel.section("/arp", in: rest)
  }
  private static let modes = PageContent("MODES", .coral) { $0.modes($1) }
  private static let rhythm = PageContent("STEPS", .coral) { $0.rhythm($1) }
  private static let notes = PageContent("SEQ", .coral) { $0.notes($1) }
  private static let levels = PageContent("LEVEL", .coral) { $0.levels($1) }
  private static let gates = PageContent("GATE", .coral) { $0.gates($1) }
  private static let clock = PageContent("CLOCK", .silver) { panel, frame in
    var rest = frame
    panel.transport(rest.cutTop(frame.h * 2 / 5, gap: panel.size.gap))
    panel.section("/click", in: rest)
  }
  private static let chord = PageContent("CHORD", .coral) {
    $0.stack([("/chord", .plain), ("/sequence", .plain)], $1, [2, 1])
  }
  private static let master = PageContent("MAIN", .silver) { $0.master($1) }
  private static let lfo = PageContent("LFO", .violet) { $0.section("/lfo/1", in: $1) }
  private static let lfo3 = PageContent("LFO 3", .violet) { $0.section("/lfo/3", in: $1) }
  private static let lfoSteps = PageContent("STEPS", .violet) { $0.lfoSteps($1) }
  private static let lfo2 = PageContent("LFO 2", .violet) { panel, frame in
    var rest = frame
    let cells = rest.cutBottom(frame.h / 3, gap: panel.size.gap).columns(2, gap: panel.size.gap)
    panel.section("/lfo/2", in: rest)
    panel.section("/env/3", in: cells[0])
    panel.section("/tempo", in: cells[1])
  }
}
