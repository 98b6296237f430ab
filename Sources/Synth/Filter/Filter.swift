/// The filter of eight voices: two state-variable sections in series, 24 dB an octave, or the second of them alone.
///
/// As a low-pass, the two are a Butterworth filter at resonance 0; resonance raises the Q of the second. The
/// magnitude is the analogue filter's up to 16 kHz: the poles are placed for that (`FilterPoles`), the output of each
/// section has one zero at half the sample rate instead of two, and a fixed pole after the sections compensates the
/// rest.
struct FilterLanes {
  var low = FilterSection()
  var high = FilterSection()
  /// The last output sample.
  var last = Lanes.zero
  /// The cutoff of the last `aim`, octaves above 1 Hz.
  var aimed = Lanes.zero
  var shape = FilterShape()
  /// State that only some sounds need.
  var extras = FilterExtras()

  /// The damping of the first section: that of a fourth-order Butterworth filter.
  static var damping: Float { @_noLocks get { 1.847759 } }
  /// Gain of the filter at low frequencies, which the amplifier compensates.
  static var gain: Float { @_noLocks get { 1 / (1 + FilterPoles.outputPole24) } }
  /// Change of the cutoff, in octaves, up to which the coefficients are kept: 0.012 cents.
  static var tolerance: Float { @_noLocks get { 1e-5 } }

  /// Goals of the coefficients: the tangent of half the cutoff's angle as n / d, and values derived from it for each
  /// section.
  struct Aim {
    let z: Lanes
    /// The tangent's numerator over half the cutoff's angle.
    let ratio: Lanes
    let d: Lanes
    /// The tangents' numerators, the dampings and 2 / (d² + damping·nd + n²) of both sections.
    let n: (low: Lanes, high: Lanes)
    /// Factors on the tangent, from `FilterPoles`.
    let factor: (low: Lanes, high: Lanes)
    let damping: (low: Lanes, high: Lanes)
    let twice: (low: Lanes, high: Lanes)

    /// Goals for a cutoff in Hz and a damping of the second section.
    @_noLocks @inline(__always)
    init(hertz: Lanes, damping second: Lanes, _ poles: FilterPoles, rate: Float) {
      let tangent = CutoffTangent(hertz: hertz, rate: rate)
      (z, ratio, d) = (tangent.z, tangent.ratio, tangent.d)
      let first = Lanes(repeating: FilterLanes.damping)
      factor = (FilterPoles.first(z), poles.factor(z))
      n = (tangent.n * factor.low, tangent.n * factor.high)
      damping = (first, poles.damping(second, z))
      // 1 / (1 + g·(g + k)) with g = n / d for both sections, with one division for the two.
      let dd = d * d
      let one = multiplyAdd(multiplyAdd(damping.low, d, n.low), n.low, dd)
      let two = multiplyAdd(multiplyAdd(damping.high, d, n.high), n.high, dd)
      let inverse = 2 / (one * two)
      twice = (inverse * two, inverse * one)
    }
  }

  /// Aims at a cutoff, in octaves above 1 Hz and in Hz, with the current shape. Returns true when no coefficient has
  /// to move, if `mayRest` allows that: the coefficients of most sounds are constant most of the time.
  @_noLocks @inline(__always)
  mutating func aim(
    at cutoff: Lanes, hertz: Lanes, rate: Float, perFrame: Float, mayRest: Bool
  ) -> Bool {
    if mayRest, !isAny(larger(magnitude(cutoff - aimed) - Self.tolerance, Lanes.zero)) {
      low.rest()
      high.rest()
      return true
    }
    aimed = cutoff
    let aim = Aim(hertz: hertz, damping: shape.damping, shape.poles, rate: rate)
    low.aim(aim.twice.low, aim.n.low, aim.d, perFrame: perFrame)
    high.aim(aim.twice.high, aim.n.high, aim.d, perFrame: perFrame)
    return false
  }

  /// Filters `frames` samples of `x` with coefficients that move, and adds them to the mix at a gain. Returns the gain
  /// after the last sample.
  @_noLocks @inline(__always)
  mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    // One section after the other: the states and coefficients of both do not fit into the registers.
    low.process(x, frames: frames)
    high.process(x, frames: frames)
    return add(x, gain, to: mix, frames: frames)
  }

  /// Filters `frames` samples of `x` with constant coefficients, and adds them to the mix at a gain. Returns the gain
  /// after the last sample.
  @_noLocks @inline(__always)
  mutating func processAtRest(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    var (l, h) = (low, high)
    var i = 0
    while i < frames {
      x[i] = h.process(l.process(x[i]))
      i &+= 1
    }
    (low, high) = (l, h)
    return add(x, gain, to: mix, frames: frames)
  }

  /// Adds the samples to the mix, through the fixed pole. Returns the gain after the last sample.
  @_noLocks @inline(__always)
  mutating func add(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, to mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let outputPole = Lanes(repeating: FilterPoles.outputPole24)
    var (y, now) = (last, gain.value)
    // Two at a time, as in the sections.
    var i = 0
    while i &+ 1 < frames {
      let z = multiplySubtract(outputPole, y, from: x[i])
      mix[i] = multiplyAdd(z, now, mix[i])
      now += gain.step
      y = multiplySubtract(outputPole, z, from: x[i &+ 1])
      mix[i &+ 1] = multiplyAdd(y, now, mix[i &+ 1])
      now += gain.step
      i &+= 2
    }
    if i < frames {
      y = multiplySubtract(outputPole, y, from: x[i])
      mix[i] = multiplyAdd(y, now, mix[i])
      now += gain.step
    }
    last = y
    return now
  }

  /// Clears the state of all lanes.
  @_noLocks
  mutating func silence() {
    low.silence()
    high.silence()
    last = .zero
  }

  /// Resets the state and the coefficients of one lane.
  @_noLocks
  mutating func reset(_ lane: Int) {
    low.reset(lane)
    high.reset(lane)
    last[lane] = 0
    extras.reset(lane)
  }

  /// Sets the coefficients of some lanes to the values that they would reach after `frames` samples: for voices that
  /// start.
  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    low.snap(lanes, frames: frames)
    high.snap(lanes, frames: frames)
    extras.snap(lanes, frames: frames)
  }
}

/// State of a filter that only some sounds need.
struct FilterExtras {
  /// Output of each section.
  var low = FilterSection.Mix()
  var high = FilterSection.Mix()
  var saturation = FilterSection.Saturation()
  /// The pole after the filter, and the gain before that pole.
  var outputPole = Ramp()
  var level = Ramp()

  @_noLocks
  mutating func reset(_ lane: Int) {
    low.input.jump(lane, to: 0)
    low.band.jump(lane, to: 0)
    low.low.jump(lane, to: 0)
    high.input.jump(lane, to: 0)
    high.band.jump(lane, to: 0)
    high.low.jump(lane, to: 0)
    saturation.amount.jump(lane, to: 0)
    outputPole.jump(lane, to: 0)
    level.jump(lane, to: 0)
  }

  /// Advances the ramps of the outputs' levels and of the pole after the filter by one sample.
  @_noLocks @inline(__always)
  mutating func moveLevels() {
    low.move()
    high.move()
    outputPole.move()
    level.move()
  }

  @_noLocks
  mutating func snap(_ lanes: SIMDMask<SIMD8<Int32>>, frames: Float) {
    low.snap(lanes, frames: frames)
    high.snap(lanes, frames: frames)
    saturation.amount.snap(lanes, frames: frames)
    outputPole.snap(lanes, frames: frames)
    level.snap(lanes, frames: frames)
  }
}
