// Oscillators with unison or interaction: each is rendered separately, left and right where they differ, and they are
// mixed at the end.

extension VoiceGroup {
  /// Mixes the first two oscillators and their ring modulation into `x`, and, where the sides differ, also into the
  /// scratch memory's `mix`. The second may modulate the phase of the first. Returns true if the sub oscillator is
  /// included.
  @_noLocks
  func mixOscillators(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    frames: Int
  ) -> Bool {
    let extras = block.extras
    var isSubMixed = false
    let (part, voices) = (part(frames), (block.gains[0].voices, block.gains[1].voices))
    if control.pointee.hasThird || control.pointee.hasFM {
      isSubMixed = mixFurther(control, context, x, part)
    } else if extras.pointee.index.isAny || extras.pointee.ring.isAny
      || !mixSums(control, context, x, voices, &isSubMixed, part)
    {
      block.gains[0].summed = ImpulseKey()
      mixEach(control, context, x, voices, part, moving: context.offsets)
    }
    if part.isLast { block.gains[1].started = 0 }
    extras.oscillator(0).pointee.output.move(frames: frames)
    extras.oscillator(1).pointee.output.move(frames: frames)
    extras.pointee.ring.move(frames: frames)
    extras.pointee.syncRatio.move(frames: frames)
    block.gains[0].pass(frames: frames)
    block.gains[1].pass(frames: frames)
    if oscillators.sidesMove != 0 { passSides(frames) }
    var oscillator = 0
    while oscillator < control.pointee.count {
      let pointer = block.oscillators + oscillator
      pointer.pointee.phase &+= phaseChange(pointer.pointee.advance, frames)
      oscillator &+= 1
    }
    return isSubMixed
  }

