/// Modulation of a filter's cutoff at audio rate, in eight voices. The coefficients are computed for each sample, so that
/// the filter follows the modulation in all modes and at any resonance.
struct CutoffModulation {
  /// Octaves by which a modulator of ±1 moves the cutoff.
  var depth = Ramp()
  /// The cutoff without this modulation, octaves above 1 Hz.
  var cutoff = Ramp()
  /// The shape of the filter at the beginning of the update; at its end it is that of the filter.
  var from = FilterShape()

  /// Begins at the cutoff and the shape at which the filter stands.
  @_noLocks
  mutating func begin(at aimed: Lanes, _ shape: FilterShape) {
    depth.rest(at: .zero)
    cutoff.rest(at: aimed)
    from = shape
  }

  /// Aims at a cutoff; lanes that start are there at once, with the shape to which the others move.
  @_noLocks
  mutating func aim(
    at goal: Lanes, _ shape: FilterShape, _ starting: SIMDMask<SIMD8<Int32>>, perFrame: Float
  ) {
    cutoff.aim(at: goal, starting, perFrame: perFrame)
    from = from.blended(with: shape, select(Lanes(repeating: 1), Lanes.zero, where: starting))
  }
}

extension FilterShape {
  /// The settings between these and others, by the `share` of the others; the loudness stays.
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
}

extension FilterLanes {
  /// Filters samples of `x` with a cutoff that `octaves` moves at each sample, and adds them to the mix at a gain. Returns
  /// the gain after the last sample. The coefficients are those of the unmodulated cutoff afterwards.
  /// - Parameters:
  ///   - to: the shape of the filter at the end of the update.
  ///   - part: the position of the samples in the update.
  @_noLocks @inline(never)
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, _ octaves: UnsafePointer<Lanes>, _ modulation: CutoffModulation,
    to: FilterShape, _ part: BlockPart, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, rate: Float,
    needs: FilterNeeds
  ) -> Lanes {
    var (cutoff, gain, share) = (modulation.cutoff, gain, Float(part.first))
    let perFrame = 1 / Float(part.planned)
    var i = 0
    while i < part.frames {
      shape = modulation.from.blended(with: to, Lanes(repeating: share * perFrame))
      set(at: cutoff.value, hertz: exp2(cutoff.value + octaves[i]), rate: rate, needs: needs)
      gain.value = processShaped(x + i, gain, mix: mix + i, frames: 1, needs: needs)
      cutoff.move()
      share += 1
      i &+= 1
    }
    shape = to
    set(at: cutoff.value, hertz: exp2(cutoff.value), rate: rate, needs: needs)
    return gain.value
  }

  /// Sets the coefficients at once.
  @_noLocks @inline(__always)
  private mutating func set(at cutoff: Lanes, hertz: Lanes, rate: Float, needs: FilterNeeds) {
    aimShaped(at: cutoff, hertz: hertz, rate: rate, perFrame: 1, needs: needs, before: needs)
    snap(mask(0xff), frames: 1)
  }
}
