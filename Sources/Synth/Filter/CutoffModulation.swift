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

/// The cutoff and the shape of a filter during a modulated part of a block.
struct CutoffSweep {
  private var cutoff: Ramp
  private var share: Float
  private let perFrame: Float
  private let from: FilterShape
  private let to: FilterShape
  private let movesShape: Bool
  private let rate: Float

  /// - Parameters:
  ///   - to: the shape of the filter at the end of the update.
  ///   - part: the position of the samples in the update.
  @_noLocks
  init(_ modulation: UnsafePointer<CutoffModulation>, to: FilterShape, _ part: BlockPart, rate: Float) {
    (cutoff, from, self.to) = (modulation.pointee.cutoff, modulation.pointee.from, to)
    (share, perFrame) = (Float(part.first), 1 / Float(part.planned))
    movesShape = from.differs(from: to)
    self.rate = rate
  }

  /// Sets the coefficients of a filter for the next sample, whose cutoff is `octaves` higher.
  @_noLocks @inline(__always)
  mutating func set(_ filter: inout FilterLanes, _ octaves: Lanes, _ needs: FilterNeeds) {
    if movesShape { filter.shape = from.blended(with: to, Lanes(repeating: share * perFrame)) }
    filter.set(at: cutoff.value, hertz: exp2(cutoff.value + octaves), rate: rate, needs: needs)
    cutoff.move()
    share += 1
  }

  /// Sets the coefficients to those of the unmodulated cutoff, after the last sample.
  @_noLocks
  func finish(_ filter: inout FilterLanes, _ needs: FilterNeeds) {
    filter.shape = to
    filter.set(at: cutoff.value, hertz: exp2(cutoff.value), rate: rate, needs: needs)
  }
}

// The filter with a cutoff that moves at audio rate: one side, or both with the same coefficients.

extension FilterLanes {
  /// Filters samples of `x` with a cutoff that `octaves` moves at each sample, and adds them to the mix at a gain. Returns
  /// the gain after the last sample.
  @_noLocks @inline(never)
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, to mix: UnsafeMutablePointer<Lanes>,
    _ octaves: UnsafePointer<Lanes>, _ sweep: CutoffSweep, frames: Int, needs: FilterNeeds
  ) -> Lanes {
    var (sweep, gain) = (sweep, gain)
    var i = 0
    while i < frames {
      sweep.set(&self, octaves[i], needs)
      mix[i] = multiplyAdd(processSample(x[i], needs), gain.value, mix[i])
      gain.move()
      i &+= 1
    }
    sweep.finish(&self, needs)
    return gain.value
  }

  /// Filters samples of both sides, as `processModulated` does; `right` holds the integrators of the right side. Returns
  /// both gains after the last sample.
  @_noLocks @inline(never)
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<FilterLanes>,
    _ y: UnsafeMutablePointer<Lanes>, _ gains: (Ramp, Ramp), to mix: UnsafeMutablePointer<Lanes>,
    _ other: UnsafeMutablePointer<Lanes>, _ octaves: UnsafePointer<Lanes>, _ sweep: CutoffSweep, frames: Int,
    needs: FilterNeeds
  ) -> (Lanes, Lanes) {
    var (sweep, gains) = (sweep, gains)
    var i = 0
    while i < frames {
      // The tiny signal that starts an oscillation goes to both sides.
      let before = high.first
      sweep.set(&self, octaves[i], needs)
      right.pointee.high.first += high.first - before
      mix[i] = multiplyAdd(processSample(x[i], needs), gains.0.value, mix[i])
      let left = integrators
      integrators = right.pointee.integrators
      other[i] = multiplyAdd(processSample(y[i], needs), gains.1.value, other[i])
      right.pointee.integrators = integrators
      integrators = left
      gains.0.move()
      gains.1.move()
      i &+= 1
    }
    sweep.finish(&self, needs)
    return (gains.0.value, gains.1.value)
  }

  /// The state that one sample leaves for the next.
  private var integrators: (Lanes, Lanes, Lanes, Lanes, Lanes) {
    @_noLocks @inline(__always) get { (low.first, low.second, high.first, high.second, last) }
    @_noLocks @inline(__always) set { (low.first, low.second, high.first, high.second, last) = newValue }
  }

  /// Sets the coefficients at once.
  @_noLocks @inline(__always)
  mutating func set(at cutoff: Lanes, hertz: Lanes, rate: Float, needs: FilterNeeds) {
    aimed = cutoff
    let aim = Aim(hertz: hertz, damping: shape.damping, shape.poles, rate: rate)
    low.set(aim.twice.low, aim.n.low, aim.d)
    high.set(aim.twice.high, aim.n.high, aim.d)
    if needs.isShaped {
      mix(shape, aim, 1 / aim.d, perFrame: 1)
      extras.moveLevels()
    }
    if needs.isSaturated {
      saturate(aim, rate: rate, perFrame: 1)
      extras.saturation.amount.move()
    }
  }

  /// Filters one sample, as `processShaped` does.
  @_noLocks @inline(__always)
  private mutating func processSample(_ x: Lanes, _ needs: FilterNeeds) -> Lanes {
    var y = x
    if needs.isMixed {
      if needs.isLong { y = low.process(y, extras.low) }
      y =
        needs.isSaturated
        ? high.saturate(y, extras.saturation, extras.high) : high.process(y, extras.high)
    } else {
      if needs.isLong { y = low.process(y) }
      if needs.isSaturated {
        high.saturate(y, extras.saturation)
        y = high.second
      } else {
        y = high.process(y)
      }
    }
    last =
      needs.isShaped
      ? multiplySubtract(extras.outputPole.value, last, from: extras.level.value * y)
      : multiplySubtract(Lanes(repeating: FilterPoles.outputPole24), last, from: y)
    return last
  }
}
