import Testing

@testable import Layout

/// The page for the stage as an eye without green cones sees it, and from two metres.
struct StageSightTests {
  private func stage(_ size: Size, _ theme: Theme = .dark) throws -> [LayoutNode] {
    let pages = TouchOSC.root(size, theme, replyPort: 9_000).all
    return try #require(pages.first { page in page.children.contains { $0.name == "/lock/press" } }).children
  }

  private func color(_ node: LayoutNode) throws -> Color {
    guard case .color(let color)? = node.properties["color"] else { throw NoColor() }
    return color
  }

  private struct NoColor: Error {}

  private func isInside(_ node: LayoutNode, _ other: LayoutNode) -> Bool {
    let (a, b) = (node.frame, other.frame)
    return b.x <= a.x && b.y <= a.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h
  }

  @Test(
    "A lamp that is lit differs from one that is not by 3 to 1 in luminance, whatever hue an eye sees",
    arguments: Size.allCases, Theme.allCases)
  func lamps(size: Size, theme: Theme) throws {
    let nodes = try stage(size, theme)
    let lamps = nodes.filter { $0.type == .button && $0.properties["interactive"] == .flag(false) }
    #expect(lamps.count == 17)
    for lamp in lamps {
      let lit = try color(lamp).asDeuteranopeSees
      // In light colours an unlit lamp is an outline, and what is seen in it is the ground.
      let ground = theme == .dark ? try color(lamp).dimmed(0.32) : Color.background.inLight
      #expect(lit.contrast(ground.asDeuteranopeSees) >= 3, "\(lamp.name)")
    }
  }

  @Test("Lamps of one letter differ in shape; buttons differ in their words", arguments: Size.allCases)
  func shapes(size: Size) throws {
    let nodes = try stage(size)
    func node(_ name: String) throws -> LayoutNode { try #require(nodes.first { $0.name == name }) }
    let (current, filled) = (try node("/snapshot/a/current"), try node("/snapshot/a/filled"))
    #expect(current["shape"] != filled["shape"] && current.frame.w > 3 * filled.frame.w)
    let buttons = nodes.filter { $0.type == .button && $0.isInteractive }
    let words = buttons.map { button in
      nodes.filter { $0.type == .label && isInside($0, button) }.map { label in
        guard case .text(let text)? = label.values["text"], !text.isEmpty else { return label.name }
        return text
      }.joined(separator: " ")
    }
    #expect(buttons.count == 12 && Set(words).count == words.count && !words.contains(""), "\(words)")
  }

  /// The distance from which the title can be read, metres: capitals must be as high as its two hundredth (FAA Human
  /// Factors Design Standard), and are 0.73 of the text size.
  private func distance(_ units: Int, _ size: Size, width: Double) -> Double {
    Double(units) * width / Double(size.frame.w) * 0.73 * 200 / 1_000
  }

  @Test(
    "The title is read from two metres on tablets of 10 and 13 inches, and from an arm's length and more on a phone"
  )
  func title() throws {
    // The width of the screen in millimetres, the letters of a title, and the distance that is asked for.
    let cases: [(Size, Double, Int, Double)] = [
      (.tablet, 226, 17, 2.4), (.tablet, 226, 22, 2.0), (.tablet, 226, 29, 1.5), (.tablet, 280, 22, 2.4),
      (.tablet, 280, 29, 1.8), (.phone, 65, 10, 1.4), (.phone, 65, 20, 0.7),
    ]
    for (size, width, letters, asked) in cases {
      let title = try #require(try stage(size).first { $0.name == "/set/title" })
      guard case .text(let script)? = title.properties["script"] else {
        Issue.record("the title does not shrink")
        continue
      }
      // As the script reckons.
      let range = size == .tablet ? 58...96 : 28...58
      #expect(script.contains("math.max(\(range.lowerBound), math.min(\(range.upperBound), "))
      let fitting = title.frame.w * 10 / 6 / letters
      #expect(fitting >= range.lowerBound, "\(letters) letters are cut off")
      let seen = distance(max(range.lowerBound, min(range.upperBound, fitting)), size, width: width)
      #expect(seen >= asked, "\(size) of \(width) mm, \(letters) letters: \(seen) m")
    }
  }
}

extension Color {
  /// The colour as it is in the light theme.
  fileprivate var inLight: Color {
    var node = LayoutNode(.box, "", Frame(0, 0, 1, 1), self)
    node = Theme.light.colored(node)
    if case .color(let color)? = node.properties["color"] { return color }
    return self
  }
}
