/// A colour, each component 0…1.
public struct Color: Equatable, Sendable {
  public let r: Double
  public let g: Double
  public let b: Double
  /// The opacity, 0…1.
  public let a: Double

  public init(_ r: Double, _ g: Double, _ b: Double, _ a: Double = 1) {
    (self.r, self.g, self.b, self.a) = (r, g, b, a)
  }

  /// A darker colour: red, green and blue times `factor`.
  func dimmed(_ factor: Double) -> Color { Color(r * factor, g * factor, b * factor, a) }

  static let white = Color(0.96, 0.97, 0.98)
  static let grey = Color(0.62, 0.65, 0.70)
  static let clear = Color(0, 0, 0, 0)
  /// The background of the whole layout.
  static let background = Color(0.055, 0.06, 0.07)
  /// The background of a section.
  static let panel = Color(0.115, 0.125, 0.145)

  // A colour for each kind of section, on every page; see `KnobSection.color`.
  static let amber = Color(0.98, 0.66, 0.22)
  static let cyan = Color(0.22, 0.76, 0.95)
  static let coral = Color(0.97, 0.45, 0.42)
  static let violet = Color(0.68, 0.55, 0.98)
  static let green = Color(0.42, 0.82, 0.50)
  static let pink = Color(0.95, 0.52, 0.78)
  static let silver = Color(0.70, 0.76, 0.86)
  static let red = Color(0.93, 0.22, 0.20)
}
