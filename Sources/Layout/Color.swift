/// A colour, each part 0…1.
public struct Color: Equatable, Sendable {
  /// Red.
  public let r: Double
  /// Green.
  public let g: Double
  /// Blue.
  public let b: Double
  /// How much it covers.
  public let a: Double

  /// A colour as given.
  public init(_ r: Double, _ g: Double, _ b: Double, _ a: Double = 1) {
    (self.r, self.g, self.b, self.a) = (r, g, b, a)
  }

  /// The same, covering less.
  func faded(_ a: Double) -> Color { Color(r, g, b, a) }

  /// The same in the dark.
  func dimmed(_ by: Double) -> Color { Color(r * by, g * by, b * by, a) }

  static let white = Color(0.96, 0.97, 0.98)
  static let grey = Color(0.62, 0.65, 0.70)
  static let none = Color(0, 0, 0, 0)
  /// Behind everything.
  static let ground = Color(0.055, 0.06, 0.07)
  /// Behind a section.
  static let panel = Color(0.115, 0.125, 0.145)

  // One for each kind of thing, wherever it appears.
  static let amber = Color(0.98, 0.66, 0.22)
  static let cyan = Color(0.22, 0.76, 0.95)
  static let coral = Color(0.97, 0.45, 0.42)
  static let violet = Color(0.68, 0.55, 0.98)
  static let green = Color(0.42, 0.82, 0.50)
  static let pink = Color(0.95, 0.52, 0.78)
  static let silver = Color(0.70, 0.76, 0.86)
  static let red = Color(0.93, 0.22, 0.20)
}
