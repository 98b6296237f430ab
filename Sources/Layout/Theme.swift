import Glibc

/// The colours of a layout: dark for a stage, light for daylight.
public enum Theme: String, CaseIterable, Sendable {
  case dark
  case light

  /// Converts a layout from dark colours to those of the theme. Piano keys stay white and black.
  ///
  /// TouchOSC draws unlit areas in a dark shade of a control's colour, on which dark text cannot be read: controls of
  /// the light theme have an outline instead.
  func colored(_ node: LayoutNode) -> LayoutNode {
    if self == .dark { return node }
    var node = node
    node.children = node.children.map(colored)
    if node.keepsColors { return node }
    for (key, property) in node.properties {
      guard case .color(let color) = property else { continue }
      // A lamp that is lit must differ from the light ground as much as a word does.
      node[key] = .color(key.hasPrefix("textColor") || node.isLamp ? color.asDarkText : color.asLightFill)
    }
    if [.button, .radio, .fader, .xy].contains(node.type), node["visible"] == .flag(true) {
      node["background"] = .flag(false)
      node["outline"] = .flag(true)
    }
    return node
  }
}

extension LayoutNode {
  /// Whether it is a lamp: a button that does not respond to touches.
  fileprivate var isLamp: Bool { type == .button && self["interactive"] == .flag(false) }
}

extension Color {
  /// The colour of text on a light background: bright colours become dark. Coloured text keeps its hue.
  fileprivate var asDarkText: Color {
    let lab = OklabColor(self)
    return lab.with(lightness: lab.isGrey ? 1.12 - lab.lightness : 0.45, a)
  }

  /// The colour of an area behind dark text: dark greys become light, and other colours become tints, stronger for
  /// brighter colours.
  fileprivate var asLightFill: Color {
    let lab = OklabColor(self)
    return lab.with(lightness: lab.isGrey ? 1.14 - lab.lightness : 0.98 - 0.36 * lab.lightness, a)
  }
}

/// A colour in Oklab, in which equal steps of lightness look equal. Method: B. Ottosson, "A perceptual color space for
/// image processing", 2020.
struct OklabColor {
  /// From black, 0, to white, 1.
  let lightness: Double
  private let a: Double
  private let b: Double

  init(_ color: Color) {
    let (r, g, b) = (OklabColor.linear(color.r), OklabColor.linear(color.g), OklabColor.linear(color.b))
    let l = root(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = root(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = root(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    lightness = 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
    a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    self.b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
  }

  /// Whether it has next to no hue.
  var isGrey: Bool { a * a + b * b < 0.02 * 0.02 }

  /// The colour of this hue with another lightness, 0…1, and an opacity.
  func with(lightness: Double, _ opacity: Double) -> Color {
    let lightness = max(0, min(lightness, 1))
    let l = cube(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cube(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cube(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return Color(
      OklabColor.encoded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
      OklabColor.encoded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
      OklabColor.encoded(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s), opacity)
  }

  private static func linear(_ x: Double) -> Double {
    x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ x: Double) -> Double {
    let x = max(0, min(x, 1))
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
  }
}

private func root(_ x: Double) -> Double { cbrt(x) }
private func cube(_ x: Double) -> Double { x * x * x }
