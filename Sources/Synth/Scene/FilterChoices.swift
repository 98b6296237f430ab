// The choices of the filter, in the order of their values.

/// How the filter is built. A new character comes last, because tablets know choices by their numbers.
public enum FilterCharacter: Int, CaseIterable, Sendable {
  /// Two state-variable sections, which keep their pass-band at any resonance.
  case clean
  /// Four one-poles in a loop, which lose some of their pass-band to the resonance.
  case ladder

  /// The character for a knob's value.
  @_noLocks
  static func at(_ choice: Float) -> FilterCharacter { choice < 0.5 ? .clean : .ladder }

  /// The share of the ladder in the sound, 0 or 1.
  var ladder: Float {
    @_noLocks get {
      switch self {
      case .clean: 0
      case .ladder: 1
      }
    }
  }
}
