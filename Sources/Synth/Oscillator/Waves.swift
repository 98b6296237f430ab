import Scenes

// The passes of an oscillator: each adds one waveform, at its level, to a block of at most `Limits.unisonFrames`
// samples. A waveform without a pass of its own is rendered by a `WaveSource`, at a higher cost. The first pass adds
// to a separate block of zeros, so that the block need not be cleared.

extension OscillatorLanes {
  /// Adds the waveforms of `audible`, one bit each, to `base` and writes the sum to `x`. The phase of a silent
  /// oscillator stands still. Returns the block that holds the sum: `x`, or `base` if no waveform was added.
  /// - Parameters:
  ///   - levelsMove: whether any level moves.
  ///   - pulse: pulse width, as a phase.
  ///   - isMoving: whether the pulse width moves, as `width` does.
  ///   - fades: whether a lane is so high that its waveforms fade, which needs the scratch memory of `context`.
  @_noLocks
  mutating func render(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ levels: WaveformLevels,
    audible: UInt8, levelsMove: Bool, pulse: Int32, isMoving: Bool, fades: Bool, _ context: RenderContext,
    frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    var base = base
    var left = audible
    var waveform = 0
    while left != 0 {
      if left & 1 != 0 {
        let ramp = levels[waveform]
        switch waveform {
        case Waveform.noise.index: addNoise(base, x, ramp, frames)
        case _ where fades:
          addFilled(waveform, base, x, ramp, self.pulse(pulse, isMoving: isMoving), context, frames)
        case Waveform.sine.index: addSine(base, x, ramp, frames)
        case Waveform.triangle.index: addTriangle(base, x, ramp, frames)
        case Waveform.saw.index where !levelsMove && SparseSaw.pays(advance):
          addLowSaw(base, x, ramp, frames)
        case Waveform.saw.index: addSaw(base, x, ramp, frames)
        case Waveform.square.index where isMoving: addMovingSquare(base, x, ramp, frames)
        case Waveform.square.index where !levelsMove && SparseSaw.pays(advance):
          addLowSquare(base, x, ramp, pulse, frames)
        case Waveform.square.index: addSquare(base, x, ramp, pulse, frames)
        default: addFilled(waveform, base, x, ramp, self.pulse(pulse, isMoving: isMoving), context, frames)
        }
        base = x
      }
      left &>>= 1
      waveform &+= 1
    }
    if audible != 0 { phase &+= advance &* Phases(repeating: Int32(truncatingIfNeeded: frames)) }
    return base
  }

  /// Adds a waveform that a `WaveSource` fills: one that is so high that it fades, or one without a pass here.
  @_noLocks
  private func addFilled(
    _ waveform: Int, _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>,
    _ ramp: UnsafeMutablePointer<Ramp>, _ pulse: PulseWidth, _ context: RenderContext, _ frames: Int
  ) {
    var source = WaveSource(phase, advance: advance, steepness: steepness)
    source.pulse = pulse
    source.table = UInt(bitPattern: context.table)
    source.fill(waveform, context.wave, context.offsets, frames: frames)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(ramp.pointee.value, context.wave[i], base[i])
      ramp.pointee.value += ramp.pointee.step
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private func addSaw(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    let unit = BandLimitedStep.unit
    var level = ramp.pointee.value * unit
    let (advance, step) = (advance, ramp.pointee.step * unit)
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      let line = numbers(s)
      x[i] = multiplyAdd(
        level, BandLimitedStep.correction(line, slope, offset, none), multiplyAdd(level, line, base[i]))
      level += step
      s &+= advance
      i &+= 1
    }
    ramp.pointee.value = level * BandLimitedStep.scale
  }

