// Phases and phase increments of unison voices, each a vector of eight lanes.

extension VoiceGroup {
  /// Writes phases at the beginning of the block and phase increments of some unison voices into scratch memory, and
  /// advances the phases to the end of the part. The first voice advances with the oscillator.
  @_noLocks
  func pass(
    _ voices: UInt8, _ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>,
    _ scratch: ImpulseScratch
  ) {
    let (oscillators, extras) = (block.oscillators, block.extras)
    scratch.motions(.increment, 0).pointee = unison.increment
    scratch.phases(.phase, 0).pointee = begun(oscillators[unison.oscillator], unison.part)
    let others = voices & Unison.sides & ~1
    let phases = extras.phases(unison.oscillator)
    let knobs = control.oscillator(unison.oscillator)
    var left = others
    if control.pointee.routes.moves(.detune(of: unison.oscillator)) {
      let (offsets, detune) = (
        knobs.pointee.unison.offsets, extras.oscillator(unison.oscillator).pointee.detune
      )
      scratch.factors.pointee = (offsets - Lanes(repeating: offsets[0])) * (1 / 1200)
      while left != 0 {
        let voice = left.trailingZeroBitCount
        // The exponent is at most a third of an octave.
        let factor = exp2OfPart(detune * scratch.factors.lane(voice))
        pass(voice, unison.increment * factor, phases, unison, scratch)
        left &= left &- 1
      }
    } else {
      scratch.factors.pointee = knobs.pointee.factors
      while left != 0 {
        let voice = left.trailingZeroBitCount
        pass(voice, unison.increment * scratch.factors.lane(voice), phases, unison, scratch)
        left &= left &- 1
      }
    }
    if unison.sync > 0 { passMasters(others, unison, scratch) }
  }

  @_noLocks @inline(__always)
  private func pass(
    _ voice: Int, _ increment: Lanes, _ phases: UnsafeMutablePointer<Phases>, _ unison: UnisonBlock,
    _ scratch: ImpulseScratch
  ) {
    let increment = smaller(increment, Self.fastest)
    scratch.motions(.increment, voice).pointee = increment
    scratch.phases(.phase, voice).pointee = pass(phases + (voice &- 1), increment, unison)
  }

  /// Writes phases and phase increments of the masters that synchronize the voices, and advances them.
  @_noLocks
  private func passMasters(_ others: UInt8, _ unison: UnisonBlock, _ scratch: ImpulseScratch) {
    let (first, masters) = (block.oscillators, block.extras.masters)
    scratch.motions(.masterIncrement, 0).pointee = larger(numbers(first.pointee.advance), Lanes(repeating: 1))
    scratch.phases(.masterPhase, 0).pointee = begun(first.pointee, unison.part)
    var left = others
    while left != 0 {
      let voice = left.trailingZeroBitCount
      let increment = smaller(scratch.motions(.increment, voice).pointee * unison.master, Self.fastest)
      scratch.motions(.masterIncrement, voice).pointee = increment
      scratch.phases(.masterPhase, voice).pointee = pass(masters + (voice &- 1), increment, unison)
      left &= left &- 1
    }
  }

  /// Advances a phase by a part of a block, unless the oscillator is rendered again. Returns the phase at the beginning
  /// of the block.
  @_noLocks @inline(__always)
  private func pass(_ phase: UnsafeMutablePointer<Phases>, _ increment: Lanes, _ unison: UnisonBlock)
    -> Phases
  {
    let (advance, now, first) = (advances(increment), phase.pointee, unison.part.first)
    if !unison.isRenderedAgain { phase.pointee = now &+ phaseChange(advance, unison.part.frames) }
    return first == 0 ? now : now &- phaseChange(advance, first)
  }

  /// The phase of an oscillator at the beginning of the block.
  @_noLocks @inline(__always)
  private func begun(_ oscillator: OscillatorLanes, _ part: BlockPart) -> Phases {
    oscillator.phase &- phaseChange(oscillator.advance, part.first)
  }

  private static var fastest: Lanes {
    @_noLocks @inline(__always) get {
      Lanes(repeating: OscillatorLanes.fastest * BandLimitedStep.scale)
    }
  }
}
