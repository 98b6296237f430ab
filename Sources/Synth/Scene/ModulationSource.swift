/// What can move a voice, in the order of the choices `/mod/1/source` and `/mod/1/scale`. A group keeps one vector for
/// each. All reach from 0 or -1 to 1, so that an amount means the same with each of them.
public enum ModulationSource: String, CaseIterable, Sendable {
  /// Nothing; as a scale, a factor of 1.
  case off
  /// 1.
  case constant
  case ampEnvelope = "amp-envelope"
  case filterEnvelope = "filter-envelope"
  case envelope3 = "envelope-3"
  /// -1…1, as the other LFO.
  case lfo = "lfo-1"
  case lfo2 = "lfo-2"
  case velocity
  /// How fast the key was let go; 0 until then.
  case release
  /// In octaves from middle C; to a slot, five of them are 1.
  case key
  /// Another for each note, -1…1.
  case random
  /// 1 and -1 in turn, from note to note of a part.
  case alternate
  case macro1 = "macro-1"
  case macro2 = "macro-2"
  // From here on, what the player moves; it is smoothed.
  case wheel
  /// -1…1.
  case bend
  case pressure
  case keyPressure = "key-pressure"
  case timbre
  case expression
  case breath
  case pedal
  // From here on no choices.
  /// The modulation wheel or the pressure of a channel, whichever is more: what vibrato follows. Not the pressure of a finger
  /// that has a channel of its own, since that never rests.
  case touch
  /// The bend of wheels that bend as far as the patch has it.
  case patchBend

  /// The names of the choice.
  public static var names: [String] { allCases.dropLast(unnamed).map(\.rawValue) }

  /// Its place among the sources.
  // As `ModulationTarget.index`.
  @inline(__always)
  var index: Int { @_noLocks get { Int(unsafeBitCast(self, to: UInt8.self)) } }

  static var count: Int { @_noLocks get { ModulationSource.patchBend.index + 1 } }

  /// How many of them, the last, are no choices.
  private static var unnamed: Int { @_noLocks get { 2 } }

  /// The first of those that the player moves, which are the last.
  static var firstPlayed: Int { @_noLocks get { ModulationSource.wheel.index } }

  /// How many the player moves.
  static var played: Int { @_noLocks get { count - firstPlayed } }

  /// What brings a source to the range of ±1.
  @_noLocks
  static func unit(_ index: Int) -> Float { index == ModulationSource.key.index ? 0.2 : 1 }

  /// The random number of a note, by its order among all; -1…1.
  @_noLocks
  static func random(_ order: UInt64) -> Float {
    noise(mixed(LaneWords(repeating: UInt32(truncatingIfNeeded: order))))[0]
  }

  /// The index that a knob's value means.
  @_noLocks
  static func index(_ choice: Float) -> Int {
    choice > 0 ? min(Int(min(choice, 255)), count - 1 - unnamed) : 0
  }
}
