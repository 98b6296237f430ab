import Scenes

// The unison voices of an oscillator. They share a lane, because one filter and one set of envelopes are enough for all
// of them. Voices in the middle, left and right are summed separately, so that a voice costs no multiplication. Voices
// that are saws or pulses only, at full level, are rendered as sums of their jumps.

extension VoiceOscillators {
  /// Values that all voices of an oscillator share while a block is rendered.
  struct UnisonBlock {
    let oscillator: Int
    /// True while an oscillator with jumps is rendered as the phase modulator of the one before it: its jumps are
    /// then smoothed over at least four times as many samples, so that the phase does not jump.
    let isModulator: Bool
    /// True if the same part is rendered once more after this: once as a modulator, once for the output.
    let isRenderedAgain: Bool
    /// The lanes that carry a voice.
    let used: UInt8
    let part: BlockPart
    let sync: Float
    /// Phase offset of each sample.
    let offsets: UnsafePointer<Phases>
    /// Phase increment of the first voice per sample, in phase units, and its pulse at the beginning of the block.
    let increment: Lanes
    let pulse: PulseWidth
    /// Periods of the first oscillator per period of this one, where they are synchronized.
    let master: Lanes
    /// Audible waveforms, one bit each.
    let audible: UInt8
    /// True if the only waveform is a pulse.
    let isPulse: Bool
    /// The voices rendered as sums, as bits by weight: voices at full level that are saws or pulses only, or, where
    /// they are fully synchronized, saws only.
    let summed: UInt8

    @_noLocks
    init(
      _ oscillator: Int, _ oscillators: VoiceOscillators, _ control: UnsafePointer<SoundParameters>,
      _ offsets: UnsafePointer<Phases>, _ context: RenderContext, _ used: UInt8,
      _ part: BlockPart,
      isModulator: Bool = false, isRenderedAgain: Bool = false
    ) {
      (self.oscillator, self.part, self.offsets) = (oscillator, part, offsets)
      (self.used, self.isModulator, self.isRenderedAgain) = (used, isModulator, isRenderedAgain)
      let (first, gains) = (oscillators.block.oscillators, oscillators.block.gains + oscillator)
      let own = first + oscillator
      sync = oscillator == 1 ? control.pointee.sync : 0
      increment = larger(numbers(own.pointee.advance), Lanes(repeating: 1))
      pulse = oscillators.pulse(oscillator, control).moved(by: -part.first)
      audible = gains.pointee.shares.audible
      isPulse = audible == UInt8(1) &<< UInt8(Waveform.square.index)
      let isSaw = audible == UInt8(1) &<< UInt8(Waveform.saw.index)
      var isSum = audible & ~gains.pointee.shares.whole == 0
      if sync == 0 {
        master = .zero
        isSum = isSum && (isSaw || isPulse) && offsets == context.offsets
        isSum = isSum && !WaveSource.fades(increment * BandLimitedStep.unit)
      } else {
        master = larger(numbers(first.pointee.advance), Lanes(repeating: 1)) * inverse(increment)
        isSum = isSum && isSaw && sync == 1 && !SyncSource.fades(own.pointee.advance)
        isSum = isSum && !SyncSource.fades(first.pointee.advance)
      }
      summed = isSum && !isModulator ? gains.pointee.weights.whole : 0
    }

    /// Index of the scratch memory that it is rendered into: a modulator uses that of the first oscillator, which is
    /// rendered after it.
    var scratchIndex: Int { @_noLocks @inline(__always) get { isModulator ? 0 : oscillator } }

    /// Adds the composition of some of its voices to an impulse key.
    @_noLocks @inline(__always)
    func add(
      _ voices: UInt8, to kind: inout ImpulseKey, _ control: UnsafePointer<SoundParameters>, isWide: Bool
    ) {
      kind.add(
        voices, of: oscillator, isPulse: isPulse, isSynced: sync > 0,
        isFirstLeft: control.oscillator(oscillator).pointee.unison.isFirstLeft, isWide: isWide)
    }
  }

