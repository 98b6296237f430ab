/// The tuning chosen for a part: the names of a scale and a mapping, without file extensions.
public struct TuningChoice: Hashable, Sendable {
  /// The scale: the name of an `.scl` file, or `equal`.
  public var scale: String
  /// The mapping: the name of a `.kbm` file, or `auto` for the one with the scale's name, or else one degree per key
  /// from middle C.
  public var map: String

  /// A choice, by default equal temperament.
  public init(scale: String = equal, map: String = auto) { (self.scale, self.map) = (scale, map) }

  /// The name of the scale of twelve equal steps.
  public static let equal = "equal"
  /// The name of the mapping that goes with the scale.
  public static let auto = "auto"

  /// Whether a name can be stored in a line of a session.
  public static func isName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && name.first != " " && name.last != " "
      && !name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" || $0 == "/" }
  }
}
