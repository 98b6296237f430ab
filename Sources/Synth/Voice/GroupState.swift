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

/// The update of a group that is being rendered: its frames, the frames of them that have passed, and its lanes.
struct GroupUpdate {
  let planned: Int32
  let passed: Int32
  /// Lanes that carry a voice, and those of them that have started since the last update.
  let used: UInt8
  let started: UInt8

  @_noLocks @inline(__always)
  init(planned: Int32, passed: Int32, used: UInt8, started: UInt8) {
    (self.planned, self.passed, self.used, self.started) = (planned, passed, used, started)
  }

  /// The share of it that has passed; 1 before the first.
  var elapsed: Float { @_noLocks @inline(__always) get { planned > 0 ? Float(passed) / Float(planned) : 1 } }

  /// The position of the next `frames` in it.
  @_noLocks @inline(__always)
  func part(_ frames: Int) -> BlockPart { BlockPart(Int(planned), from: Int(passed), frames: frames) }
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
  /// True while each lane has its own noise colour.
  var hasColors = false
  var hasSub = false
  var hasNoise = false

  @_noLocks init() {}
}
