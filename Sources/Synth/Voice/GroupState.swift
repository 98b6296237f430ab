// What the control of a group keeps from update to update, so that what does not change is left out.

/// How far the envelopes of a group are.
struct GroupEnvelopes {
  /// Whether a lane of an envelope may be in its attack, or in another stage that ends by itself.
  var filterAttacks = false
  var amplifierAttacks = false
  var thirdAttacks = false
  /// Of which curves they are made: `SoundParameters.curves`.
  var curves: UInt32 = 0

  @_noLocks init() {}

  /// A lane begins, or all curves are others.
  @_noLocks
  mutating func attack() { (filterAttacks, amplifierAttacks, thirdAttacks) = (true, true, true) }

  /// A lane comes from another group.
  @_noLocks
  mutating func join(_ other: GroupEnvelopes) {
    filterAttacks = filterAttacks || other.filterAttacks
    amplifierAttacks = amplifierAttacks || other.amplifierAttacks
    thirdAttacks = thirdAttacks || other.thirdAttacks
  }
}

/// What the filter of a group is made of.
struct GroupFilter {
  /// `FilterControl.edits` of which it is made.
  var edits: UInt32 = 0
  /// Whether routes move it besides its cutoff.
  var moves = false
  /// True while it stands still.
  var rests = false
  /// What its knobs ask for, and what it has to do on its way there.
  var wants = FilterNeeds()
  var reached = FilterNeeds()
  var needs = FilterNeeds()

  @_noLocks init() {}
}

/// What the oscillators of a group are made of: vectors by oscillator, and bits with one for each.
struct GroupOscillators {
  /// The waveforms that are heard, one bit each, and whether their levels move.
  var heard = SIMD2<UInt8>.zero
  var levelsMoved = SIMD2<UInt8>.zero
  /// Whether a lane is so high that its waveforms fade.
  var fades: UInt8 = 0
  /// Whether the width of the pulse moves, and what its knob was at the last tick.
  var widthsMove: UInt8 = 0
  var widths = SIMD2<Float>.zero
  /// Whether a route moves the places of the unison's voices.
  var sidesMove: UInt8 = 0

  @_noLocks init() {}
}

/// What a group makes beyond two oscillators that are added and one filter.
struct GroupPaths {
  /// True while the oscillators are made by themselves.
  var interacts = false
  /// True while left and right differ.
  var isStereo = false
  /// True while the sides have factors of their own.
  var isPanned = false
  /// True while each lane has its own colour of noise.
  var hasColors = false
  var hasSub = false
  var hasNoise = false

  @_noLocks init() {}
}
