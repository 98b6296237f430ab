/// The front panel on a tablet: a TouchOSC layout in which each knob of the table has its control, and each
/// control an address that pipit answers. The same table makes the same file, bit for bit.
public enum TouchOSC {
  /// The file, as TouchOSC imports it.
  public static func file(_ root: Node) -> [UInt8] { Zlib.stream(Array(XML(root).text.utf8)) }

  /// The whole of it: a strip that is always there, and pages below.
  /// - Parameter replyPort: Where the tablet listens.
  public static func root(_ size: Size, replyPort: Int) -> Node {
    var root = Node(.group, "pipit", size.frame, .ground)
    root["outline"] = .flag(false)
    var rest = size.frame
    var strip = Panel(size)
    strip.status(rest.cutTop(size.strip), replyPort: replyPort)
    var pager = Node(.pager, "pages", rest, .ground)
    pager["tabbarSize"] = .int(size.tabs)
    pager["textSizeOff"] = .int(size.text)
    pager["textSizeOn"] = .int(size.text)
    pager["background"] = .flag(false)
    pager.children = pages(size).map { page in
      let frame = Frame(0, size.tabs, rest.w, rest.h - size.tabs)
      var panel = Panel(size)
      page.fill(&panel, Frame(0, 0, frame.w, frame.h).inset(size.margin))
      var group = Node(.group, page.title, frame, .ground)
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

  private struct Page {
    let title: String
    let color: Color
    let fill: (inout Panel, Frame) -> Void
  }

  private static func pages(_ size: Size) -> [Page] {
    let sound: [Page] =
      size == .tablet
      ? [Page(title: "SOUND", color: .cyan) { $0.sound($1) }]
      : [
        Page(title: "OSC", color: .amber) { $0.stack([("/osc/1", false), ("/osc/2", false)], $1, [1, 1]) },
        Page(title: "FILTER", color: .cyan) {
          $0.stack([("/filter", false), ("/filter", true)], $1, [3, 2])
        },
        Page(title: "AMP", color: .coral) { $0.stack([("/amp", true), ("/amp", false)], $1, [1, 1]) },
        Page(title: "LFO", color: .violet) { $0.stack([("/lfo", false), ("/play", false)], $1, [5, 3]) },
      ]
    return sound + effects(size) + [
      Page(title: size == .tablet ? "MIXER" : "MIX", color: .silver) { $0.mixer($1) },
      Page(title: size == .tablet ? "PRESETS" : "BANK", color: .amber) { $0.presets($1) },
      Page(title: "PLAY", color: .green) { $0.play($1) },
    ]
  }

  /// As many pages as the sections need.
  private static func effects(_ size: Size) -> [Page] {
    let sections = Section.of(.effects)
    let most = size == .tablet ? 4 : 2
    return stride(from: 0, to: sections.count, by: most).map { start in
      let here = Array(sections[start..<min(start + most, sections.count)])
      let number = start == 0 ? "" : " \(start / most + 1)"
      return Page(title: (size == .tablet ? "EFFECTS" : "FX") + number, color: .pink) { $0.grid(here, $1) }
    }
  }
}
