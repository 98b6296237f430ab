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
