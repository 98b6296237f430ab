// The modulation of the cutoff by the second oscillator, at audio rate.

extension VoiceGroup {
  /// Aims the modulation, and the cutoff and the shape that it starts from. The modulation is limited for high notes,
  /// because the filter makes sidebands at multiples of the modulator's frequency. Mutating, as is `keepShape`,
  /// because the compiler otherwise copies the group for the call.
  @_noLocks @inline(never)
  mutating func aimFM(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ cutoff: Lanes,
    begins: Bool, perFrame: Float
  ) {
    let (state, extras, starting) = (block.state, block.extras, mask(started))
    if begins {
      let isClean = filtering.needs.isClean
      let aimed = isClean ? state.pointee.filter.aimed : extras.pointee.ladder.aimed
      extras.pointee.fm.begin(at: aimed, state.pointee.filter.shape)
    }
    extras.pointee.fm.aim(at: cutoff, state.pointee.filter.shape, starting, perFrame: perFrame)
    if !control.pointee.hasFM { return extras.pointee.fm.depth.rest(at: .zero) }
    let increment = numbers(block.oscillators[1].advance) * BandLimitedStep.unit
    let goal = Self.moved(control.pointee.fm, by: .filterFM, control, sums, most: FilterKnobs.mostFM)
    // Measured for a saw at half the modulator's frequency: without a limit, 4 octaves alias at -55 dB by 1.76 kHz, and at
    // -36 dB by 3.5 kHz.
    let most = larger(5 - 20 * increment, Lanes.zero)
    extras.pointee.fm.depth.aim(at: smaller(goal, most), starting, perFrame: perFrame)
  }

  /// Keeps the shape that the filter has reached, before it gets another goal.
  @_noLocks
  mutating func keepShape() {
    let (shape, elapsed) = (
      block.state.pointee.filter.shape, planned > 0 ? Float(passed) / Float(planned) : 1
    )
    block.extras.pointee.fm.from = block.extras.pointee.fm.from.blended(
      with: shape, Lanes(repeating: elapsed))
  }

  /// Writes the modulator, the second oscillator, into scratch memory, in octaves, after it has been rendered.
  @_noLocks
  func keepModulator(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ frames: Int) {
    if !block.extras.pointee.fm.depth.isAny { return }
    let (scratch, octaves) = (context.mixer, context.mixer.octaves)
    let isWide = control.pointee.isStereo && block.gains[1].voices & Unison.sides != 0
    let (left, right) = (scratch.left(1), isWide ? scratch.right(1) : scratch.left(1))
    var depth = block.extras.pointee.fm.depth
    let unit = 0.5 * BandLimitedStep.unit
    var i = 0
    while i < frames {
      octaves[i] = depth.value * (left[i] + right[i]) * unit
      depth.value += depth.step
      i &+= 1
    }
  }

  /// Filters one side by the clean filter, with a modulated cutoff. Returns the gain after the last sample.
  @_noLocks
  func filterModulated(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let (state, extras, sweep) = (block.state, block.extras, cutoffSweep(context, frames))
    if isRight {
      return extras.pointee.right.processModulated(
        x, gain, to: mix, octaves(context), sweep, frames: frames, needs: filtering.needs)
    }
    return state.pointee.filter.processModulated(
      x, gain, to: mix, octaves(context), sweep, frames: frames, needs: filtering.needs)
  }

  /// Filters both sides by the clean filter, with a modulated cutoff.
  @_noLocks
  func filterModulatedSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    let ends = state.pointee.filter.processModulated(
      x, &extras.pointee.right, y, (gain, paths.isPanned ? extras.pointee.rightGain : gain), to: mix, right,
      octaves(context), cutoffSweep(context, frames), frames: frames, needs: filtering.needs)
    state.pointee.gain.value = ends.0
    if paths.isPanned { extras.pointee.rightGain.value = ends.1 }
  }

  /// The cutoff and the shape during the next frames.
  @_noLocks
  private func cutoffSweep(_ context: RenderContext, _ frames: Int) -> CutoffSweep {
    CutoffSweep(
      &block.extras.pointee.fm, to: block.state.pointee.filter.shape, part(frames), rate: context.rate)
  }

  /// The modulation of each sample, in octaves.
  @_noLocks
  func octaves(_ context: RenderContext) -> UnsafeMutablePointer<Lanes> {
    block.extras.pointee.fm.depth.isAny ? context.mixer.octaves : context.zeros
  }

  /// Advances the modulation by some frames, which both sides have used.
  @_noLocks
  func passFM(_ frames: Int) {
    block.extras.pointee.fm.depth.move(frames: frames)
    block.extras.pointee.fm.cutoff.move(frames: frames)
  }
}
