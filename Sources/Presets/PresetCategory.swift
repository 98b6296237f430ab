/// The kind of sound of a preset: the eight kinds of the factory bank. The raw value is the word in the text.
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
