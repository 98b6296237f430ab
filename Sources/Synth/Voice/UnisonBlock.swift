// Unison voices that are saws or pulses only, at full level: they are rendered as sums of their jumps.

extension VoiceGroup {
  /// Values that all voices of an oscillator share while a block is rendered.
  struct UnisonBlock {
    let oscillator: Int
    /// True while an oscillator with jumps is rendered as the phase modulator of the one before it: its jumps are
    /// then smoothed over at least four times as many samples, so that the phase does not jump.
    let isModulator: Bool
    /// True if the same part is rendered once more after this: once as a modulator, once for the output.
    let isRenderedAgain: Bool
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
      _ oscillator: Int, _ group: VoiceGroup, _ control: UnsafePointer<SoundParameters>,
      _ offsets: UnsafePointer<Phases>, _ context: RenderContext, _ part: BlockPart,
      isModulator: Bool = false, isRenderedAgain: Bool = false
    ) {
      (self.oscillator, self.part, self.offsets) = (oscillator, part, offsets)
      (self.isModulator, self.isRenderedAgain) = (isModulator, isRenderedAgain)
      let (first, gains) = (group.block.oscillators, group.block.gains + oscillator)
      let own = first + oscillator
      sync = oscillator == 1 ? control.pointee.sync : 0
      increment = larger(numbers(own.pointee.advance), Lanes(repeating: 1))
      pulse = group.pulse(oscillator, control).moved(by: -part.first)
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

  /// Adds some voices to a sum; some of them lie left, some right, and the others in the middle.
  @_noLocks
  func add(
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
  private func add(_ slots: UInt8, _ pan: Int, _ unison: UnisonBlock, to sum: inout ImpulseTrain) {
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
  private func beginSynced(_ voices: UInt8, _ synced: SyncedSawState, _ scratch: ImpulseScratch) {
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

  // MARK: - Placing

  /// Mixes both oscillators in one pass if both are sums with constant levels and positions: into `x`, and, where the
  /// sides differ, also into the scratch memory's `mix`. The sub oscillator is included if it is a sum too. Returns
  /// false if the oscillators are not sums.
  @_noLocks
  func mixSums(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ x: UnsafeMutablePointer<Lanes>,
    _ voices: (UInt8, UInt8), _ isSubMixed: inout Bool, _ part: BlockPart
  ) -> Bool {
    let (one, two) = (
      UnisonBlock(0, self, control, context.offsets, context, part),
      UnisonBlock(1, self, control, context.offsets, context, part)
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
  func endSynced(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext) {
    let part = BlockPart(Int(passed), from: Int(passed), frames: 0)
    let unison = UnisonBlock(1, self, control, context.offsets, context, part)
    let voices = block.gains[1].voices & unison.summed
    if unison.sync < 1 || voices == 0 { return }
    var sum = ImpulseTrain(context.mixer.sum, block.kept, part, isWide: false)
    sum.begin(1, Lanes(repeating: 1), middle: 1)
    add(voices, of: unison, left: 0, right: 0, control, to: &sum)
    sum.place()
    block.gains[1].synced = unison.summed
  }

  @_noLocks @inline(__always)
  private func isSettled(_ unison: UnisonBlock, _ voices: UInt8) -> Bool {
    let oscillator = unison.oscillator
    return voices & ~unison.summed == 0 && oscillators.sidesMove &>> UInt8(oscillator) & 1 == 0
      && !block.extras.oscillator(oscillator).pointee.feedback.depth.isAny
      && !isAny(block.gains[oscillator].sides.step)
      && !isAny(block.extras.oscillator(oscillator).pointee.output.step)
  }

  /// True when the sub oscillator is made of jumps, like the first oscillator above it, and its level is constant.
  @_noLocks @inline(__always)
  private func isSubSum(_ control: UnsafePointer<SoundParameters>) -> Bool {
    paths.hasSub && control.pointee.subWave != 0 && !isAny(block.extras.pointee.sub.level.step)
  }

  /// True when the ends of pulses move relative to their beginnings.
  @_noLocks @inline(__always)
  private func movesWidth(_ unison: UnisonBlock) -> Bool {
    unison.isPulse && oscillators.widthsMove &>> UInt8(unison.oscillator) & 1 != 0
  }

  /// True when left and right of an oscillator differ.
  @_noLocks @inline(__always)
  private func isWide(_ oscillator: Int, _ voices: UInt8) -> Bool {
    let sides = block.gains[oscillator].sides.value
    return voices & Unison.sides != 0 && sides[1] != sides[2]
  }

  /// Adds an oscillator to a sum, at its level and with the positions of its voices.
  @_noLocks
  private func add(
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
}
