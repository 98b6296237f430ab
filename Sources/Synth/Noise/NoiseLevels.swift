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
