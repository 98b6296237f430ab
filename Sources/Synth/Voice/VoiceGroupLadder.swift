// The ladder of a group: alone, or beside the clean filter while the character changes.

extension VoiceGroup {
  /// Computes the shape of the ladder from the knobs and their modulation, for all lanes, and adds what it needs.
  @_noLocks @inline(never)
  mutating func shapeLadder(share: Float, resonance: Lanes, _ modes: FilterModes, short: Lanes) {
    let (state, extras) = (block.state, block.extras)
    let shape = LadderShape(resonance: resonance, modes: modes, short: short)
    extras.pointee.ladder.shape = shape
    filtering.ladder = share
    let clean = state.pointee.filter.shape.loudness
    state.pointee.filter.shape.loudness = multiplyAdd(
      Lanes(repeating: share), shape.loudness - clean, clean)
    if share == 0 { return }
    if share == 1 { filtering.wants.bits = 0 }
    filtering.wants.bits |= FilterNeeds.ladder
    if LadderShape.isMixed(modes, short: short) { filtering.wants.bits |= FilterNeeds.mixed }
  }

  /// Aims the ladder at a cutoff and at its share of the sound.
  @_noLocks @inline(never)
  mutating func aimLadder(
    _ cutoff: Lanes, _ hertz: Lanes, _ rate: Float, perFrame: Float, before: FilterNeeds
  ) {
    let (extras, needs) = (block.extras, filtering.needs)
    if !before.hasLadder {
      (extras.pointee.ladderLeft, extras.pointee.ladderRight) = (LadderStages(), LadderStages())
      extras.pointee.ladder.begin(at: cutoff, hertz: hertz, rate: rate)
    } else if needs.isMixed, !before.isMixed {
      extras.pointee.ladder.mix.rest(at: LadderShape.Levels())
    }
    // An update that was cut short has to reach its target first, and so has a voice that starts.
    let mayRest = before.hasLadder && passed == planned && started == 0
    extras.pointee.ladder.aim(
      at: cutoff, hertz: hertz, rate: rate, perFrame: perFrame, isMixed: needs.isMixed, mayRest: mayRest)
    extras.pointee.ladder.aim(share: filtering.ladder, rate: rate, perFrame: perFrame)
    extras.pointee.ladder.tickle(&extras.pointee.ladderLeft)
    extras.pointee.ladder.tickle(&extras.pointee.ladderRight)
  }

  /// Silences the clean filter, before it runs beside a ladder that ran alone.
  @_noLocks @inline(never)
  func silenceClean() {
    let (state, extras) = (block.state, block.extras)
    state.pointee.filter.silence()
    extras.pointee.right.silence()
    extras.pointee.ladder.cleanEase.rest(at: .zero)
  }

  /// Makes voices that start jump to the ladder's target.
  @_noLocks @inline(never)
  func startLadder(_ starting: SIMDMask<SIMD8<Int32>>, frames: Float) {
    let extras = block.extras
    extras.pointee.ladder.snap(starting, frames: frames)
    extras.pointee.ladder.strike(&extras.pointee.ladderLeft, starting)
    extras.pointee.ladder.strike(&extras.pointee.ladderRight, starting)
  }

  /// Clears a lane of the ladder.
  @_noLocks @inline(never)
  func resetLadder(_ lane: Int) {
    block.extras.pointee.ladder.reset(lane)
    block.extras.pointee.ladderLeft.reset(lane)
    block.extras.pointee.ladderRight.reset(lane)
  }

  /// Filters one side.
  @_noLocks @inline(never)
  func filterLadder(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    let gain = state.pointee.gain
    state.pointee.gain.value = filter(
      x, &extras.pointee.ladder, &extras.pointee.ladderLeft, &state.pointee.filter, gain, context, mix: mix,
      frames: frames)
  }

  /// Filters both sides.
  @_noLocks @inline(never)
  func filterLadderSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    if filtering.needs.isClean {
      extras.pointee.right.low.follow(state.pointee.filter.low)
      extras.pointee.right.high.follow(state.pointee.filter.high)
      extras.pointee.right.extras = state.pointee.filter.extras
    }
    // The right side moves a copy of the coefficients.
    var ladder = extras.pointee.ladder
    let gain = paths.isPanned ? extras.pointee.rightGain : state.pointee.gain
    let end = filter(
      y, &ladder, &extras.pointee.ladderRight, &extras.pointee.right, gain, context, mix: right,
      frames: frames)
    if paths.isPanned { extras.pointee.rightGain.value = end }
    filterLadder(x, context, mix: mix, frames: frames)
  }

  /// Filters one side through the ladder, and through the clean filter if that runs too. Returns the gain after the last
  /// sample.
  @_noLocks
  private func filter(
    _ x: UnsafeMutablePointer<Lanes>, _ ladder: UnsafeMutablePointer<LadderLanes>,
    _ stages: UnsafeMutablePointer<LadderStages>, _ clean: UnsafeMutablePointer<FilterLanes>, _ gain: Ramp,
    _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let needs = filtering.needs
    if !needs.isClean {
      ladder.pointee.process(x, stages, frames: frames, isMixed: needs.isMixed)
      return LadderLanes.add(x, gain, to: mix, frames: frames)
    }
    let (input, output) = (context.mixer.clean, context.mixer.cleanOutput)
    ladder.pointee.divide(x, to: input, output, frames: frames)
    var unit = gain
    unit.rest(at: Lanes(repeating: 1))
    _ = clean.pointee.processShaped(input, unit, mix: output, frames: frames, needs: needs)
    ladder.pointee.process(x, stages, frames: frames, isMixed: needs.isMixed)
    return ladder.pointee.add(x, beside: output, gain, to: mix, frames: frames)
  }
}
