/// The tuning that a player has chosen for a part, by the names of files without their endings.
public struct TuningChoice: Hashable, Sendable {
  /// The scale: the name of an `.scl` file, or `equal`.
  public var scale: String
  /// The mapping of the keys: the name of a `.kbm` file, or `auto` for the one that has the scale's name, or else every
  /// key a degree from middle C on.
  public var map: String

  /// Twelve equal steps, unless something else is said.
  public init(scale: String = equal, map: String = auto) { (self.scale, self.map) = (scale, map) }

  /// The name of the scale of twelve equal steps.
  public static let equal = "equal"
  /// The name of the mapping that goes with the scale.
  public static let auto = "auto"

  /// Whether a name can be kept in a line of a session.
  public static func isName(_ name: some StringProtocol) -> Bool {
    !name.isEmpty && name.utf8.count <= 255 && name.first != " " && name.last != " "
      && !name.unicodeScalars.contains { $0.value < 32 || $0.value == 127 || $0 == "\u{FFFD}" || $0 == "/" }
  }
}
