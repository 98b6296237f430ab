import Scenes

// The sound of a group's oscillators: two of them directly at their levels, or each separately, left and right where they
// differ, and mixed at the end.

extension VoiceOscillators {
  /// Renders at most `Limits.unisonFrames` frames through scratch memory, and, where the sides differ, also into the scratch
  /// memory's `mix`. Returns where the sum is.
  @_noLocks @inline(__always)
  mutating func render(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ update: GroupUpdate, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    var x = context.scratch
    var isSubMixed = false
    if interacts {
      isSubMixed = mixOscillators(control, context, x, update, frames: frames)
    } else {
      x = addOscillators(control, context, update, frames: frames)
    }
    let addsSub = hasSub && !isSubMixed
    if addsSub || hasNoise || (control.pointee.isStereo && !interacts) {
      addSources(control, context, x, update, hasSub: addsSub, frames: frames)
    }
    return x
  }

  /// Renders both oscillators directly at their levels.
  @_noLocks @inline(__always)
  private mutating func addOscillators(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ update: GroupUpdate,
    frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    if hasTables { return addTables(control, context, update, frames: frames) }
    var x = context.zeros
    for oscillator in 0..<LaneBlock.direct {
      x = addOscillator(oscillator, to: x, control, context, frames: frames)
    }
    if x == context.zeros {
      x = context.scratch
      x.update(repeating: .zero, count: frames)
    }
    return x
  }

  /// Renders both oscillators directly at their levels, if one of them reads a wavetable.
  @_noLocks @inline(never)
  mutating func addTables(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ update: GroupUpdate,
    frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    var x = context.zeros
    for oscillator in 0..<LaneBlock.direct {
      readTable(oscillator, oscillator, control, context, update.used, from: Int(update.passed))
      x = addOscillator(oscillator, to: x, control, context, frames: frames)
    }
    return x
  }

  /// Adds one oscillator to `x` at its level. Returns where the sum is.
  @_noLocks @inline(__always)
  mutating func addOscillator(
    _ oscillator: Int, to x: UnsafeMutablePointer<Lanes>, _ control: UnsafePointer<SoundParameters>,
    _ context: RenderContext, frames: Int
  ) -> UnsafeMutablePointer<Lanes> {
    block.oscillators[oscillator].render(
      x, context.scratch, block.levels(oscillator), audible: audible[oscillator],
      levelsMove: levelsMoved[oscillator] != 0, pulse: control.pointee.pulses[oscillator],
      isMoving: widthsMove >> UInt8(oscillator) & 1 != 0,
      fades: fades >> UInt8(oscillator) & 1 != 0, context, frames: frames)
  }

  /// Adds the sub oscillator and noise.
  @_noLocks
  private mutating func addSources(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ update: GroupUpdate, hasSub: Bool, frames: Int
  ) {
    let (extras, isStereo) = (block.extras, control.pointee.isStereo)
    let right = isStereo ? context.mixer.mix : x
    if isStereo && !interacts {
      var i = 0
      while i < frames {
        right[i] = x[i]
        i &+= 1
      }
    }
    if hasSub { extras.pointee.sub.add(sub(control, update.part(frames)), to: x, right, block.kept, context) }
    if hasNoise {
      extras.pointee.noise.add(
        to: x, right, control.pointee.noiseMix, isMoving: hasColors, rate: context.rate,
        isOdd: update.passed & 1 != 0, frames: frames)
    }
  }

  // MARK: - Interacting oscillators

  /// Mixes the first two oscillators and their ring modulation into `x`, and, where the sides differ, also into the
  /// scratch memory's `mix`. The second may modulate the phase of the first. Returns true if the sub oscillator is
  /// included.
  @_noLocks
  mutating func mixOscillators(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ update: GroupUpdate, frames: Int
  ) -> Bool {
    let extras = block.extras
    var isSubMixed = false
    let (part, voices) = (update.part(frames), (block.gains[0].voices, block.gains[1].voices))
    if control.pointee.hasThird || control.pointee.hasFM {
      isSubMixed = mixFurther(control, context, x, update.used, part)
    } else if extras.pointee.index.isAny || extras.pointee.ring.isAny
      || !mixSums(control, context, x, voices, &isSubMixed, update.used, part)
    {
      block.gains[0].summed = ImpulseKey()
      mixEach(control, context, x, voices, update.used, part, moving: context.offsets)
    }
    if part.isLast { block.gains[1].started = 0 }
    extras.oscillator(0).pointee.output.move(frames: frames)
    extras.oscillator(1).pointee.output.move(frames: frames)
    extras.pointee.ring.move(frames: frames)
    extras.pointee.syncRatio.move(frames: frames)
    block.gains[0].pass(frames: frames)
    block.gains[1].pass(frames: frames)
    if sidesMove != 0 { passSides(frames) }
    var oscillator = 0
    while oscillator < control.pointee.count {
      let pointer = block.oscillators + oscillator
      pointer.pointee.phase &+= phaseChange(pointer.pointee.advance, frames)
      oscillator &+= 1
    }
    return isSubMixed
  }

