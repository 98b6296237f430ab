/// What kind of sound a preset is: the eight of the factory's bank. The raw value is the word that its line says.
public enum PresetCategory: String, CaseIterable, Sendable {
  case basses, leads, pads, keys
  /// Plucks, mallets, drums.
  case plucks
  /// Organs and winds.
  case organs
  /// Strings and brass.
  case strings
  /// Motion and effects.
  case motion
}
