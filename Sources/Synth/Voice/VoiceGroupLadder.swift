// The ladder of a group.

extension VoiceGroup {
  /// Computes the shape of the ladder from the knobs and their modulation, for all lanes, and adds what it needs.
  @_noLocks
  mutating func shapeLadder(resonance: Lanes, _ modes: FilterModes, short: Lanes) -> LadderShape {
    let shape = LadderShape(resonance: resonance, modes: modes, short: short)
    block.extras.pointee.ladder.shape = shape
    if filtering.shares.ladder == 0 { return shape }
    filtering.wants.bits |= FilterNeeds.ladder
    if LadderShape.isMixed(modes, short: short) { filtering.wants.bits |= FilterNeeds.mixed }
    return shape
  }

  /// Aims the ladder at a cutoff.
  @_noLocks
  mutating func aimLadder(
    _ cutoff: Lanes, _ hertz: Lanes, _ rate: Float, perFrame: Float, before: FilterNeeds, mayRest: Bool
  ) {
    let (extras, needs) = (block.extras, filtering.needs)
    if !before.hasLadder {
      (extras.pointee.ladderLeft, extras.pointee.ladderRight) = (LadderStages(), LadderStages())
      extras.pointee.ladder.begin(at: cutoff, hertz: hertz, rate: rate)
    } else if needs.isMixed, !before.isMixed {
      extras.pointee.ladder.mix.rest(at: LadderShape.Levels())
    }
    extras.pointee.ladder.aim(
      at: cutoff, hertz: hertz, rate: rate, perFrame: perFrame, isMixed: needs.isMixed,
      mayRest: mayRest && before.hasLadder)
    extras.pointee.ladder.tickle(&extras.pointee.ladderLeft)
    extras.pointee.ladder.tickle(&extras.pointee.ladderRight)
  }

  /// Makes voices that start jump to the ladder's target.
  @_noLocks
  func startLadder(_ starting: SIMDMask<SIMD8<Int32>>, frames: Float) {
    let extras = block.extras
    extras.pointee.ladder.snap(starting, frames: frames)
    extras.pointee.ladder.strike(&extras.pointee.ladderLeft, starting)
    extras.pointee.ladder.strike(&extras.pointee.ladderRight, starting)
  }

  /// Clears a lane of the ladder.
  @_noLocks
  func resetLadder(_ lane: Int) {
    block.extras.pointee.ladder.reset(lane)
    block.extras.pointee.ladderLeft.reset(lane)
    block.extras.pointee.ladderRight.reset(lane)
  }

  /// Filters one side in place. Returns `x`.
  @_noLocks
  func passLadder(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, isMixed) = (block.extras, filtering.needs.isMixed)
    if filtering.needs.hasFM {
      passModulatedLadder(x, isRight: isRight, context, frames: frames)
      return x
    }
    if isRight {
      // The right side moves a copy of the coefficients.
      var ladder = extras.pointee.ladder
      ladder.process(x, &extras.pointee.ladderRight, frames: frames, isMixed: isMixed)
    } else {
      extras.pointee.ladder.process(x, &extras.pointee.ladderLeft, frames: frames, isMixed: isMixed)
    }
    return x
  }

  @_noLocks @inline(never)
  private func passModulatedLadder(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) {
    let (extras, isMixed) = (block.extras, filtering.needs.isMixed)
    let (octaves, cutoff) = (octaves(context), extras.pointee.fm.cutoff)
    if isRight {
      var ladder = extras.pointee.ladder
      ladder.processModulated(
        x, &extras.pointee.ladderRight, octaves, cutoff, frames: frames, isMixed: isMixed, rate: context.rate)
    } else {
      extras.pointee.ladder.processModulated(
        x, &extras.pointee.ladderLeft, octaves, cutoff, frames: frames, isMixed: isMixed, rate: context.rate)
    }
  }
}
