// The modulation targets of one oscillator, by its index: 0, 1 or 2.

extension ModulationTarget {
  @_noLocks @inline(__always)
  static func pitch(of oscillator: Int) -> ModulationTarget { one(of: oscillator, .pitch1, .pitch2, .pitch3) }

  @_noLocks @inline(__always)
  static func width(of oscillator: Int) -> ModulationTarget { one(of: oscillator, .width1, .width2, .width3) }

  @_noLocks @inline(__always)
  static func level(of oscillator: Int) -> ModulationTarget { one(of: oscillator, .level1, .level2, .level3) }

  @_noLocks @inline(__always)
  static func feedback(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .feedback1, .feedback2, .feedback3)
  }

  @_noLocks @inline(__always)
  static func detune(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .detune1, .detune2, .detune3)
  }

  @_noLocks @inline(__always)
  static func spread(of oscillator: Int) -> ModulationTarget {
    one(of: oscillator, .spread1, .spread2, .spread3)
  }

  @_noLocks @inline(__always)
  static func blend(of oscillator: Int) -> ModulationTarget { one(of: oscillator, .blend1, .blend2, .blend3) }

  @_noLocks @inline(__always)
  static func drift(of oscillator: Int) -> ModulationTarget { one(of: oscillator, .drift1, .drift2, .drift3) }

  /// The targets that set the position and loudness of an oscillator's unison voices.
  @_noLocks @inline(__always)
  static func ofSides(_ oscillator: Int) -> ModulationTargets {
    spread(of: oscillator).bit | blend(of: oscillator).bit
  }

  @_noLocks @inline(__always)
  private static func one(
    of oscillator: Int, _ first: ModulationTarget, _ second: ModulationTarget, _ third: ModulationTarget
  ) -> ModulationTarget { oscillator == 0 ? first : oscillator == 1 ? second : third }
}