  /// Renders an oscillator at full level into scratch memory, in phase units of ±2^31: all its unison voices in all
  /// audible waveforms. Those among `voices` that belong to `Unison.sides` still have to be placed.
  @_noLocks
  mutating func makeOscillator(
    _ unison: UnisonBlock, _ voices: UInt8, _ control: UnsafePointer<SoundParameters>,
    _ context: RenderContext
  ) {
    let scratch = context.mixer
    if voices & Unison.sides == 0 {
      makeVoices(unison, control, voices, scratch.left(unison.scratchIndex), context)
    } else {
      let left = Self.left(unison, control)
      makeVoices(unison, control, voices & ~Unison.sides, scratch.left(unison.scratchIndex), context)
      makeVoices(unison, control, voices & left, scratch.leftVoices, context)
      makeVoices(unison, control, voices & Unison.sides & ~left, scratch.rightVoices, context)
    }
    if unison.isModulator { return }
    if unison.part.isLast { block.gains[unison.oscillator].synced = unison.sync == 1 ? unison.summed : 0 }
  }

  /// The voices on the left, one bit each.
  @_noLocks @inline(__always)
  static func left(_ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>) -> UInt8 {
    Unison.left | (control.oscillator(unison.oscillator).pointee.unison.isFirstLeft ? 1 : 0)
  }

  /// Renders the sum of some voices.
  @_noLocks
  private mutating func makeVoices(
    _ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>, _ voices: UInt8,
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let (summed, others) = (voices & unison.summed, voices & ~unison.summed)
    if summed != 0 {
      var sum = ImpulseTrain(context.mixer.sum, block.kept, unison.part, isWide: false)
      sum.begin(unison.oscillator, Lanes(repeating: 1), middle: 1)
      add(summed, of: unison, left: 0, right: 0, control, to: &sum)
      sum.place()
      sum.finish(x, x)
    } else {
      clear(x, unison.part.frames)
    }
    if others != 0 { addVoices(unison, control, others, x, context) }
  }

  /// Adds voices that are not sums of jumps.
  @_noLocks @inline(never)
  private mutating func addVoices(
    _ unison: UnisonBlock, _ control: UnsafePointer<SoundParameters>, _ voices: UInt8,
    _ x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let oscillators = block.oscillators
    let own = oscillators[unison.oscillator]
    let reach = blunting(unison)
    var source = WaveSource(
      own.phase, advance: own.advance, steepness: larger(own.steepness / reach, Lanes(repeating: 1)))
    source.reach = reach
    let end = reach * block.extras.oscillator(unison.oscillator).pointee.endBlunting
    source.endSteepness = larger(own.steepness / end, Lanes(repeating: 1))
    source.pulse = unison.pulse.moved(by: unison.part.first)
    if unison.audible & Waveform.wavetable.bit != 0 {
      let lanes = unison.isModulator ? Self.modulator(unison.oscillator) : unison.oscillator
      readTable(lanes, unison.oscillator, control, context, unison.used, from: unison.part.first)
      source.table = UInt(bitPattern: context.table)
    }
    let scratch = context.mixer.sum
    pass(voices, unison, control, scratch)
    var left = voices
    while left != 0 {
      let weight = left.trailingZeroBitCount
      let side = weight == OscillatorGains.middle ? 0 : weight
      if side > 0 { source.advance = advances(scratch.motions(.increment, side).pointee) }
      let (first, masterAdvance) = (
        unison.part.first, advances(scratch.motions(.masterIncrement, side).pointee)
      )
      source.phase = scratch.phases(.phase, side).pointee &+ phaseChange(source.advance, first)
      let master = SyncMaster(
        phase: scratch.phases(.masterPhase, side).pointee &+ phaseChange(masterAdvance, first),
        advance: masterAdvance, steepness: larger(oscillators[0].steepness / reach, Lanes(repeating: 1)),
        ratio: block.extras.pointee.syncRatio)
      addWaves(unison, source, master, side, weight, to: x, context)
      left &= left &- 1
    }
  }

