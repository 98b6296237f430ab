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
