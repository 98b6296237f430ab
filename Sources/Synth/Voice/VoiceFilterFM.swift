import Scenes

// The modulation of the cutoff by the second oscillator, at audio rate.

extension VoiceFilter {
  /// Aims the modulation, and the cutoff and the shape that it starts from. The modulation is limited for high notes,
  /// because the filter makes sidebands at multiples of the modulator's frequency. Mutating, as is `keepShape`,
  /// because the compiler otherwise copies the group for the call.
  @_noLocks @inline(never)
  mutating func aimFM(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, _ cutoff: Lanes,
    _ update: GroupUpdate, begins: Bool, perFrame: Float
  ) {
    let (state, extras, starting) = (block.state, block.extras, mask(update.started))
    if begins {
      let isClean = needs.isClean
      let aimed = isClean ? state.pointee.filter.aimed : extras.pointee.ladder.aimed
      extras.pointee.fm.begin(at: aimed, state.pointee.filter.shape)
    }
    extras.pointee.fm.aim(at: cutoff, state.pointee.filter.shape, starting, perFrame: perFrame)
    if !control.pointee.hasFM { return extras.pointee.fm.depth.rest(at: .zero) }
    let increment = numbers(block.oscillators[1].advance) * BandLimitedStep.unit
    let goal = control.routes.moved(control.pointee.fm, by: .filterFM, sums, most: FilterKnobs.mostFM)
    // Measured for a saw at half the modulator's frequency: without a limit, 4 octaves alias at -55 dB by 1.76 kHz, and at
    // -36 dB by 3.5 kHz.
    let most = larger(5 - 20 * increment, Lanes.zero)
    extras.pointee.fm.depth.aim(at: smaller(goal, most), starting, perFrame: perFrame)
  }

  /// Keeps the shape that the filter has reached, before it gets another goal.
  @_noLocks
  mutating func keepShape(_ update: GroupUpdate) {
    let (shape, elapsed) = (block.state.pointee.filter.shape, update.elapsed)
    block.extras.pointee.fm.from = block.extras.pointee.fm.from.blended(
      with: shape, Lanes(repeating: elapsed))
  }

  /// Filters one side by the clean filter, with a modulated cutoff. Returns the gain after the last sample.
  @_noLocks
  mutating func processModulated(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let (state, extras, sweep) = (block.state, block.extras, cutoffSweep(context, update, frames))
    if isRight {
      return extras.pointee.right.processModulated(
        x, gain, to: mix, octaves(context), sweep, frames: frames, needs: needs)
    }
    return state.pointee.filter.processModulated(
      x, gain, to: mix, octaves(context), sweep, frames: frames, needs: needs)
  }

  /// Filters both sides by the clean filter, with a modulated cutoff.
  @_noLocks
  mutating func processModulatedSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    let ends = state.pointee.filter.processModulated(
      x, &extras.pointee.right, y, (gain, isPanned ? extras.pointee.rightGain : gain), to: mix, right,
      octaves(context), cutoffSweep(context, update, frames), frames: frames, needs: needs)
    state.pointee.gain.value = ends.0
    if isPanned { extras.pointee.rightGain.value = ends.1 }
  }

  /// The cutoff and the shape during the next frames.
  @_noLocks
  private mutating func cutoffSweep(_ context: RenderContext, _ update: GroupUpdate, _ frames: Int)
    -> CutoffSweep
  {
    CutoffSweep(
      &block.extras.pointee.fm, to: block.state.pointee.filter.shape, update.part(frames), rate: context.rate)
  }

  /// The modulation of each sample, in octaves.
  @_noLocks
  mutating func octaves(_ context: RenderContext) -> UnsafeMutablePointer<Lanes> {
    block.extras.pointee.fm.depth.isAny ? context.mixer.octaves : context.zeros
  }

  /// Advances the modulation by some frames, which both sides have used.
  @_noLocks
  mutating func passFM(_ frames: Int) {
    block.extras.pointee.fm.depth.move(frames: frames)
    block.extras.pointee.fm.cutoff.move(frames: frames)
  }
}
