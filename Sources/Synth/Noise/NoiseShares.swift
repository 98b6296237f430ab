import CRealtime

/// Amplitude of each colour of noise: the root of its share of the power.
struct NoiseMix {
  var brown: Float = 0
  var pink: Float = 0
  var white: Float = 1
  var violet: Float = 0

  /// The mix for a colour: -1 brown, -0.5 pink, 0 white, 1 violet; between them an equal-power fade.
  @_noLocks
  init(color: Float) {
    if color == 0 { return }
    if color > 0 {
      (white, violet) = (rt_sqrt(1 - color), rt_sqrt(color))
    } else if color > -0.5 {
      let share = -2 * color
      (white, pink) = (rt_sqrt(1 - share), rt_sqrt(share))
    } else {
      let share = min(-2 * color - 1, 1)
      (white, pink, brown) = (0, rt_sqrt(1 - share), rt_sqrt(share))
    }
  }
}

/// Ramps of the amplitudes of the noise colours, in each of eight lanes.
struct NoiseShares {
  private var brown = Ramp()
  private var pink = Ramp()
  private var white = Ramp()
  private var violet = Ramp()
  // The goals of the last `aim`.
  private var color = Lanes(repeating: 2)

  /// The colours to render, and whether they move.
  struct AudibleColors {
    /// True when a share or the level moves.
    let moves: Bool
    let isDark: Bool
    let isBright: Bool
    /// True when white or brown is audible in addition to pink.
    let isMixed: Bool

    @_noLocks @inline(__always)
    init(_ shares: NoiseShares, _ level: Ramp) {
      let steps = bits(shares.brown.step) | bits(shares.pink.step) | bits(shares.white.step)
      let isLouder = magnitude(level.step) .> Lanes(repeating: NoiseShares.still)
      moves = isAny((steps | bits(shares.violet.step)) &<< 1) || isAny(isLouder)
      let hasBrown = shares.brown.isAny
      isDark = hasBrown || shares.pink.isAny
      isBright = shares.violet.isAny
      isMixed = hasBrown || shares.white.isAny
    }
  }

  /// Steps up to this are rounding errors of an earlier ramp: -120 dB a tick.
  private static var still: Float { @_noLocks get { 6e-8 } }

  @_noLocks @inline(__always)
  func low(_ level: Ramp) -> NoiseLevels {
    NoiseLevels(
      level: level.low, brown: brown.low, pink: pink.low, white: white.low, violet: violet.low)
  }

  @_noLocks @inline(__always)
  func high(_ level: Ramp) -> NoiseLevels {
    NoiseLevels(
      level: level.high, brown: brown.high, pink: pink.high, white: white.high, violet: violet.high)
  }

  /// Advances by `frames` frames.
  @_noLocks @inline(__always)
  mutating func pass(frames: Int) {
    brown.pass(frames: frames)
    pink.pass(frames: frames)
    white.pass(frames: frames)
    violet.pass(frames: frames)
  }

  /// Sets one mix for all lanes.
  @_noLocks
  mutating func rest(at mix: NoiseMix) {
    brown.rest(at: Lanes(repeating: mix.brown))
    pink.rest(at: Lanes(repeating: mix.pink))
    white.rest(at: Lanes(repeating: mix.white))
    violet.rest(at: Lanes(repeating: mix.violet))
    color = Lanes(repeating: 2)
  }

  /// Aims at a colour for each lane; lanes that start get it at once.
  @_noLocks
  mutating func aim(atColor goal: Lanes, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float) {
    let steps = bits(brown.step) | bits(pink.step) | bits(white.step) | bits(violet.step)
    if !isAny((goal .!= color) .| starting), !isAny(steps &<< 1) { return }
    color = goal
    let one = Lanes(repeating: 1)
    let bright = smaller(larger(goal, Lanes.zero), one)
    let dark = smaller(larger(-2 * goal, Lanes.zero), one)
    let darkest = smaller(larger(-2 * goal - 1, Lanes.zero), one)
    Self.aim(&brown, darkest, starting, perFrame)
    Self.aim(&pink, dark - darkest, starting, perFrame)
    Self.aim(&white, (one - bright) * (one - dark), starting, perFrame)
    Self.aim(&violet, bright, starting, perFrame)
  }

  /// Aims at the root of a share of the power, which may be 0. A lane that has almost reached its goal stays there.
  @_noLocks @inline(__always)
  private static func aim(
    _ ramp: inout Ramp, _ power: Lanes, _ starting: SIMDMask<SIMD8<Int32>>, _ perFrame: Float
  ) {
    let least = Lanes(repeating: 1e-12)
    let goal = select(root(larger(power, least)), Lanes.zero, where: power .> least)
    ramp.aim(at: goal, starting, perFrame: perFrame)
    let isThere = magnitude(ramp.step) .< Lanes(repeating: still)
    ramp.value = select(goal, ramp.value, where: isThere)
    ramp.step = select(Lanes.zero, ramp.step, where: isThere)
  }
}

/// Levels of the noise of four voices, and of each of its colours.
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

  /// Factor that scales random words to ±1.
  static var unit: Float { @_noLocks get { 1 / 2_147_483_648 } }

  /// The levels times the gains of the filters, so that all colours are as loud as white.
  @_noLocks @inline(__always)
  func scaled(_ filter: NoiseFilter) -> NoiseLevels {
    NoiseLevels(
      level: level.scaled(Self.unit), brown: brown.scaled(filter.brownGain),
      pink: pink.scaled(filter.ratios[3]), white: white, violet: violet.scaled(NoiseFilter.violetGain))
  }

  /// The levels with `level` multiplied into those of brown, pink and white.
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