  /// Mixes the oscillators of a sound with a third one, or whose second modulates the cutoff. Returns true if the sub
  /// oscillator is included.
  @_noLocks @inline(never)
  mutating func mixFurther(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ used: UInt8, _ part: BlockPart
  ) -> Bool {
    let (extras, frames) = (block.extras, part.frames)
    let voices = (block.gains[0].voices, block.gains[1].voices)
    var (phases, isSubMixed) = (context.offsets, false)
    if control.pointee.hasThird { phases = makeThird(control, context, used, part) }
    if extras.pointee.index.isAny || extras.pointee.ring.isAny || extras.pointee.fm.depth.isAny
      || phases != context.offsets || !mixSums(control, context, x, voices, &isSubMixed, used, part)
    {
      block.gains[0].summed = ImpulseKey()
      mixEach(control, context, x, voices, used, part, moving: phases)
    }
    if control.pointee.hasThird {
      addThird(control, context, x, frames)
      extras.oscillator(2).pointee.output.move(frames: frames)
      block.gains[2].pass(frames: frames)
    }
    if control.pointee.hasFM { keepModulator(control, context, frames) }
    return isSubMixed
  }

  /// Renders and mixes the first two oscillators separately; `phases` are added to the phase of the second.
  @_noLocks
  mutating func mixEach(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ voices: (UInt8, UInt8), _ used: UInt8, _ part: BlockPart,
    moving phases: UnsafePointer<Phases>
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
        1, self, control, offsets, context, used, part, isModulator: true, isRenderedAgain: isAudible)
      makeOscillator(unison, voices.1, control, context)
      if isWide.1 { place(1, at: unison.scratchIndex, isStereo, scratch, frames) }
    }
    if isAudible || (modulates && !isSoft) {
      makeOscillator(UnisonBlock(1, self, control, offsets, context, used, part), voices.1, control, context)
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
    makeOscillator(UnisonBlock(0, self, control, offsets, context, used, part), voices.0, control, context)
    let (one, two, ring) = (
      extras.oscillator(0).pointee.output, extras.oscillator(1).pointee.output, extras.pointee.ring
    )
    let sides = block.gains[0].sides
    if isStereo, isWide.0, !isWide.1, sidesMove & 1 == 0, sides.step == .zero, !ring.isAny {
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

  // MARK: - The third oscillator

  /// Renders the third oscillator, for the output and as the modulator of the second. Returns the offsets of the
  /// second oscillator's phase.
  @_noLocks
  private mutating func makeThird(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ used: UInt8,
    _ part: BlockPart
  ) -> UnsafePointer<Phases> {
    let (scratch, extras, frames) = (context.mixer, block.extras, part.frames)
    let (isStereo, voices) = (control.pointee.isStereo, block.gains[2].voices)
    let (modulates, isWide) = (extras.pointee.index2.isAny, voices & Unison.sides != 0)
    let isAudible = extras.oscillator(2).pointee.output.isAny
    if !modulates && !isAudible { return context.offsets }
    let isSoft = modulates && block.gains[2].shares.audible & Waveform.jumping != 0
    let offsets = feedBack(2, context.offsets, context, frames)
    if isAudible || !isSoft {
      let unison = UnisonBlock(2, self, control, offsets, context, used, part, isRenderedAgain: isSoft)
      makeOscillator(unison, voices, control, context)
      if isWide { place(2, at: 2, isStereo, scratch, frames) }
    }
    if !modulates { return context.offsets }
    if isSoft {
      let unison = UnisonBlock(2, self, control, offsets, context, used, part, isModulator: true)
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
  private mutating func addThird(
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

  // MARK: - Modulators

  /// Converts the output of a modulator to phase offsets of its carrier, oscillator 0 or 1.
  @_noLocks
  mutating func modulatePhase(
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
  mutating func feedBack(
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

  /// Writes the modulator, the second oscillator, into scratch memory, in octaves, after it has been rendered.
  @_noLocks
  mutating func keepModulator(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ frames: Int
  ) {
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
}
