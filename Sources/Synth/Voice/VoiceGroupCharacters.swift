// The characters of a group's filter: one alone, or several, cross-faded, while the character changes.

extension VoiceGroup {
  /// Computes the shapes of the audible characters from the knobs and their modulation, and adds the features that
  /// they need.
  @_noLocks @inline(never)
  mutating func shapeCharacters(
    _ shares: CharacterShares, resonance: Lanes, _ modes: FilterModes, short: Lanes
  ) {
    let (clean, needs) = (block.state.pointee.filter.shape.loudness, filtering.needs)
    var loudness = clean
    filtering.shares = shares
    if shares.clean == 0 { filtering.wants.bits = 0 }
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
    _ cutoff: Lanes, _ hertz: Lanes, _ context: RenderContext, perFrame: Float, before: FilterNeeds
  ) {
    let (needs, rate) = (filtering.needs, context.rate)
    if needs.isBlended {
      block.extras.pointee.fades.aim(
        at: filtering.shares, rate: rate, perFrame: perFrame, needs: needs, before: before)
    }
    // An update that was cut short has to reach its target first, and so has a voice that starts.
    let mayRest = passed == planned && started == 0
    if needs.hasLadder {
      aimLadder(cutoff, hertz, rate, perFrame: perFrame, before: before, mayRest: mayRest)
    }
    if needs.hasFormant { aimFormant(cutoff, rate, perFrame: perFrame, before: before, mayRest: mayRest) }
    if needs.hasComb { aimComb(cutoff, hertz, context, perFrame: perFrame, before: before, mayRest: mayRest) }
  }

  /// Silences the clean filter before it joins other characters.
  @_noLocks @inline(never)
  func silenceClean() {
    block.state.pointee.filter.silence()
    block.extras.pointee.right.silence()
  }

  /// Makes voices that start jump to the targets.
  @_noLocks @inline(never)
  func startCharacters(_ starting: SIMDMask<SIMD8<Int32>>, frames: Float) {
    let (extras, needs) = (block.extras, filtering.needs)
    if needs.isBlended { extras.pointee.fades.snap(starting, frames: frames) }
    if needs.hasLadder { startLadder(starting, frames: frames) }
    if needs.hasFormant { extras.pointee.formant.snap(starting, frames: frames) }
    if needs.hasComb { extras.pointee.comb.snap(starting, frames: frames) }
  }

  /// Clears a lane.
  @_noLocks @inline(never)
  func resetCharacters(_ lane: Int) {
    let (extras, needs) = (block.extras, filtering.needs)
    if needs.isBlended { extras.pointee.fades.reset(lane) }
    if needs.hasLadder { resetLadder(lane) }
    if needs.hasFormant { resetFormant(lane) }
    if needs.hasComb { resetComb(lane) }
  }

  /// Copies the state of the left side to the right side.
  @_noLocks @inline(never)
  func copyCharacters(_ context: RenderContext) {
    let (extras, needs) = (block.extras, filtering.needs)
    if needs.hasLadder { extras.pointee.ladderRight = extras.pointee.ladderLeft }
    if needs.hasFormant { extras.pointee.formantRight = extras.pointee.formant }
    if needs.hasComb { copyComb(context) }
  }

  // MARK: - Samples

  /// Filters one side.
  @_noLocks @inline(never)
  func filterCharacters(
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let state = block.state
    state.pointee.gain.value = filter(
      x, isRight: false, state.pointee.gain, context, mix: mix, frames: frames)
  }

  /// Filters both sides.
  @_noLocks @inline(never)
  func filterCharacterSides(
    _ x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let (state, extras) = (block.state, block.extras)
    if filtering.needs.isClean {
      extras.pointee.right.low.follow(state.pointee.filter.low)
      extras.pointee.right.high.follow(state.pointee.filter.high)
      extras.pointee.right.extras = state.pointee.filter.extras
    }
    // First, because the left side moves the coefficients of both.
    let gain = paths.isPanned ? extras.pointee.rightGain : state.pointee.gain
    let end = filter(y, isRight: true, gain, context, mix: right, frames: frames)
    if paths.isPanned { extras.pointee.rightGain.value = end }
    filterCharacters(x, context, mix: mix, frames: frames)
  }

  /// Filters one side and adds it to the mix at a gain. Returns the gain after the last sample.
  @_noLocks
  private func filter(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext,
    mix: UnsafeMutablePointer<Lanes>, frames: Int
  ) -> Lanes {
    let needs = filtering.needs
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
      let y = passClean(eased, isRight: isRight, gain, context, frames: frames)
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
  private func pass(
    _ needs: FilterNeeds, _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ context: RenderContext,
    frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    if needs.hasLadder { return passLadder(x, isRight: isRight, context, frames: frames) }
    if needs.hasFormant { return passFormant(x, isRight: isRight, context, frames: frames) }
    return passComb(x, isRight: isRight, context, frames: frames)
  }

  /// Filters one side by the clean filter, for a blend. Returns where the output is.
  @_noLocks
  private func passClean(
    _ x: UnsafeMutablePointer<Lanes>, isRight: Bool, _ gain: Ramp, _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    let (state, extras, y) = (block.state, block.extras, context.mixer.filtered)
    var unit = gain
    unit.rest(at: Lanes(repeating: 1))
    y.update(repeating: .zero, count: frames)
    if filtering.needs.hasFM {
      _ = filterModulated(x, isRight: isRight, unit, context, mix: y, frames: frames)
    } else if isRight {
      _ = extras.pointee.right.processShaped(x, unit, mix: y, frames: frames, needs: filtering.needs)
    } else {
      _ = state.pointee.filter.processShaped(x, unit, mix: y, frames: frames, needs: filtering.needs)
    }
    return y
  }
}
