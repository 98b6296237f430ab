// The unison voices of an oscillator. They share a lane, because one filter and one set of envelopes are enough for all
// of them. Voices in the middle, left and right are summed separately, so that a voice costs no multiplication.

extension VoiceGroup {
  /// Renders an oscillator at full level into scratch memory, in phase units of ±2^31: all its unison voices in all
  /// audible waveforms. Those among `voices` that belong to `Unison.sides` still have to be placed.
  @_noLocks
  func makeOscillator(
    _ unison: UnisonBlock, _ voices: UInt8, _ control: UnsafePointer<SoundParameters>,
    _ context: RenderContext
  ) {
    let scratch = context.mixer
    if voices & Unison.sides == 0 {
      makeVoices(unison, control, voices, scratch.left(unison.scratchIndex), context)
    } else {
      let left = Self.left(unison, control)
      makeVoices(unison, control, voices & ~Unison.sides, scratch.left(unison.scratchIndex), context)
      makeVoices(unison, control, voices & left, scratch.leftVoices, context)
      makeVoices(unison, control, voices & Unison.sides & ~left, scratch.rightVoices, context)
    }
    if unison.isModulator { return }
    if unison.part.isLast { block.gains[unison.oscillator].synced = unison.sync == 1 ? unison.summed : 0 }
  }

  /// The voices on the left, one bit each.
  @_noLocks @inline(__always)
  static func left(_ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>) -> UInt8 {
    Unison.left | (control.oscillator(unison.oscillator).pointee.unison.isFirstLeft ? 1 : 0)
  }

  /// Places the voices of an oscillator's sides, which were rendered last, on left and right of scratch memory `scratchIndex`.
  @_noLocks
  func place(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    if oscillators.sidesMove &>> UInt8(oscillator) & 1 != 0 {
      placeLanes(oscillator, at: scratchIndex, isStereo, scratch, frames)
    } else {
      placeSides(oscillator, at: scratchIndex, isStereo, scratch, frames)
    }
  }

  /// Renders the sum of some voices.
  @_noLocks
  private func makeVoices(
    _ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>, _ voices: UInt8,
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let (summed, others) = (voices & unison.summed, voices & ~unison.summed)
    if summed != 0 {
      var sum = ImpulseTrain(context.mixer.sum, block.kept, unison.part, isWide: false)
      sum.begin(unison.oscillator, Lanes(repeating: 1), middle: 1)
      add(summed, of: unison, left: 0, right: 0, control, to: &sum)
      sum.place()
      sum.finish(x, x)
    } else {
      clear(x, unison.part.frames)
    }
    if others != 0 { addVoices(unison, control, others, x, context) }
  }

  /// Adds voices that are not sums of jumps.
  @_noLocks @inline(never)
  private func addVoices(
    _ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>, _ voices: UInt8,
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let oscillators = block.oscillators
    let own = oscillators[unison.oscillator]
    let reach = blunting(unison)
    var source = WaveSource(
      own.phase, advance: own.advance, steepness: larger(own.steepness / reach, Lanes(repeating: 1)))
    source.reach = reach
    let end = reach * block.extras.oscillator(unison.oscillator).pointee.endBlunting
    source.endSteepness = larger(own.steepness / end, Lanes(repeating: 1))
    source.pulse = unison.pulse.moved(by: unison.part.first)
    if unison.audible & Waveform.wavetable.bit != 0 {
      let lanes = unison.isModulator ? Self.modulator(unison.oscillator) : unison.oscillator
      readTable(lanes, unison.oscillator, control, context, from: unison.part.first)
      source.table = UInt(bitPattern: context.table)
    }
    let scratch = context.mixer.sum
    pass(voices, unison, control, scratch)
    var left = voices
    while left != 0 {
      let weight = left.trailingZeroBitCount
      let side = weight == OscillatorGains.middle ? 0 : weight
      if side > 0 { source.advance = advances(scratch.motions(.increment, side).pointee) }
      let (first, masterAdvance) = (
        unison.part.first, advances(scratch.motions(.masterIncrement, side).pointee)
      )
      source.phase = scratch.phases(.phase, side).pointee &+ phaseChange(source.advance, first)
      let master = SyncMaster(
        phase: scratch.phases(.masterPhase, side).pointee &+ phaseChange(masterAdvance, first),
        advance: masterAdvance, steepness: larger(oscillators[0].steepness / reach, Lanes(repeating: 1)),
        ratio: block.extras.pointee.syncRatio)
      addWaves(unison, source, master, side, weight, to: x, context)
      left &= left &- 1
    }
  }