  /// The factor by which the smoothing of jumps and corners is widened.
  @_noLocks @inline(__always)
  private mutating func blunting(_ unison: UnisonBlock) -> Lanes {
    let own = block.extras.oscillator(unison.oscillator).pointee.blunting
    return unison.isModulator ? own * block.extras.softness(of: unison.oscillator).pointee : own
  }

  /// Adds one voice, waveform by waveform at their levels.
  @_noLocks
  private mutating func addWaves(
    _ unison: UnisonBlock, _ source: WaveSource, _ master: SyncMaster, _ voice: Int, _ weight: Int,
    to x: UnsafeMutablePointer<Lanes>, _ context: RenderContext
  ) {
    let gains = block.gains + unison.oscillator
    let (wave, frames, count) = (context.mixer.wave, unison.part.frames, Float(unison.part.frames))
    var waveform = 0
    while unison.audible >> UInt8(waveform) != 0 {
      let level = gains.pointee.shares.value[waveform] * gains.pointee.weights.value[weight]
      let end =
        (gains.pointee.shares.value[waveform] + gains.pointee.shares.step[waveform] * count)
        * (gains.pointee.weights.value[weight] + gains.pointee.weights.step[weight] * count)
      if level > 0 || end > 0 {
        if waveform != Waveform.noise.index {
          fill(waveform, source, master, unison.sync, unison.offsets, context, frames)
        } else if voice == 0 {
          block.oscillators[unison.oscillator].fillNoise(wave, frames: frames)
        } else {
          clear(wave, frames)
        }
        let scale = BandLimitedStep.scale
        Self.add(wave, to: x, level * scale, step: (end - level) * scale / count, frames)
      }
      waveform &+= 1
    }
  }

