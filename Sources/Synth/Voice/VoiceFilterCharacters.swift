// The characters of a filter: one alone, or several, cross-faded, while the character changes.

extension VoiceFilter {
  /// Computes the shapes of the audible characters from the knobs and their modulation, and adds the features that
  /// they need.
  @_noLocks @inline(never)
  mutating func shapeCharacters(
    _ shares: CharacterShares, resonance: Lanes, _ modes: FilterModes, short: Lanes
  ) {
    let (clean, needs) = (block.state.pointee.filter.shape.loudness, self.needs)
    var loudness = clean
    self.shares = shares
    if shares.clean == 0 { wants.bits = 0 }
    if shares.ladder > 0 || needs.hasLadder {
      let shape = shapeLadder(resonance: resonance, modes, short: short)
      loudness = multiplyAdd(Lanes(repeating: shares.ladder), shape.loudness - clean, loudness)
    }
    if shares.formant > 0 || needs.hasFormant {
      shapeFormant(resonance: resonance, modes)
      loudness = multiplyAdd(Lanes(repeating: shares.formant), 1 - clean, loudness)
    }
    if shares.comb > 0 || needs.hasComb {
      shapeComb(resonance: resonance, modes, short: short)
      loudness = multiplyAdd(Lanes(repeating: shares.comb), 1 - clean, loudness)
    }
    block.state.pointee.filter.shape.loudness = loudness
  }

  /// Aims the characters that run, except the clean one.
  @_noLocks @inline(never)
  mutating func aimCharacters(
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, _ update: GroupUpdate, perFrame: Float,
    before: FilterNeeds
  ) {
    let (needs, rate) = (self.needs, context.rate)
    if needs.isBlended {
      block.extras.pointee.fades.aim(
        at: shares, rate: rate, perFrame: perFrame, needs: needs, before: before)
    }
    // An update that was cut short has to reach its target first, and so has a voice that starts.
    let mayRest = update.passed == update.planned && update.started == 0
    if needs.hasLadder {
      aimLadder(cutoff, hertz, rate, perFrame: perFrame, before: before, mayRest: mayRest)
    }
    if needs.hasFormant { aimFormant(cutoff, rate, perFrame: perFrame, before: before, mayRest: mayRest) }
    if needs.hasComb {
      aimComb(cutoff, hertz, context, update, perFrame: perFrame, before: before, mayRest: mayRest)
    }
  }

  /// Silences the clean filter before it joins other characters.
  @_noLocks @inline(never)
  mutating func silenceClean() {
    block.state.pointee.filter.silence()
    block.extras.pointee.right.silence()
  }

  /// Makes voices that start jump to the targets.
  @_noLocks @inline(never)
  mutating func startCharacters(_ starting: SIMDMask<SIMD8<Int32>>, frames: Float) {
    let (extras, needs) = (block.extras, self.needs)
    if needs.isBlended { extras.pointee.fades.snap(starting, frames: frames) }
    if needs.hasLadder { startLadder(starting, frames: frames) }
    if needs.hasFormant { extras.pointee.formant.snap(starting, frames: frames) }
    if needs.hasComb { extras.pointee.comb.snap(starting, frames: frames) }
  }

  /// Clears a lane.
  @_noLocks @inline(never)
  mutating func resetCharacters(_ lane: Int) {
    let (extras, needs) = (block.extras, self.needs)
    if needs.isBlended { extras.pointee.fades.reset(lane) }
    if needs.hasLadder { resetLadder(lane) }
    if needs.hasFormant { resetFormant(lane) }
    if needs.hasComb { resetComb(lane) }
  }

  /// Copies the state of the left side to the right side.
  @_noLocks @inline(never)
  mutating func copyCharacters(_ context: RenderContext) {
    let (extras, needs) = (block.extras, self.needs)
    if needs.hasLadder { extras.pointee.ladderRight = extras.pointee.ladderLeft }
    if needs.hasFormant { extras.pointee.formantRight = extras.pointee.formant }
    if needs.hasComb { copyComb(context) }
  }

  // MARK: - Samples

  /// Filters one side.
  @_noLocks @inline(never)
  mutating func processCharacters(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let state = block.state
    state.pointee.gain.value = process(
      x, isRight: false, state.pointee.gain, context, update, mix: mix, frames: frames)
  }

