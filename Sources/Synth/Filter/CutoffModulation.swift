/// Modulation of a filter's cutoff at audio rate, in eight voices. The coefficients are computed for each sample, so that
/// the filter follows the modulation in all modes and at any resonance.
struct CutoffModulation {
  /// Octaves by which a modulator of ±1 moves the cutoff.
  var depth = Ramp()
  /// The cutoff without this modulation, octaves above 1 Hz.
  var cutoff = Ramp()
  /// The shape of the filter at the beginning of the update; at its end it is that of the filter.
  var from = FilterShape()

  /// Begins at the filter's current cutoff and shape.
  @_noLocks
  mutating func begin(at aimed: Lanes, _ shape: FilterShape) {
    depth.rest(at: .zero)
    cutoff.rest(at: aimed)
    from = shape
  }

  /// Aims at a cutoff; lanes that start get it at once, with the shape to which the others move.
  @_noLocks
  mutating func aim(
    at goal: Lanes, _ shape: FilterShape, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float
  ) {
    cutoff.aim(at: goal, starting, perFrame: perFrame)
    from = from.blended(with: shape, select(Lanes(repeating: 1), Lanes.zero, where: starting))
  }
}

extension FilterShape {
  /// These settings interpolated towards others by `share`; the loudness stays.
  @_noLocks @inline(__always)
  func blended(with other: FilterShape, _ share: Lanes) -> FilterShape {
    var shape = self
    shape.damping = multiplyAdd(other.damping - damping, share, damping)
    shape.saturation = multiplyAdd(other.saturation - saturation, share, saturation)
    shape.short = multiplyAdd(other.short - short, share, short)
    shape.modes.low = multiplyAdd(other.modes.low - modes.low, share, modes.low)
    shape.modes.band = multiplyAdd(other.modes.band - modes.band, share, modes.band)
    shape.modes.high = multiplyAdd(other.modes.high - modes.high, share, modes.high)
    shape.modes.notch = multiplyAdd(other.modes.notch - modes.notch, share, modes.notch)
    shape.modes.peak = multiplyAdd(other.modes.peak - modes.peak, share, modes.peak)
    shape.bandLevel = multiplyAdd(other.bandLevel - bandLevel, share, bandLevel)
    shape.poles.pull = multiplyAdd(other.poles.pull - poles.pull, share, poles.pull)
    shape.poles.spread = multiplyAdd(other.poles.spread - poles.spread, share, poles.spread)
    return shape
  }

  /// True when a setting differs from that of another shape; the loudness does not count.
  @_noLocks
  func differs(from other: FilterShape) -> Bool {
    let (mine, its) = (modes, other.modes)
    var distance = magnitude(damping - other.damping) + magnitude(saturation - other.saturation)
    distance += magnitude(short - other.short) + magnitude(bandLevel - other.bandLevel)
    distance += magnitude(poles.pull - other.poles.pull) + magnitude(poles.spread - other.poles.spread)
    distance += magnitude(mine.low - its.low) + magnitude(mine.band - its.band)
    distance += magnitude(mine.high - its.high) + magnitude(mine.notch - its.notch)
    return isAny(distance + magnitude(mine.peak - its.peak))
  }
}
