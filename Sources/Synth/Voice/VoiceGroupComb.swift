// The comb of a group. Its delay memory belongs to a pool that exists while a patch has a comb.

extension VoiceGroup {
  /// The delay memory of one side; nil without a pool.
  @_noLocks
  private func ring(_ context: RenderContext, isRight: Bool) -> CombRing? {
    UnsafePointer<CombPool>(bitPattern: context.comb)?.pointee.ring(block.group, isRight: isRight)
  }

  /// Computes the settings from the knobs and their modulation, for all lanes.
  @_noLocks
  mutating func shapeComb(resonance: Lanes, _ modes: FilterModes, short: Lanes) {
    block.extras.pointee.combShape = CombShape(resonance: resonance, modes: modes, short: short)
    filtering.isCombReshaped = true
    if filtering.shares.comb > 0 { filtering.wants.bits |= FilterNeeds.comb }
  }

  /// Aims the comb at a frequency, and clears the rings of lanes that start to use it.
  @_noLocks
  mutating func aimComb(
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, perFrame: Float, before: FilterNeeds,
    mayRest: Bool
  ) {
    guard let ring = ring(context, isRight: false) else { return }
    let (extras, rate) = (block.extras, context.rate)
    if !before.hasComb {
      (extras.pointee.combPole, extras.pointee.combPoleRight) = (.zero, .zero)
      extras.pointee.comb.begin(
        at: cutoff, hertz: hertz, extras.pointee.combShape, longest: ring.longest, rate: rate)
    }
    // Lanes without a voice are silent anyway.
    let new = before.hasComb ? started : used
    if new != 0 {
      ring.clear(new)
      if paths.isStereo { self.ring(context, isRight: true)?.clear(new) }
    }
    let mayRest = mayRest && before.hasComb && !filtering.isCombReshaped
    filtering.isCombReshaped = false
    filtering.isCombSettled = extras.pointee.comb.aim(
      at: cutoff, hertz: hertz, extras.pointee.combShape, longest: ring.longest, rate: rate,
      perFrame: perFrame,
      mayRest: mayRest)
  }

  /// Copies the state of the left side to the right side.
  @_noLocks
  func copyComb(_ context: RenderContext) {
    guard let left = ring(context, isRight: false), let right = ring(context, isRight: true) else { return }
    right.copy(left)
    block.extras.pointee.combPoleRight = block.extras.pointee.combPole
  }

  /// Clears a lane, except its ring, which is cleared when a voice starts in it.
  @_noLocks
  func resetComb(_ lane: Int) {
    block.extras.pointee.comb.reset(lane)
    block.extras.pointee.combPole[lane] = 0
    block.extras.pointee.combPoleRight[lane] = 0
  }

  /// Filters one side. Returns where the output is.
  @_noLocks
  func passComb(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, y, moves) = (block.extras, context.mixer.filtered, !filtering.isCombSettled)
    guard let ring = ring(context, isRight: isRight) else {
      y.update(repeating: .zero, count: frames)
      return y
    }
    if isRight {
      // The right side moves a copy of the coefficients.
      var comb = extras.pointee.comb
      ring.process(x, to: y, &comb, &extras.pointee.combPoleRight, frames: frames, moves: moves)
    } else {
      ring.process(x, to: y, &extras.pointee.comb, &extras.pointee.combPole, frames: frames, moves: moves)
    }
    return y
  }
}
