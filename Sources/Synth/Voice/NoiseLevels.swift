/// What moves in a straight line in four voices.
struct QuadRamp {
  var value: Quad
  var step: Quad

  @_noLocks @inline(__always)
  init(value: Quad, step: Quad) { (self.value, self.step) = (value, step) }

  @_noLocks @inline(__always)
  mutating func move() { value += step }

  @_noLocks @inline(__always)
  func scaled(_ factor: Float) -> QuadRamp { QuadRamp(value: value * factor, step: step * factor) }
}

extension Ramp {
  var low: QuadRamp { @_noLocks @inline(__always) get { QuadRamp(value: value.lowHalf, step: step.lowHalf) } }
  var high: QuadRamp {
    @_noLocks @inline(__always) get { QuadRamp(value: value.highHalf, step: step.highHalf) }
  }
}

/// How loud the noise of four voices is, and each of its colours.
struct NoiseLevels {
  var level: QuadRamp
  var brown: QuadRamp
  var pink: QuadRamp
  var white: QuadRamp
  var violet: QuadRamp

  @_noLocks @inline(__always)
  init(level: QuadRamp, brown: QuadRamp, pink: QuadRamp, white: QuadRamp, violet: QuadRamp) {
    (self.level, self.brown, self.pink, self.white, self.violet) = (level, brown, pink, white, violet)
  }

  /// What random words are multiplied by as numbers of ±1.
  static var unit: Float { @_noLocks get { 1 / 2_147_483_648 } }

  /// What the filters leave is multiplied by, so that all colours are as loud as white.
  @_noLocks @inline(__always)
  func scaled(_ filter: NoiseFilter) -> NoiseLevels {
    NoiseLevels(
      level: level.scaled(Self.unit), brown: brown.scaled(filter.brownGain),
      pink: pink.scaled(filter.ratios[3]), white: white, violet: violet.scaled(NoiseFilter.violetGain))
  }

  /// The level within the levels of the dark colours.
  var joined: NoiseLevels {
    @_noLocks @inline(__always) get {
      var joined = self
      joined.brown.value *= level.value
      joined.pink.value *= level.value
      joined.white.value *= level.value
      return joined
    }
  }
}