  /// Adds low saws at constant levels.
  @_noLocks @inline(__always)
  private func addLowSaw(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    let (level, advance) = (ramp.pointee.value * BandLimitedStep.unit, advance)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(level, numbers(s), base[i])
      s &+= advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, level, frames: frames)
  }

  /// Adds pulses, each of two low saws, at constant levels.
  @_noLocks @inline(__always)
  private func addLowSquare(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ pulse: Int32, _ frames: Int
  ) {
    var s = phase
    let (level, advance, shift) = (
      ramp.pointee.value * BandLimitedStep.unit, advance, Phases(repeating: pulse)
    )
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(level, numbers(s) - numbers(s &+ shift), base[i])
      s &+= advance
      i &+= 1
    }
    lowSaw.smooth(x, from: phase, level, frames: frames)
    lowSaw.smooth(x, from: phase &+ shift, -level, frames: frames)
  }

  private var lowSaw: SparseSaw {
    @_noLocks get { SparseSaw(advance: advance, reach: advance &<< 2, steepness: steepness) }
  }

  /// Adds pulses, each the difference of two saws; their mean is 0 at any width.
  @_noLocks @inline(__always)
  private func addSquare(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ pulse: Int32, _ frames: Int
  ) {
    var s = phase
    let unit = BandLimitedStep.unit
    var level = ramp.pointee.value * unit
    let (advance, step) = (advance, ramp.pointee.step * unit)
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    let shift = Phases(repeating: pulse)
    var i = 0
    while i < frames {
      let (up, down) = (numbers(s), numbers(s &+ shift))
      let raised = multiplyAdd(
        level, BandLimitedStep.correction(up, slope, offset, none), multiplyAdd(level, up - down, base[i]))
      x[i] = multiplyAdd(-level, BandLimitedStep.correction(down, slope, offset, none), raised)
      level += step
      s &+= advance
      i &+= 1
    }
    ramp.pointee.value = level * BandLimitedStep.scale
  }

  @_noLocks @inline(__always)
  private func addSine(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    var level = ramp.pointee.value
    let (advance, step) = (advance, ramp.pointee.step)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(level, sinePi(numbers(s) * BandLimitedStep.unit), base[i])
      level += step
      s &+= advance
      i &+= 1
    }
    ramp.pointee.value = level
  }

  @_noLocks @inline(__always)
  private func addTriangle(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    var level = ramp.pointee.value
    let (advance, step) = (advance, ramp.pointee.step)
    let (slope, offset, depth) = (steepness * BandLimitedStep.unit, 1 - steepness, 2 / steepness)
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(level, BandLimitedRamp.triangle(numbers(s), slope, offset, depth, none), base[i])
      level += step
      s &+= advance
      i &+= 1
    }
    ramp.pointee.value = level
  }

  /// Fills `w` with noise.
  @_noLocks
  mutating func fillNoise(_ w: UnsafeMutablePointer<Lanes>, frames: Int) {
    var i = 0
    while i < frames {
      words = scrambled(words)
      w[i] = noise(words)
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private mutating func addNoise(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var word = words
    var level = ramp.pointee.value
    let step = ramp.pointee.step
    var i = 0
    while i < frames {
      word = scrambled(word)
      x[i] = multiplyAdd(level, noise(word), base[i])
      level += step
      i &+= 1
    }
    words = word
    ramp.pointee.value = level
  }
}

// Pulses whose width moves in a straight line from update to update, in each lane separately.

extension OscillatorLanes {
  /// The pulse width: `end` in each lane, or `width` when that moves.
  @_noLocks @inline(__always)
  func pulse(_ end: Int32, isMoving: Bool) -> PulseWidth {
    isMoving ? PulseWidth(width) : PulseWidth(Phases(repeating: end))
  }

  /// Adds a pulse whose width moves: its second saw runs a little faster or slower than the first.
  @_noLocks
  func addMovingSquare(
    _ base: UnsafeMutablePointer<Lanes>, _ x: UnsafeMutablePointer<Lanes>, _ ramp: UnsafeMutablePointer<Ramp>,
    _ frames: Int
  ) {
    var s = phase
    let pulse = PulseWidth(width)
    var p = phase &+ pulse.end
    let unit = BandLimitedStep.unit
    var level = ramp.pointee.value * unit
    let (advance, other) = (advance, advance &+ pulse.step)
    let step = ramp.pointee.step * unit
    let (slope, offset) = (BandLimitedStep.slope(steepness), BandLimitedStep.offset(steepness))
    let none = hiddenZero(steepness)
    var i = 0
    while i < frames {
      let up = BandLimitedStep.saw(numbers(s), slope, offset, none)
      let down = BandLimitedStep.saw(numbers(p), slope, offset, none)
      x[i] = multiplyAdd(level, up - down, base[i])
      level += step
      s &+= advance
      p &+= other
      i &+= 1
    }
    ramp.pointee.value = level * BandLimitedStep.scale
  }
}