  /// Renders a waveform of one voice into scratch memory, with the amount of hard sync that the knob sets.
  @_noLocks
  private mutating func fill(
    _ waveform: Int, _ source: WaveSource, _ master: SyncMaster, _ sync: Float,
    _ offsets: UnsafePointer<Phases>, _ context: RenderContext, _ frames: Int
  ) {
    let scratch = context.mixer
    if sync < 1 { source.fill(waveform, scratch.wave, offsets, frames: frames) }
    if sync == 0 { return }
    SyncSource(master, source).fill(waveform, sync < 1 ? scratch.other : scratch.wave, frames: frames)
    if sync == 1 { return }
    var i = 0
    while i < frames {
      scratch.wave[i] += sync * (scratch.other[i] - scratch.wave[i])
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private mutating func clear(_ x: UnsafeMutablePointer<Lanes>, _ frames: Int) {
    var i = 0
    while i < frames {
      x[i] = .zero
      i &+= 1
    }
  }

  @_noLocks @inline(__always)
  private static func add(
    _ wave: UnsafeMutablePointer<Lanes>, to x: UnsafeMutablePointer<Lanes>, _ level: Float, step: Float,
    _ frames: Int
  ) {
    var level = level
    var i = 0
    while i < frames {
      x[i] = multiplyAdd(wave[i], Lanes(repeating: level), x[i])
      level += step
      i &+= 1
    }
  }

  /// Adds some voices to a sum; some of them lie left, some right, and the others in the middle.
  @_noLocks
  mutating func add(
    _ voices: UInt8, of unison: UnisonBlock, left: UInt8, right: UInt8,
    _ control: UnsafePointer<SoundParameters>, to sum: inout ImpulseTrain
  ) {
    pass(voices, unison, control, sum.scratch)
    if unison.sync > 0 { beginSynced(voices, sum.kept.synced, sum.scratch) }
    add(Self.slots(voices & ~(left | right)), 0, unison, to: &sum)
    if left | right == 0 { return }
    add(Self.slots(voices & left), 1, unison, to: &sum)
    add(Self.slots(voices & right), 2, unison, to: &sum)
  }

  @_noLocks @inline(__always)
  private mutating func add(_ slots: UInt8, _ pan: Int, _ unison: UnisonBlock, to sum: inout ImpulseTrain) {
    if unison.sync > 0 {
      sum.addSynced(slots, pan)
    } else if unison.isPulse {
      sum.addPulses(slots, unison.pulse, pan)
    } else {
      sum.add(slots, pan)
    }
  }

  /// The indices of voices given as bits by weight, one bit each: the first voice has a second weight for the middle.
  @_noLocks @inline(__always)
  static func slots(_ voices: UInt8) -> UInt8 {
    voices & Unison.sides | voices &>> UInt8(OscillatorGains.middle)
  }

  /// Starts synchronized saws at the phases of their masters: voices that were not synchronized before, and lanes that
  /// have started.
  @_noLocks
  private mutating func beginSynced(_ voices: UInt8, _ synced: SyncedSawState, _ scratch: ImpulseScratch) {
    let (begun, started) = (block.gains[1].synced, block.gains[1].started)
    if started == 0 && voices & ~begun == 0 { return }
    var left = voices
    while left != 0 {
      let weight = left.trailingZeroBitCount
      let slot = weight == OscillatorGains.middle ? 0 : weight
      synced.begin(
        mask(begun &>> UInt8(weight) & 1 != 0 ? started : 0xff), slot,
        increment: scratch.motions(.increment, slot).pointee, scratch.phases(.masterPhase, slot).pointee,
        masterIncrement: scratch.motions(.masterIncrement, slot).pointee)
      left &= left &- 1
    }
  }

  // MARK: - Sums of jumps

  /// Mixes both oscillators in one pass if both are sums with constant levels and positions: into `x`, and, where the
  /// sides differ, also into the scratch memory's `mix`. The sub oscillator is included if it is a sum too. Returns
  /// false if the oscillators are not sums.
  @_noLocks
  mutating func mixSums(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ voices: (UInt8, UInt8), _ isSubMixed: inout Bool, _ used: UInt8, _ part: BlockPart
  ) -> Bool {
    let (one, two) = (
      UnisonBlock(0, self, control, context.offsets, context, used, part),
      UnisonBlock(1, self, control, context.offsets, context, used, part)
    )
    let hasTwo = block.extras.oscillator(1).pointee.output.isAny
    guard isSettled(one, voices.0), !hasTwo || isSettled(two, voices.1) else { return false }
    isSubMixed = isSubSum(control)
    let isWide =
      control.pointee.isStereo && (isWide(0, voices.0) || (hasTwo && isWide(1, voices.1)))
    var kind = ImpulseKey()
    if part.planned & (Limits.controlFrames &- 1) == 0 && !movesWidth(one) && !(hasTwo && movesWidth(two)) {
      one.add(voices.0, to: &kind, control, isWide: isWide)
      if hasTwo { two.add(voices.1, to: &kind, control, isWide: isWide) }
      if isSubMixed { kind.addSub(control.pointee.subWave) }
    }
    var sum = ImpulseTrain(
      context.mixer.sum, block.kept, part, isWide: isWide,
      continues: kind.isAny && kind == block.gains[0].summed, isKept: kind.isAny)
    if part.isLast { block.gains[0].summed = kind }
    add(one, voices.0, control, to: &sum)
    if hasTwo {
      add(two, voices.1, control, to: &sum)
    } else {
      block.gains[1].synced = 0
    }
    if isSubMixed { block.extras.pointee.sub.add(sub(control, part), to: &sum) }
    sum.finish(x, control.pointee.isStereo ? context.mixer.mix : x)
    return true
  }

  /// Ends a block earlier than planned after a change of a lane: moves synchronized saws to their state after the
  /// last sample.
  @_noLocks @inline(never)
  mutating func endSynced(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ update: GroupUpdate
  ) {
    let part = BlockPart(Int(update.passed), from: Int(update.passed), frames: 0)
    let unison = UnisonBlock(1, self, control, context.offsets, context, update.used, part)
    let voices = block.gains[1].voices & unison.summed
    if unison.sync < 1 || voices == 0 { return }
    var sum = ImpulseTrain(context.mixer.sum, block.kept, part, isWide: false)
    sum.begin(1, Lanes(repeating: 1), middle: 1)
    add(voices, of: unison, left: 0, right: 0, control, to: &sum)
    sum.place()
    block.gains[1].synced = unison.summed
  }

  @_noLocks @inline(__always)
  private mutating func isSettled(_ unison: UnisonBlock, _ voices: UInt8) -> Bool {
    let oscillator = unison.oscillator
    return voices & ~unison.summed == 0 && sidesMove &>> UInt8(oscillator) & 1 == 0
      && !block.extras.oscillator(oscillator).pointee.feedback.depth.isAny
      && !isAny(block.gains[oscillator].sides.step)
      && !isAny(block.extras.oscillator(oscillator).pointee.output.step)
  }

  /// True when the sub oscillator is made of jumps, like the first oscillator above it, and its level is constant.
  @_noLocks @inline(__always)
  private mutating func isSubSum(_ control: UnsafePointer<SoundParameters>) -> Bool {
    hasSub && control.pointee.subWave != 0 && !isAny(block.extras.pointee.sub.level.step)
  }

  /// True when the ends of pulses move relative to their beginnings.
  @_noLocks @inline(__always)
  private mutating func movesWidth(_ unison: UnisonBlock) -> Bool {
    unison.isPulse && widthsMove &>> UInt8(unison.oscillator) & 1 != 0
  }

  /// True when left and right of an oscillator differ.
  @_noLocks @inline(__always)
  private mutating func isWide(_ oscillator: Int, _ voices: UInt8) -> Bool {
    let sides = block.gains[oscillator].sides.value
    return voices & Unison.sides != 0 && sides[1] != sides[2]
  }

  /// Adds an oscillator to a sum, at its level and with the positions of its voices.
  @_noLocks
  private mutating func add(
    _ unison: UnisonBlock, _ voices: UInt8, _ control: UnsafePointer<SoundParameters>,
    to sum: inout ImpulseTrain
  ) {
    let sides = block.gains[unison.oscillator].sides.value
    let level = block.extras.oscillator(unison.oscillator).pointee.output.value * BandLimitedStep.unit
    let hasSides = voices & Unison.sides != 0
    if hasSides {
      let left = Self.left(unison, control)
      sum.begin(unison.oscillator, level, middle: sides[0], own: sides[1], other: sides[2])
      add(voices, of: unison, left: left, right: Unison.sides & ~left, control, to: &sum)
    } else {
      sum.begin(unison.oscillator, level, middle: 1)
      add(voices, of: unison, left: 0, right: 0, control, to: &sum)
    }
    sum.place()
    if unison.part.isLast { block.gains[unison.oscillator].synced = unison.sync == 1 ? unison.summed : 0 }
  }

  // MARK: - Phases

  /// Writes phases at the beginning of the block and phase increments of some unison voices into scratch memory, and
  /// advances the phases to the end of the part. The first voice advances with the oscillator.
  @_noLocks
  mutating func pass(
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
  private mutating func pass(
    _ voice: Int, _ increment: Lanes, _ phases: UnsafeMutablePointer<Phases>, _ unison: UnisonBlock,
    _ scratch: ImpulseScratch
  ) {
    let increment = smaller(increment, Self.fastest)
    scratch.motions(.increment, voice).pointee = increment
    scratch.phases(.phase, voice).pointee = pass(phases + (voice &- 1), increment, unison)
  }

  /// Writes phases and phase increments of the masters that synchronize the voices, and advances them.
  @_noLocks
  private mutating func passMasters(_ others: UInt8, _ unison: UnisonBlock, _ scratch: ImpulseScratch) {
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
  private mutating func pass(_ phase: UnsafeMutablePointer<Phases>, _ increment: Lanes, _ unison: UnisonBlock)
    -> Phases
  {
    let (advance, now, first) = (advances(increment), phase.pointee, unison.part.first)
    if !unison.isRenderedAgain { phase.pointee = now &+ phaseChange(advance, unison.part.frames) }
    return first == 0 ? now : now &- phaseChange(advance, first)
  }

  /// The phase of an oscillator at the beginning of the block.
  @_noLocks @inline(__always)
  private mutating func begun(_ oscillator: OscillatorLanes, _ part: BlockPart) -> Phases {
    oscillator.phase &- phaseChange(oscillator.advance, part.first)
  }

  private static var fastest: Lanes {
    @_noLocks @inline(__always) get {
      Lanes(repeating: OscillatorLanes.fastest * BandLimitedStep.scale)
    }
  }

  // MARK: - Sides

  /// Places the voices of an oscillator's sides, which were rendered last, on left and right of scratch memory `scratchIndex`.
  @_noLocks
  mutating func place(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    if sidesMove &>> UInt8(oscillator) & 1 != 0 {
      placeLanes(oscillator, at: scratchIndex, isStereo, scratch, frames)
    } else {
      placeSides(oscillator, at: scratchIndex, isStereo, scratch, frames)
    }
  }

  /// Places the voices of both sides according to the spread.
  @_noLocks
  private mutating func placeSides(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    let (value, step) = (block.gains[oscillator].sides.value, block.gains[oscillator].sides.step)
    var (middle, own, other) = (value[0], value[1], value[2])
    let (left, right) = (scratch.left(scratchIndex), scratch.right(scratchIndex))
    var i = 0
    if step == .zero, isStereo {
      let (middle, own, other) = (
        Lanes(repeating: middle), Lanes(repeating: own), Lanes(repeating: other)
      )
      while i < frames {
        let (x, y, z) = (left[i] * middle, scratch.leftVoices[i], scratch.rightVoices[i])
        left[i] = multiplyAdd(z, other, multiplyAdd(y, own, x))
        right[i] = multiplyAdd(y, other, multiplyAdd(z, own, x))
        i &+= 1
      }
      return
    }
    while i < frames {
      let (x, y, z) = (left[i] * middle, scratch.leftVoices[i], scratch.rightVoices[i])
      left[i] = Self.placed(x, near: y, far: z, own, other)
      if isStereo { right[i] = Self.placed(x, near: z, far: y, own, other) }
      (middle, own, other) = (middle + step[0], own + step[1], other + step[2])
      i &+= 1
    }
  }

  /// The sum of one side: the middle, its own voices, and those of the other side.
  @_noLocks @inline(__always)
  private static func placed(_ middle: Lanes, near: Lanes, far: Lanes, _ own: Float, _ other: Float) -> Lanes
  {
    multiplyAdd(far, Lanes(repeating: other), multiplyAdd(near, Lanes(repeating: own), middle))
  }

  /// Places the voices of both sides, with separate positions in each lane.
  @_noLocks @inline(never)
  mutating func placeLanes(
    _ oscillator: Int, at scratchIndex: Int, _ isStereo: Bool, _ scratch: MixerScratch, _ frames: Int
  ) {
    var sides = block.extras.oscillator(oscillator).pointee.sides
    let (left, right) = (scratch.left(scratchIndex), scratch.right(scratchIndex))
    var i = 0
    while i < frames {
      let (x, y, z) = (left[i] * sides.middle.value, scratch.leftVoices[i], scratch.rightVoices[i])
      let (own, other) = (sides.own.value, sides.other.value)
      left[i] = multiplyAdd(z, other, multiplyAdd(y, own, x))
      if isStereo { right[i] = multiplyAdd(y, other, multiplyAdd(z, own, x)) }
      sides.middle.move()
      sides.own.move()
      sides.other.move()
      i &+= 1
    }
  }

  /// Advances the positions by some frames.
  @_noLocks @inline(never)
  mutating func passSides(_ frames: Int) {
    block.extras.oscillator(0).pointee.sides.pass(frames: frames)
    block.extras.oscillator(1).pointee.sides.pass(frames: frames)
    if sidesMove & 4 != 0 { block.extras.oscillator(2).pointee.sides.pass(frames: frames) }
  }
}
