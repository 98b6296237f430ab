// State that the control of a group keeps from update to update, in order to skip what has not changed.

/// The stages of a group's envelopes.
struct GroupEnvelopes {
  /// Whether a lane of each envelope may be in its attack, or in another stage that ends by itself.
  var filterAttacks = false
  var amplifierAttacks = false
  var thirdAttacks = false
  /// The version of the curves in use: `SoundParameters.curves`.
  var curves: UInt32 = 0

  @_noLocks init() {}

  /// Checks all stages again, because a lane begins or the curves have changed.
  @_noLocks
  mutating func attack() { (filterAttacks, amplifierAttacks, thirdAttacks) = (true, true, true) }

  /// Merges the state of another group, one of whose lanes moves to this one.
  @_noLocks
  mutating func join(_ other: GroupEnvelopes) {
    filterAttacks = filterAttacks || other.filterAttacks
    amplifierAttacks = amplifierAttacks || other.amplifierAttacks
    thirdAttacks = thirdAttacks || other.thirdAttacks
  }
}

/// The state of a group's filter.
struct GroupFilter {
  /// The version of the knobs in use: `FilterControl.edits`.
  var edits: UInt32 = 0
  /// Whether routes modulate more than its cutoff.
  var moves = false
  /// True while its coefficients are constant.
  var isSettled = false
  /// The features that the knobs ask for, those that they asked for at the last update, and those that run now.
  var wants = FilterNeeds()
  var reached = FilterNeeds()
  var needs = FilterNeeds()
  /// The shares of the characters to aim at.
  var shares = CharacterShares()
  /// Whether the knobs have changed the formants since their last update, and whether their coefficients are constant.
  var isFormantReshaped = false
  var isFormantSettled = false
  /// Whether the knobs have changed the comb since its last update, and whether its coefficients are constant.
  var isCombReshaped = false
  var isCombSettled = false

  @_noLocks init() {}
}

/// The state of a group's oscillators: vectors by oscillator, and bit sets with one bit per oscillator. Vectors of
/// two elements concern oscillators that are rendered directly, which the third never is.
struct GroupOscillators {
  /// Audible waveforms, one bit each, and whether their levels move.
  var audible = SIMD2<UInt8>.zero
  var levelsMoved = SIMD2<UInt8>.zero
  /// Whether a wavetable is audible.
  var hasTables: Bool {
    @_noLocks @inline(__always) get {
      let both = UInt16(Waveform.wavetable.bit) &* 0x0101
      return unsafeBitCast(audible, to: UInt16.self) & both != 0
    }
  }
  /// Whether a lane is so high that its waveforms fade.
  var fades: UInt8 = 0
  /// Whether the pulse width moves, and the value of its knob at the last tick.
  var widthsMove: UInt8 = 0
  var widths = SIMD4<Float>.zero
  /// Whether a route moves the positions of the unison voices.
  var sidesMove: UInt8 = 0

  @_noLocks init() {}
}

/// Features of a group beyond two oscillators that are added and one filter.
struct GroupPaths {
  /// True while the oscillators are rendered separately.
  var interacts = false
  /// True while left and right differ.
  var isStereo = false
  /// True while the sides have separate gains.
  var isPanned = false
  /// True while each lane has its own noise colour.
  var hasColors = false
  var hasSub = false
  var hasNoise = false

  @_noLocks init() {}
}
