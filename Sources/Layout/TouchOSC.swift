/// Makes the layout for TouchOSC, in which each knob of the table has a control, and each control an address that
/// pipit answers. The same table makes the same file, bit for bit.
public enum TouchOSC {
  /// The bytes of a `.tosc` file.
  public static func file(_ root: LayoutNode) -> [UInt8] { Zlib.stream(Array(XML(root).text.utf8)) }

  /// The whole layout: the status strip, and a pager with the pages below it. CONNECT subscribes `replyPort`, the UDP
  /// port that the tablet receives on.
  public static func root(_ size: Size, replyPort: Int) -> LayoutNode {
    var root = LayoutNode(.group, "pipit", size.frame, .background)
    root["outline"] = .flag(false)
    var rest = size.frame
    var strip = Panel(size)
    strip.status(rest.cutTop(size.strip), replyPort: replyPort)
    var pager = LayoutNode(.pager, "pages", rest, .background)
    pager["tabbarSize"] = .int(size.tabs)
    pager["textSizeOff"] = .int(size.text)
    pager["textSizeOn"] = .int(size.text)
    pager["background"] = .flag(false)
    pager.children = pages(size).map { page in
      let frame = Frame(0, size.tabs, rest.w, rest.h - size.tabs)
      var panel = Panel(size)
      page.fill(&panel, Frame(0, 0, frame.w, frame.h).inset(size.margin))
      var group = LayoutNode(.group, page.title, frame, .background)
      group["tabLabel"] = .text(page.title)
      group["tabColorOff"] = .color(.panel)
      group["tabColorOn"] = .color(page.color.dimmed(0.7))
      group["textColorOff"] = .color(.grey)
      group["textColorOn"] = .color(.white)
      group["background"] = .flag(false)
      group.children = panel.nodes
      return group
    }
    root.children = strip.nodes + [pager]
    return root
  }

  private struct PageContent {
    let title: String
    let color: Color
    let fill: (inout Panel, Frame) -> Void
  }

  private static func pages(_ size: Size) -> [PageContent] {
    let sound: [PageContent] =
      size == .tablet
      ? [
        PageContent(title: "SOUND", color: .cyan) { $0.sound($1) },
        PageContent(title: "OSCILLATORS", color: .amber) { $0.oscillators($1) },
      ]
      : [
        PageContent(title: "OSC", color: .amber) {
          $0.stack([("/osc/1", false), ("/osc/2", false)], $1, [1, 1])
        },
        PageContent(title: "UNI", color: .amber) {
          $0.grid(KnobSection.of(.oscillators).filter(\.isDetail), $1)
        },
        PageContent(title: "SUB", color: .amber) { $0.sources($1) },
        PageContent(title: "FILTER", color: .cyan) {
          $0.stack([("/filter", false), ("/filter", true)], $1, [3, 2])
        },
        PageContent(title: "AMP", color: .coral) {
          $0.stack([("/amp", true), ("/amp", false)], $1, [1, 1])
        },
        PageContent(title: "LFO", color: .violet) {
          $0.stack([("/lfo", false), ("/play", false)], $1, [1, 1])
        },
      ]
    return sound + effects(size) + [
      PageContent(title: size == .tablet ? "MODULATION" : "MOD", color: .violet) { $0.modulation($1) },
      PageContent(title: size == .tablet ? "MATRIX" : "MTX", color: .violet) { $0.matrix($1) },
      PageContent(title: size == .tablet ? "MIXER" : "MIX", color: .silver) { $0.mixer($1) },
      PageContent(title: size == .tablet ? "PRESETS" : "BANK", color: .amber) { $0.presets($1) },
      PageContent(title: "PLAY", color: .green) { $0.play($1) },
    ]
  }

  /// The effects' sections, on as many pages as they need.
  private static func effects(_ size: Size) -> [PageContent] {
    let sections = KnobSection.of(.effects)
    let perPage = size == .tablet ? 4 : 2
    return stride(from: 0, to: sections.count, by: perPage).map { start in
      let here = Array(sections[start..<min(start + perPage, sections.count)])
      let number = start == 0 ? "" : " \(start / perPage + 1)"
      return PageContent(title: (size == .tablet ? "EFFECTS" : "FX") + number, color: .pink) {
        $0.grid(here, $1)
      }
    }
  }
}