  /// Renders and mixes the first two oscillators separately; `phases` are added to the phase of the second.
  @_noLocks
  func mixEach(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ voices: (UInt8, UInt8), _ part: BlockPart, moving phases: UnsafePointer<Phases>
  ) {
    let frames = part.frames
    let (scratch, extras, isStereo) = (context.mixer, block.extras, control.pointee.isStereo)
    let modulates = extras.pointee.index.isAny
    // A waveform with jumps modulates the phase with softer jumps, and is rendered once more for the output.
    let isSoft = modulates && block.gains[1].shares.audible & Waveform.jumping != 0
    let isAudible =
      extras.pointee.ring.isAny || extras.oscillator(1).pointee.output.isAny || extras.pointee.fm.depth.isAny
    let isWide = (voices.0 & Unison.sides != 0, voices.1 & Unison.sides != 0)
    // The right side of each oscillator; without unison it is the left one.
    let right = (isWide.0 ? scratch.right(0) : scratch.left(0), isWide.1 ? scratch.right(1) : scratch.left(1))
    var offsets = phases
    if modulates || isAudible { offsets = feedBack(1, offsets, context, frames) }
    if isSoft {
      let unison = UnisonBlock(
        1, self, control, offsets, context, part, isModulator: true, isRenderedAgain: isAudible)
      makeOscillator(unison, voices.1, control, context)
      if isWide.1 { place(1, at: unison.scratchIndex, isStereo, scratch, frames) }
    }
    if isAudible || (modulates && !isSoft) {
      makeOscillator(UnisonBlock(1, self, control, offsets, context, part), voices.1, control, context)
      if isWide.1 { place(1, at: 1, isStereo, scratch, frames) }
    } else {
      block.gains[1].synced = 0
      scratch.left(1).update(repeating: .zero, count: frames)
      if isStereo { right.1.update(repeating: .zero, count: frames) }
    }
    offsets = context.offsets
    if modulates {
      let scratchIndex = isSoft ? 0 : 1
      let right = isWide.1 ? scratch.right(scratchIndex) : scratch.left(scratchIndex)
      modulatePhase(0, scratch.left(scratchIndex), right, isStereo, scratch.offsets, frames)
      offsets = UnsafePointer(scratch.offsets)
    }
    offsets = feedBack(0, offsets, context, frames)
    makeOscillator(UnisonBlock(0, self, control, offsets, context, part), voices.0, control, context)
    let (one, two, ring) = (
      extras.oscillator(0).pointee.output, extras.oscillator(1).pointee.output, extras.pointee.ring
    )
    let sides = block.gains[0].sides
    if isStereo, isWide.0, !isWide.1, oscillators.sidesMove & 1 == 0, sides.step == .zero, !ring.isAny {
      Self.mix(x, scratch, sides.value, one, two, frames)
    } else {
      if isWide.0 { place(0, at: 0, isStereo, scratch, frames) }
      if ring.isAny {
        Self.mix(x, scratch.left(0), scratch.left(1), one, two, ring, frames)
        if isStereo { Self.mix(scratch.mix, right.0, right.1, one, two, ring, frames) }
      } else {
        Self.mix(x, scratch.left(0), scratch.left(1), one, two, frames)
        if isStereo { Self.mix(scratch.mix, right.0, right.1, one, two, frames) }
      }
    }
  }

  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ first: UnsafeMutablePointer<Lanes>,
    _ second: UnsafeMutablePointer<Lanes>, _ one: Ramp, _ two: Ramp, _ ring: Ramp, _ frames: Int
  ) {
    var (one, two, ring) = (one, two, ring)
    let unit = BandLimitedStep.unit
    var i = 0
    while i < frames {
      let b = second[i] * unit
      let product = multiplyAdd(ring.value, b, one.value) * unit
      x[i] = multiplyAdd(first[i], product, two.value * b)
      one.value += one.step
      two.value += two.step
      ring.value += ring.step
      i &+= 1
    }
  }

  /// Mixes two oscillators without ring modulation.
  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ first: UnsafeMutablePointer<Lanes>,
    _ second: UnsafeMutablePointer<Lanes>, _ one: Ramp, _ two: Ramp, _ frames: Int
  ) {
    let unit = BandLimitedStep.unit
    var (a, b) = (one.value * unit, two.value * unit)
    let (stepA, stepB) = (one.step * unit, two.step * unit)
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(first[i], a, b * second[i])
      a += stepA
      b += stepB
      i &+= 1
    }
  }

  /// Mixes both sides where only the first oscillator is stereo; its voices are placed in the same pass.
  @_noLocks
  private static func mix(
    _ x: UnsafeMutablePointer<Lanes>, _ scratch: MixerScratch, _ sides: SIMD8<Float>, _ one: Ramp,
    _ two: Ramp,
    _ frames: Int
  ) {
    let unit = BandLimitedStep.unit
    let (middle, own, other) = (
      Lanes(repeating: sides[0]), Lanes(repeating: sides[1]), Lanes(repeating: sides[2])
    )
    let (first, left, right) = (scratch.left(0), scratch.leftVoices, scratch.rightVoices)
    let (second, mix) = (scratch.left(1), scratch.mix)
    var (a, b) = (one.value * unit, two.value * unit)
    let (stepA, stepB) = (one.step * unit, two.step * unit)
    var i = 0
    while i < frames {
      let (center, near, far, both) = (first[i] * middle, left[i], right[i], b * second[i])
      x[i] = multiplyAdd(multiplyAdd(far, other, multiplyAdd(near, own, center)), a, both)
      mix[i] = multiplyAdd(multiplyAdd(near, other, multiplyAdd(far, own, center)), a, both)
      a += stepA
      b += stepB
      i &+= 1
    }
  }

  // MARK: - Phases

  /// Converts the output of a modulator to phase offsets of its carrier, oscillator 0 or 1.
  @_noLocks
  func modulatePhase(
    _ carrier: Int, _ left: UnsafeMutablePointer<Lanes>, _ right: UnsafeMutablePointer<Lanes>,
    _ isStereo: Bool, _ offsets: UnsafeMutablePointer<Phases>, _ frames: Int
  ) {
    var index = block.extras.index(carrier).pointee
    let unit = isStereo ? 0.5 * BandLimitedStep.unit : BandLimitedStep.unit
    var i = 0
    while i < frames {
      let modulator = isStereo ? left[i] + right[i] : left[i]
      offsets[i] = phases(index.value * modulator * unit)
      index.value += index.step
      i &+= 1
    }
    block.extras.index(carrier).pointee.value = index.value
  }

  /// Phase feedback of an oscillator, by the mean of its last two samples as in Yamaha's DX7, which prevents
  /// oscillation at half the sample rate. The modulator is the sine of its own phase, whatever its waveform.
  @_noLocks
  func feedBack(
    _ oscillator: Int, _ offsets: UnsafePointer<Phases>, _ context: RenderContext, _ frames: Int
  ) -> UnsafePointer<Phases> {
    let extras = block.extras.oscillator(oscillator)
    guard extras.pointee.feedback.depth.isAny else { return offsets }
    let (out, advance) = (context.mixer.offsets, block.oscillators[oscillator].advance)
    var (s, state) = (block.oscillators[oscillator].phase, extras.pointee.feedback)
    var i = 0
    while i < frames {
      let own = phases(0.5 * state.depth.value * (state.last + state.before))
      let offset = offsets[i] &+ own
      out[i] = offset
      state.before = state.last
      state.last = sinePi(numbers(s &+ offset) * BandLimitedStep.unit)
      state.depth.value += state.depth.step
      s &+= advance
      i &+= 1
    }
    extras.pointee.feedback = state
    return UnsafePointer(out)
  }
}
