// The choices of the filter, in the order of their values.

/// The character of the filter. A new character comes last, because tablets know choices by their numbers.
public enum FilterCharacter: Int, CaseIterable, Sendable {
  /// Two state-variable sections, which keep their pass-band at any resonance.
  case clean
  /// Four one-poles in a loop, which lose some of their pass-band to the resonance.
  case ladder
  /// Four band-passes at the peaks of a vowel.
  case formant
  /// A delay line with feedback.
  case comb

  /// The character for a knob's value.
  @_noLocks @inlinable
  public static func at(_ choice: Float) -> FilterCharacter {
    choice < 0.5 ? .clean : choice < 1.5 ? .ladder : choice < 2.5 ? .formant : .comb
  }

  /// The shares of the characters in the sound for this choice, which follow those of the modes: elements 5 to 7 are
  /// the ladder, the formants and the comb.
  public var shares: SIMD8<Float> {
    @_noLocks @inlinable get {
      switch self {
      case .clean: .zero
      case .ladder: SIMD8(0, 0, 0, 0, 0, 1, 0, 0)
      case .formant: SIMD8(0, 0, 0, 0, 0, 0, 1, 0)
      case .comb: SIMD8(0, 0, 0, 0, 0, 0, 0, 1)
      }
    }
  }
}
