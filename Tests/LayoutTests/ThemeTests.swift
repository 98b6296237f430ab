import Glibc
import Testing

@testable import Layout

/// The colours of both themes: every word can be read, in daylight and by those who see no red or green.
struct ThemeTests {
  private struct Placed {
    let node: LayoutNode
    let frame: Frame
  }

  /// The controls of a group with frames of the whole layout, in the order in which they are drawn. Of a pager, whose
  /// pages lie on one another, only the pager itself.
  private func placed(_ node: LayoutNode, x: Int = 0, y: Int = 0) -> [Placed] {
    let frame = Frame(x + node.frame.x, y + node.frame.y, node.frame.w, node.frame.h)
    return [Placed(node: node, frame: frame)]
      + (node.type == .pager ? [] : node.children).flatMap { placed($0, x: frame.x, y: frame.y) }
  }

  private func color(_ node: LayoutNode, _ property: String = "color") -> Color? {
    guard case .color(let color)? = node.properties[property] else { return nil }
    return color
  }

  @Test(
    "Each word contrasts with what is below it, at least 3 to 1", arguments: Size.allCases, Theme.allCases)
  func readable(size: Size, theme: Theme) throws {
    let root = TouchOSC.root(size, theme, replyPort: 9_000)
    var checked = 0
    for page in root.all where page.children.contains(where: { $0.type == .label }) {
      let children = placed(page)
      for (index, one) in children.enumerated() where one.node.type == .label {
        let text = try #require(color(one.node, "textColor"))
        for (ground, name) in grounds(of: one, children[..<index], root) {
          #expect(text.contrast(ground) >= 3, "\(one.node.name) on \(name)")
        }
        checked += 1
      }
    }
    #expect(checked > 200)
  }

  /// What may be seen behind a label: a box or, of a button, its dark shade while it is not lit, or else its outline over
  /// what is behind it and its fill. Buttons that are lit only while a finger covers them count unlit.
  private func grounds(
    of label: Placed, _ before: ArraySlice<Placed>, _ root: LayoutNode
  ) -> [(Color, String)] {
    let below = before.reversed().filter { other in
      [.box, .button].contains(other.node.type) && other.frame.contains(label.frame)
    }
    var found: [(Color, String)] = []
    for one in below {
      guard let color = color(one.node) else { continue }
      if one.node.type == .box { return found + [(color, one.node.name)] }
      if one.node.properties["background"] == .flag(true) {
        return found + [(color.dimmed(ThemeTests.unlit), one.node.name)]
      }
      found.append((color, one.node.name))
    }
    return found + [(color(root) ?? .background, "the background")]
  }

  /// The shade of what is not lit, as `Tests/Tablet/drawing.py` draws it.
  private static let unlit = 0.32

  @Test("Both themes have the same controls; piano keys stay white and black")
  func same() {
    let (dark, light) = (
      TouchOSC.root(.tablet, .dark, replyPort: 9_000).all,
      TouchOSC.root(.tablet, .light, replyPort: 9_000).all
    )
    #expect(dark.map(\.name) == light.map(\.name) && dark.map(\.frame) == light.map(\.frame))
    for (one, other) in zip(dark, light) where one.name.hasPrefix("/note/") {
      #expect(one.properties == other.properties)
    }
    #expect(color(dark[0])!.luminance < 0.05 && color(light[0])!.luminance > 0.8)
  }

  @Test("A colour becomes Oklab and comes back")
  func oklab() {
    for color in [Color.amber, .cyan, .red, .white, .background, Color(0, 0, 1), Color(0, 1, 0)] {
      let lab = OklabColor(color)
      let back = lab.with(lightness: lab.lightness, 1)
      for (one, other) in [(back.r, color.r), (back.g, color.g), (back.b, color.b)] {
        #expect(abs(one - other) < 1e-4)
      }
    }
    #expect(abs(OklabColor(Color(1, 1, 1)).lightness - 1) < 1e-4)
    // Ottosson's page has pure green at 0.8664.
    #expect(abs(OklabColor(Color(0, 1, 0)).lightness - 0.8664) < 1e-3)
  }
}

extension Frame {
  fileprivate func contains(_ other: Frame) -> Bool {
    x <= other.x && y <= other.y && other.x + other.w <= x + w && other.y + other.h <= y + h
  }
}