  /// The factor by which the smoothing of jumps and corners is widened.
  @_noLocks @inline(__always)
  private func blunting(_ unison: UnisonBlock) -> Lanes {
    let own = block.extras.oscillator(unison.oscillator).pointee.blunting
    return unison.isModulator ? own * block.extras.softness(of: unison.oscillator).pointee : own
  }

  /// Adds one voice, waveform by waveform at their levels.
  @_noLocks
  private func addWaves(
    _ unison: UnisonBlock, _ source: WaveSource, _ master: SyncMaster, _ voice: Int, _ weight: Int,
    to x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let gains = block.gains + unison.oscillator
    let (wave, frames, count) = (context.mixer.wave, unison.part.frames, Float(unison.part.frames))
    var waveform = 0
    while unison.audible >> UInt8(waveform) != 0 {
      let level = gains.pointee.shares.value[waveform] * gains.pointee.weights.value[weight]
      let end =
        (gains.pointee.shares.value[waveform] + gains.pointee.shares.step[waveform] * count)
        * (gains.pointee.weights.value[weight] + gains.pointee.weights.step[weight] * count)
      if level > 0 || end > 0 {
        if waveform != Waveform.noise.index {
          fill(waveform, source, master, unison.sync, unison.offsets, context, frames)
        } else if voice == 0 {
          block.oscillators[unison.oscillator].fillNoise(wave, frames: frames)
        } else {
          clear(wave, frames)
        }
        let scale = BandLimitedStep.scale
        Self.add(wave, to: x, level * scale, step: (end - level) * scale / count, frames)
      }
      waveform &+= 1
    }
  }

  /// Renders a waveform of one voice into scratch memory, with the amount of hard sync that the knob sets.
  @_noLocks
  private func fill(
    _ waveform: Int, _ source: WaveSource, _ master: SyncMaster, _ sync: Float,
    _ offsets: UnsafePointer<Phases>, _ context: RenderContext, _ frames: Int
  ) {
    let scratch = context.mixer
    if sync < 1 { source.fill(waveform, scratch.wave, offsets, frames: frames) }
    if sync == 0 { return }
    SyncSource(master, source).fill(waveform, sync < 1 ? scratch.other : scratch.wave, frames: frames)
    if sync == 1 { return }
    var i = 0
    while i < frames {
      scratch.wave[i] += sync * (scratch.other[i] - scratch.wave[i])
      i &+= 1
    }
  }

  /// Places the voices of both sides according to the spread.
  @_noLocks
  private func placeSides(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    let (value, step) = (block.gains[oscillator].sides.value, block.gains[oscillator].sides.step)
    var (middle, own, other) = (value[0], value[1], value[2])
    let (left, right) = (scratch.left(scratchIndex), scratch.right(scratchIndex))
    var i = 0
    if step == .zero, isStereo {
      let (middle, own, other) = (
        Lanes(repeating: middle), Lanes(repeating: own), Lanes(repeating: other)
      )
      while i < frames {
        let (x, y, z) = (left[i] * middle, scratch.leftVoices[i], scratch.rightVoices[i])
        left[i] = multiplyAdd(z, other, multiplyAdd(y, own, x))
        right[i] = multiplyAdd(y, other, multiplyAdd(z, own, x))
        i &+= 1
      }
      return
    }
    while i < frames {
      let (x, y, z) = (left[i] * middle, scratch.leftVoices[i], scratch.rightVoices[i])
      left[i] = Self.placed(x, near: y, far: z, own, other)
      if isStereo { right[i] = Self.placed(x, near: z, far: y, own, other) }
      (middle, own, other) = (middle + step[0], own + step[1], other + step[2])
      i &+= 1
    }
  }

  /// The sum of one side: the middle, its own voices, and those of the other side.
  @_noLocks @inline(__always)
  private static func placed(_ middle: Lanes, near: Lanes, far: Lanes, _ own: Float, _ other: Float) -> Lanes
  {
    multiplyAdd(far, Lanes(repeating: other), multiplyAdd(near, Lanes(repeating: own), middle))
  }

  // MARK: - Blocks

  @_noLocks @inline(__always)
  private func clear(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var i = 0
    while i < frames {
      x[i] = .zero
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func add(
    _ wave: UnsafeMutablePointer<Lanes>, to x: UnsafeMutablePointer<Lanes>, _ level: Float, step: Float,
    _ frames: Int
  ) {
    var level = level
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(wave[i], Lanes(repeating: level), x[i])
      level += step
      i &+= 1
    }
  }
}
