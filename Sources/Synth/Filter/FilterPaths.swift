// Filters other than two low-passes in series: other modes, a single section, a bounded resonance. A sound with none of
// these does not run this code.

extension FilterLanes {
  /// Aims as `aim` does, and also at the outputs and the saturation of the shape.
  /// - Parameters:
  ///   - needs: the parts of the filter that the coming ramp needs.
  ///   - before: the parts that the last ramp needed. A part that is new begins with values that change nothing.
  @_noLocks
  mutating func aimShaped(
    at cutoff: Lanes, hertz: Lanes, rate: Float, perFrame: Float, needs: FilterNeeds, before: FilterNeeds
  ) {
    aimed = cutoff
    let aim = Aim(hertz: hertz, damping: shape.damping, shape.poles, rate: rate)
    if needs.isLong, !before.isLong { low.silence() }
    low.aim(aim.twice.low, aim.n.low, aim.d, perFrame: perFrame)
    high.aim(aim.twice.high, aim.n.high, aim.d, perFrame: perFrame)
    if needs.isShaped {
      let inverse = 1 / aim.d
      if !before.isShaped || (needs.isMixed && !before.isMixed) {
        var plain = FilterShape()
        plain.short = Lanes(repeating: before.isLong ? 0 : 1)
        mix(plain, aim, inverse, perFrame: 1)
        extras.snap(mask(0xff), frames: 1)
      }
      mix(shape, aim, inverse, perFrame: perFrame)
    }
    if needs.isSaturated {
      if !before.isSaturated { extras.saturation.amount.rest(at: .zero) }
      saturate(aim, rate: rate, perFrame: perFrame)
    }
  }

  /// Filters as `process` does, with the passes that are needed.
  @_noLocks
  mutating func processShaped(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, mix: UnsafeMutablePointer<Lanes>, frames: Int,
    needs: FilterNeeds
  ) -> Lanes {
    if needs.isMixed {
      if needs.isLong { low.process(x, &extras.low, frames: frames) }
      if needs.isSaturated {
        high.process(x, &extras.saturation, &extras.high, frames: frames)
      } else {
        high.process(x, &extras.high, frames: frames)
      }
    } else {
      if needs.isLong { low.process(x, frames: frames) }
      if needs.isSaturated {
        high.process(x, &extras.saturation, frames: frames)
      } else {
        high.process(x, frames: frames)
      }
    }
    return needs.isShaped
      ? addShaped(x, gain, to: mix, frames: frames) : add(x, gain, to: mix, frames: frames)
  }

  /// Starts self-oscillating lanes at their steady amplitude with their first sample.
  @_noLocks
  mutating func strike(_ lanes: SIMDMask<SIMD8<Int32>>) {
    high.first = select(high.first + ringing * 0.45, high.first, where: lanes)
  }

  /// The level of each lane's self-oscillation, as a share of its full level, 0…1.
  private var ringing: Lanes {
    @_noLocks get { smaller(larger(shape.damping * -20, Lanes.zero), Lanes(repeating: 1)) }
  }

  /// Aims at the output of each section. The levels of low-, band- and high-pass are those of the analogue filter at
  /// the section's cutoff. Where the analogue magnitude deviates from them, the band-pass and the peak contain a little
  /// of the high-pass.
  @_noLocks @inline(__always)
  mutating func mix(_ shape: FilterShape, _ aim: Aim, _ inverse: Lanes, perFrame: Float) {
    let passing = shape.modes.low + shape.modes.notch + shape.modes.peak
    let long = 1 - shape.short
    let first = outputs(
      shape, aim.n.low, aim.factor.low, aim.ratio, inverse, bandLevel: Lanes(repeating: Self.damping))
    // A bypassed section outputs its input.
    extras.low.aim(
      low: passing * long, band: first.band * long, high: first.high * long, damping: aim.damping.low,
      perFrame: perFrame)
    extras.low.input.aim(at: multiplyAdd(first.high, long, shape.short), perFrame: perFrame)
    let second = outputs(
      shape, aim.n.high, aim.factor.high, aim.ratio, inverse, bandLevel: shape.bandLevel)
    extras.high.aim(
      low: passing, band: second.band, high: second.high, damping: aim.damping.high, perFrame: perFrame)
    let (long24, short12) = (FilterPoles.outputPole24, FilterPoles.outputPole12)
    let outputPole =
      shape.modes.low * multiplyAdd(shape.short, Lanes(repeating: short12 - long24), Lanes(repeating: long24))
    extras.outputPole.aim(at: outputPole, perFrame: perFrame)
    extras.level.aim(at: (1 + outputPole) * Self.gain, perFrame: perFrame)
  }

