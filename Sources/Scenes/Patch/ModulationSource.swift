/// The modulation sources. A group keeps one vector for each. All range from 0 or -1 to 1, so that an amount means
/// the same with each of them. The choices of `/mod/1/source` and `/mod/1/scale` have the same order, except that
/// later sources come last, so that the number of a choice never changes. There are 32 sources at most, because
/// `ModulationRoutes.read` has a bit for each.
public enum ModulationSource: String, CaseIterable, Sendable {
  /// No source; as a scale, a factor of 1.
  case off
  /// The constant 1.
  case constant
  case ampEnvelope = "amp-envelope"
  case filterEnvelope = "filter-envelope"
  case envelope3 = "envelope-3"
  /// -1…1, as `lfo2`.
  case lfo = "lfo-1"
  case lfo2 = "lfo-2"
  case velocity
  /// Release velocity; 0 until the key is released.
  case release
  /// The key in octaves from middle C; in a slot, five octaves are 1.
  case key
  /// A random number for each note, -1…1.
  case random
  /// 1 and -1 in turn, from note to note of a part.
  case alternate
  case macro1 = "macro-1"
  case macro2 = "macro-2"
  case macro3 = "macro-3"
  case macro4 = "macro-4"
  /// -1…1.
  case lfo3 = "lfo-3"
  // The sources from here on are the player's controllers, 16 at most; they are smoothed.
  case wheel
  /// -1…1.
  case bend
  case pressure
  case keyPressure = "key-pressure"
  case timbre
  case expression
  case breath
  case pedal
  // The sources from here on are assignable: knobs can learn them as well. A new one follows here, as the last choice.
  case foot

  // The sources from here on are not choices.
  /// The modulation wheel or the channel pressure, whichever is greater: it controls the vibrato. The pressure of a
  /// finger with a separate MPE channel is excluded, because it never rests.
  case touch
  /// The bend of pitch wheels whose range is the patch's.
  case patchBend
  /// How the voice differs from others in tune, cutoff and envelope times, -1…1 (`VoiceCard`).
  case cardTune, cardCutoff, cardSpeed

  /// The names of the choices.
  public static var names: [String] {
    (0..<count - unnamed).map { allCases[index(Float($0))].rawValue }
  }

  /// The number of sources.
  public static var count: Int { @_noLocks @inlinable get { ModulationSource.cardSpeed.index + 1 } }

  /// The number of sources at the end that are not choices.
  private static var unnamed: Int { @_noLocks get { 5 } }

  /// The sources from `macro3` to before `firstPlayed`, by the first and their number: as choices they follow the pedal.
  private static var later: (first: Int, count: Int) {
    @_noLocks get { (ModulationSource.macro3.index, firstPlayed - ModulationSource.macro3.index) }
  }

  /// The assignable controllers, from `foot` to before `touch`, by the first and their number, four at most.
  public static var assignable: (first: Int, count: Int) {
    @_noLocks @inlinable get {
      (ModulationSource.foot.index, ModulationSource.touch.index - ModulationSource.foot.index)
    }
  }

  /// The assignable source that a MIDI controller moves, by its number.
  public static func moved(by controller: UInt8) -> ModulationSource? {
    switch controller {
    case 4: .foot
    default: nil
    }
  }

  /// The index of the first source that is a controller of the player; the others follow it.
  public static var firstPlayed: Int { @_noLocks get { ModulationSource.wheel.index } }

  /// The number of sources that are controllers of the player.
  public static var playedCount: Int { @_noLocks get { ModulationSource.patchBend.index + 1 - firstPlayed } }

  /// The factor that scales a source to ±1.
  @_noLocks
  public static func normalizingFactor(_ index: Int) -> Float {
    index == ModulationSource.key.index ? 0.2 : 1
  }

  /// The source index for a knob's value.
  @_noLocks
  public static func index(_ choice: Float) -> Int {
    if !(choice > 0) { return 0 }
    let number = min(Int(min(choice, 255)), count - 1 - unnamed)
    // The last choices, after the later sources, are the controllers that follow the pedal.
    if number < later.first || number > ModulationSource.pedal.index { return number }
    let moved = number + later.count
    return moved <= ModulationSource.pedal.index
      ? moved : moved - ModulationSource.pedal.index - 1 + later.first
  }
}
