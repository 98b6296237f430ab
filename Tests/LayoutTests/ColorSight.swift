import Glibc

@testable import Layout

extension Color {
  /// The luminance, 0…1: WCAG 2.1.
  var luminance: Double {
    0.2126 * Color.linear(r) + 0.7152 * Color.linear(g) + 0.0722 * Color.linear(b)
  }

  /// The contrast with another colour, 1…21: WCAG 2.1.
  func contrast(_ other: Color) -> Double {
    (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
  }

  /// The colour as an eye without green cones sees it. Method: G. M. Machado, M. M. Oliveira, L. A. F. Fernandes, "A
  /// physiologically-based model for simulation of color vision deficiency", 2009.
  var asDeuteranopeSees: Color {
    let (r, g, b) = (Color.linear(r), Color.linear(g), Color.linear(b))
    return Color(
      Color.encoded(0.367322 * r + 0.860646 * g - 0.227968 * b),
      Color.encoded(0.280085 * r + 0.672501 * g + 0.047413 * b),
      Color.encoded(-0.011820 * r + 0.042940 * g + 0.968881 * b), a)
  }

  private static func linear(_ x: Double) -> Double {
    x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
  }

  private static func encoded(_ x: Double) -> Double {
    let x = max(0, min(x, 1))
    return x <= 0.0031308 ? 12.92 * x : 1.055 * pow(x, 1 / 2.4) - 0.055
  }
}