  /// Filters both sides.
  @_noLocks @inline(never)
  mutating func processCharacterSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    if needs.isClean {
      extras.pointee.right.low.follow(state.pointee.filter.low)
      extras.pointee.right.high.follow(state.pointee.filter.high)
      extras.pointee.right.extras = state.pointee.filter.extras
    }
    // First, because the left side moves the coefficients of both.
    let gain = isPanned ? extras.pointee.rightGain : state.pointee.gain
    let end = process(y, isRight: true, gain, context, update, mix: right, frames: frames)
    if isPanned { extras.pointee.rightGain.value = end }
    processCharacters(x, context, update, mix: mix, frames: frames)
  }

  /// Filters one side and adds it to the mix at a gain. Returns the gain after the last sample.
  @_noLocks
  private mutating func process(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    _ update: GroupUpdate,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let needs = self.needs
    if !needs.isBlended {
      let y = pass(needs, x, isRight: isRight, context, frames: frames)
      return FilterLanes.add(y, level: FilterLanes.gain, gain, to: mix, frames: frames)
    }
    let (extras, sum) = (block.extras, context.mixer.blended)
    sum.update(repeating: .zero, count: frames)
    // The right side moves a copy of the fades.
    var fades = extras.pointee.fades
    let eased = context.mixer.eased
    if needs.isClean {
      fades.clean.ease(x, to: eased, frames: frames)
      let y = passClean(eased, isRight: isRight, gain, context, update, frames: frames)
      fades.clean.add(y, level: 1, to: sum, frames: frames)
    }
    if needs.hasLadder {
      fades.ladder.ease(x, to: eased, frames: frames)
      let y = passLadder(eased, isRight: isRight, context, frames: frames)
      fades.ladder.add(y, level: FilterLanes.gain, to: sum, frames: frames)
    }
    if needs.hasFormant {
      fades.formant.ease(x, to: eased, frames: frames)
      let y = passFormant(eased, isRight: isRight, context, frames: frames)
      fades.formant.add(y, level: FilterLanes.gain, to: sum, frames: frames)
    }
    if needs.hasComb {
      fades.comb.ease(x, to: eased, frames: frames)
      let y = passComb(eased, isRight: isRight, context, frames: frames)
      fades.comb.add(y, level: FilterLanes.gain, to: sum, frames: frames)
    }
    if !isRight { extras.pointee.fades = fades }
    return FilterLanes.add(sum, level: 1, gain, to: mix, frames: frames)
  }

  /// Filters one side by the only character that runs, which is not the clean one. Returns where the output is.
  @_noLocks
  private mutating func pass(
    _ needs: FilterNeeds, _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext,
    frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    if needs.hasLadder { return passLadder(x, isRight: isRight, context, frames: frames) }
    if needs.hasFormant { return passFormant(x, isRight: isRight, context, frames: frames) }
    return passComb(x, isRight: isRight, context, frames: frames)
  }

  /// Filters one side by the clean filter, for a blend. Returns where the output is.
  @_noLocks
  private mutating func passClean(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    _ update: GroupUpdate, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (state, extras, y) = (block.state, block.extras, context.mixer.filtered)
    var unit = gain
    unit.rest(at: Lanes(repeating: 1))
    y.update(repeating: .zero, count: frames)
    if needs.hasFM {
      _ = processModulated(x, isRight: isRight, unit, context, update, mix: y, frames: frames)
    } else if isRight {
      _ = extras.pointee.right.processShaped(x, unit, mix: y, frames: frames, needs: needs)
    } else {
      _ = state.pointee.filter.processShaped(x, unit, mix: y, frames: frames, needs: needs)
    }
    return y
  }

  // MARK: - Ladder

  /// Computes the shape of the ladder from the knobs and their modulation, for all lanes, and adds what it needs.
  @_noLocks
  mutating func shapeLadder(resonance: Lanes, _ modes: FilterModes, short: Lanes) -> LadderShape {
    let shape = LadderShape(resonance: resonance, modes: modes, short: short)
    block.extras.pointee.ladder.shape = shape
    if shares.ladder == 0 { return shape }
    wants.bits |= FilterNeeds.ladder
    if LadderShape.isMixed(modes, short: short) { wants.bits |= FilterNeeds.mixed }
    return shape
  }

  /// Aims the ladder at a cutoff.
  @_noLocks
  mutating func aimLadder(
    _ cutoff: Lanes, _ hertz: Lanes, _ rate: Float, perFrame: Float, before: FilterNeeds, mayRest: Bool
  ) {
    let (extras, needs) = (block.extras, self.needs)
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
  mutating func startLadder(_ starting: SIMDMask<SIMD8<Int32>>, frames: Float) {
    let extras = block.extras
    extras.pointee.ladder.snap(starting, frames: frames)
    extras.pointee.ladder.strike(&extras.pointee.ladderLeft, starting)
    extras.pointee.ladder.strike(&extras.pointee.ladderRight, starting)
  }

  /// Clears a lane of the ladder.
  @_noLocks
  mutating func resetLadder(_ lane: Int) {
    block.extras.pointee.ladder.reset(lane)
    block.extras.pointee.ladderLeft.reset(lane)
    block.extras.pointee.ladderRight.reset(lane)
  }

  /// Filters one side in place. Returns `x`.
  @_noLocks
  mutating func passLadder(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, isMixed) = (block.extras, needs.isMixed)
    if needs.hasFM {
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
  private mutating func passModulatedLadder(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) {
    let (extras, isMixed) = (block.extras, needs.isMixed)
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

  // MARK: - Formants

  /// Computes the peaks from the knobs and their modulation, for all lanes.
  @_noLocks
  mutating func shapeFormant(resonance: Lanes, _ modes: FilterModes) {
    block.extras.pointee.formantShape = FormantShape(resonance: resonance, modes: modes)
    isFormantReshaped = true
    if shares.formant > 0 { wants.bits |= FilterNeeds.formant }
  }

  /// Aims the peaks at a cutoff.
  @_noLocks
  mutating func aimFormant(
    _ cutoff: Lanes, _ rate: Float, perFrame: Float, before: FilterNeeds, mayRest: Bool
  ) {
    let extras = block.extras
    if !before.hasFormant {
      extras.pointee.formant.begin(at: cutoff, extras.pointee.formantShape, rate: rate)
      extras.pointee.formantRight = extras.pointee.formant
    }
    let mayRest = mayRest && before.hasFormant && !isFormantReshaped
    isFormantReshaped = false
    isFormantSettled = extras.pointee.formant.aim(
      at: cutoff, extras.pointee.formantShape, rate: rate, perFrame: perFrame, mayRest: mayRest)
  }

  /// Clears a lane of the peaks.
  @_noLocks
  mutating func resetFormant(_ lane: Int) {
    block.extras.pointee.formant.reset(lane)
    block.extras.pointee.formantRight.reset(lane)
  }

  /// Filters one side. Returns where the output is.
  @_noLocks
  mutating func passFormant(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, y, moves) = (block.extras, context.mixer.filtered, !isFormantSettled)
    if isRight {
      extras.pointee.formantRight.follow(&extras.pointee.formant)
      extras.pointee.formantRight.process(x, to: y, frames: frames, moves: moves)
    } else {
      extras.pointee.formant.process(x, to: y, frames: frames, moves: moves)
    }
    return y
  }

  // MARK: - Comb, whose delay memory belongs to a pool that exists while a patch has one

  /// The delay memory of one side; nil without a pool.
  @_noLocks
  private mutating func ring(_ context: RenderContext, isRight: Bool) -> CombRing? {
    UnsafePointer<CombPool>(bitPattern: context.comb)?.pointee.ring(block.group, isRight: isRight)
  }

  /// Computes the settings from the knobs and their modulation, for all lanes.
  @_noLocks
  mutating func shapeComb(resonance: Lanes, _ modes: FilterModes, short: Lanes) {
    block.extras.pointee.combShape = CombShape(resonance: resonance, modes: modes, short: short)
    isCombReshaped = true
    if shares.comb > 0 { wants.bits |= FilterNeeds.comb }
  }

  /// Aims the comb at a frequency, and clears the rings of lanes that start to use it.
  @_noLocks
  mutating func aimComb(
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, _ update: GroupUpdate, perFrame: Float,
    before: FilterNeeds, mayRest: Bool
  ) {
    guard let ring = ring(context, isRight: false) else { return }
    let (extras, rate) = (block.extras, context.rate)
    if !before.hasComb {
      (extras.pointee.combPole, extras.pointee.combPoleRight) = (.zero, .zero)
      extras.pointee.comb.begin(
        at: cutoff, hertz: hertz, extras.pointee.combShape, longest: ring.longest, rate: rate)
    }
    // Lanes without a voice are silent anyway.
    let new = before.hasComb ? update.started : update.used
    if new != 0 {
      ring.clear(new)
      if isStereo { self.ring(context, isRight: true)?.clear(new) }
    }
    let mayRest = mayRest && before.hasComb && !isCombReshaped
    isCombReshaped = false
    isCombSettled = extras.pointee.comb.aim(
      at: cutoff, hertz: hertz, extras.pointee.combShape, longest: ring.longest, rate: rate,
      perFrame: perFrame,
      mayRest: mayRest)
  }

  /// Copies the state of the left side to the right side.
  @_noLocks
  mutating func copyComb(_ context: RenderContext) {
    guard let left = ring(context, isRight: false), let right = ring(context, isRight: true) else { return }
    right.copy(left)
    block.extras.pointee.combPoleRight = block.extras.pointee.combPole
  }

  /// Clears a lane, except its ring, which is cleared when a voice starts in it.
  @_noLocks
  mutating func resetComb(_ lane: Int) {
    block.extras.pointee.comb.reset(lane)
    block.extras.pointee.combPole[lane] = 0
    block.extras.pointee.combPoleRight[lane] = 0
  }

  /// Filters one side. Returns where the output is.
  @_noLocks
  mutating func passComb(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (extras, y, moves) = (block.extras, context.mixer.filtered, !isCombSettled)
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