  @_noLocks @inline(__always)
  private func outputs(
    _ shape: FilterShape, _ n: Lanes, _ factor: Lanes, _ ratio: Lanes, _ inverse: Lanes, bandLevel: Lanes
  ) -> (band: Lanes, high: Lanes) {
    // The tangent, and the tangent over half the cutoff's angle.
    let g = n * inverse
    let r = ratio * factor * inverse
    let band = shape.modes.band * bandLevel * r
    var high = multiplyAdd(shape.modes.high, r * r, shape.modes.notch * factor * factor)
    high = multiplySubtract(
      shape.modes.peak, multiplyAdd(g * g, Lanes(repeating: FilterPoles.peakHighShare), r * r), from: high)
    high = multiplyAdd(band * FilterPoles.bandHighShare, g, high)
    return (multiplyAdd(shape.modes.low, g, band), high)
  }

  /// Aims the saturation: the band-pass is fed back at 2 - damping to a section of damping 2, through a cubic.
  @_noLocks @inline(__always)
  mutating func saturate(_ aim: Aim, rate: Float, perFrame: Float) {
    let (n, d) = (aim.n.high, aim.d)
    // The output of the low-pass is louder than the signal in the cubic, the more so the nearer the cutoff is to half
    // the sample rate: (1 + T)^½ times, with T the square of the tangent, and by the effect of the pole after the
    // filter. The cubic therefore saturates at a lower level there.
    let cosine = d * d / multiplyAdd(n, n, d * d)
    let outputPole = multiplyAdd(
      shape.short, Lanes(repeating: Self.outputPoleAtTop12 - Self.outputPoleAtTop24),
      Lanes(repeating: Self.outputPoleAtTop24))
    let saturationLevel = root(cosine * multiplySubtract(outputPole, 1 - cosine, from: Lanes(repeating: 1)))
    let feedback = (2 - aim.damping.high) * aim.twice.high * 0.5 * d / saturationLevel
    extras.saturation.fromFirst = feedback * d
    extras.saturation.fromInput = feedback * n
    let still = d + n
    let to = 2 * n * saturationLevel / (still * still)
    extras.saturation.toFirst = to * d
    extras.saturation.toSecond = to * n
    // Hidden from the compiler, so that `larger` and `smaller` are one instruction.
    extras.saturation.bound = Lanes(repeating: 3 + hiddenZero(rate))
    extras.saturation.amount.aim(at: shape.saturation, perFrame: perFrame)
    // A tiny signal that starts the oscillation of a filter that has been silent.
    high.first += ringing * 1e-5
  }

  // 4e / (1 + e)² of the poles after the filter: the part of the squared level that they remove at half the sample
  // rate.
  private static var outputPoleAtTop24: Float { @_noLocks get { 0.8963 } }
  private static var outputPoleAtTop12: Float { @_noLocks get { 0.5370 } }

  @_noLocks
  private mutating func addShaped(
    _ x: UnsafeMutablePointer<Lanes>, _ gain: Ramp, to mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    var (y, now, outputPole, level) = (last, gain.value, extras.outputPole, extras.level)
    var i = 0
    while i < frames {
      y = multiplySubtract(outputPole.value, y, from: level.value * x[i])
      mix[i] = multiplyAdd(y, now, mix[i])
      now += gain.step
      outputPole.move()
      level.move()
      i &+= 1
    }
    (last, extras.outputPole, extras.level) = (y, outputPole, level)
    return now
  }
}
