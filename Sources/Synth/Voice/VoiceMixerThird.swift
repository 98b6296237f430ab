// The third oscillator. It is rendered separately, modulates the phase of the second oscillator, and is added to the mix.

extension VoiceGroup {
  /// Mixes the oscillators of a sound with a third one, or whose second modulates the cutoff. Returns true if the sub
  /// oscillator is included.
  @_noLocks @inline(never)
  func mixFurther(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ part: BlockPart
  ) -> Bool {
    let (extras, frames) = (block.extras, part.frames)
    let voices = (block.gains[0].voices, block.gains[1].voices)
    var (phases, isSubMixed) = (context.offsets, false)
    if control.pointee.hasThird { phases = makeThird(control, context, part) }
    if extras.pointee.index.isAny || extras.pointee.ring.isAny || extras.pointee.fm.depth.isAny
      || phases != context.offsets || !mixSums(control, context, x, voices, &isSubMixed, part)
    {
      block.gains[0].summed = ImpulseKey()
      mixEach(control, context, x, voices, part, moving: phases)
    }
    if control.pointee.hasThird {
      addThird(control, context, x, frames)
      extras.oscillator(2).pointee.output.move(frames: frames)
      block.gains[2].pass(frames: frames)
    }
    if control.pointee.hasFM { keepModulator(control, context, frames) }
    return isSubMixed
  }

  /// Renders the third oscillator, for the output and as the modulator of the second. Returns the offsets of the
  /// second oscillator's phase.
  @_noLocks
  private func makeThird(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ part: BlockPart
  ) -> UnsafePointer<Phases> {
    let (scratch, extras, frames) = (context.mixer, block.extras, part.frames)
    let (isStereo, voices) = (control.pointee.isStereo, block.gains[2].voices)
    let (modulates, isWide) = (extras.pointee.index2.isAny, voices & Unison.sides != 0)
    let isAudible = extras.oscillator(2).pointee.output.isAny
    if !modulates && !isAudible { return context.offsets }
    let isSoft = modulates && block.gains[2].shares.audible & Waveform.jumping != 0
    let offsets = feedBack(2, context.offsets, context, frames)
    if isAudible || !isSoft {
      let unison = UnisonBlock(2, self, control, offsets, context, part, isRenderedAgain: isSoft)
      makeOscillator(unison, voices, control, context)
      if isWide { place(2, at: 2, isStereo, scratch, frames) }
    }
    if !modulates { return context.offsets }
    if isSoft {
      let unison = UnisonBlock(2, self, control, offsets, context, part, isModulator: true)
      makeOscillator(unison, voices, control, context)
      if isWide { place(2, at: 0, isStereo, scratch, frames) }
    }
    let index = isSoft ? 0 : 2
    let right = isWide ? scratch.right(index) : scratch.left(index)
    modulatePhase(1, scratch.left(index), right, isStereo, scratch.offsets, frames)
    return UnsafePointer(scratch.offsets)
  }

  /// Adds the third oscillator to the mix of the others.
  @_noLocks
  private func addThird(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ frames: Int
  ) {
    let output = block.extras.oscillator(2).pointee.output
    if !output.isAny { return }
    let isWide = block.gains[2].voices & Unison.sides != 0
    let left = context.mixer.left(2)
    Self.add(left, to: x, output, frames)
    if !control.pointee.isStereo { return }
    Self.add(isWide ? context.mixer.right(2) : left, to: context.mixer.mix, output, frames)
  }

  @_noLocks
  private static func add(
    _ samples: UnsafeMutablePointer<Lanes>, to x: UnsafeMutablePointer<Lanes>, _ level: Ramp, _ frames: Int
  ) {
    var level = level
    let unit = BandLimitedStep.unit
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(samples[i] * unit, level.value, x[i])
      level.value += level.step
      i &+= 1
    }
  }

  /// Aims the modulation of the second oscillator's phase by the third.
  @_noLocks @inline(never)
  func aimThird(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    let (extras, starting) = (block.extras, mask(started | ~used))
    let isIndexed = control.pointee.index2 > 0 || control.pointee.routes.moves(.pm2)
    if !isIndexed && !isAny(extras.pointee.index2.value) { return extras.pointee.index2.rest(at: .zero) }
    let goal = control.routes.moved(control.pointee.index2, by: .pm2, sums, most: MixerKnobs.mostIndex)
    let (two, three) = (numbers(block.oscillators[1].advance), numbers(block.oscillators[2].advance))
    aimModulation(1, at: goal, two, by: three, starting, perFrame: perFrame)
  }
}
