// Voices of a unison that are saws or pulses alone, each there as a whole: sums of their jumps.

extension VoiceGroup {
  /// What all voices of an oscillator share while one block of it is made.
  struct Making {
    let oscillator: Int
    let frames: Int
    /// Frames of this tick that have passed before.
    let passed: Int
    let sync: Float
    /// How far each sample is moved in phase.
    let offsets: UnsafePointer<Phases>
    /// How fast the first voice goes, in numbers of phase for each sample, its period in samples, and how far the end of
    /// a pulse lies behind its beginning.
    let way: Lanes
    let period: Lanes
    let pulse: Phases
    /// Periods in one of the first oscillator's, where they are synchronized, and the inverse.
    let ratio: Lanes
    let master: Lanes
    /// The waveforms that are heard, one bit each.
    let heard: UInt8
    /// True where these are pulses.
    let isPulse: Bool
    /// The voices that are sums, by their weights, one bit each: those that are there as a whole, where they are saws or
    /// pulses alone, or synchronized as a whole, saws.
    let summed: UInt8

    @_noLocks
    init(
      _ oscillator: Int, _ group: VoiceGroup, _ control: UnsafePointer<SoundControl>,
      _ offsets: UnsafePointer<Phases>, _ context: Context, frames: Int
    ) {
      (self.oscillator, self.frames, self.offsets) = (oscillator, frames, offsets)
      passed = Int(group.passed)
      let (first, gains) = (group.block.oscillators, group.block.gains + oscillator)
      let own = first + oscillator
      sync = oscillator == 1 ? control.pointee.sync : 0
      way = larger(numbers(own.pointee.advance), Lanes(repeating: 1))
      let perSample = inverse(way)
      period = perSample * SawSum.whole
      pulse = group.pulse(oscillator, control)
      heard = gains.pointee.shares.heard
      isPulse = heard == UInt8(1) &<< UInt8(Waveform.square.index)
      let isSaw = heard == UInt8(1) &<< UInt8(Waveform.saw.index)
      var isSum = heard & ~gains.pointee.shares.whole == 0
      if sync == 0 {
        (ratio, master) = (.zero, .zero)
        isSum = isSum && (isSaw || isPulse) && offsets == context.offsets
        isSum = isSum && !WaveSource.fades(way * BandLimitedStep.unit)
      } else {
        master = larger(numbers(first.pointee.advance), Lanes(repeating: 1)) * perSample
        ratio = inverse(master)
        isSum = isSum && isSaw && sync == 1 && !SyncSource.fades(own.pointee.advance)
        isSum = isSum && !SyncSource.fades(first.pointee.advance)
      }
      summed = isSum ? gains.pointee.weights.whole : 0
    }
  }

  /// Adds some voices to a sum.
  @_noLocks
  func add(
    _ voices: UInt8, of making: Making, _ control: UnsafePointer<SoundControl>, to sum: inout SawSum
  ) {
    let passed = making.passed
    var left = voices
    while left != 0 {
      let weight = left.trailingZeroBitCount
      let voice = pass(weight, making, control)
      let place = weight == OscillatorGains.middle ? 0 : weight
      if making.sync > 0 {
        let saws = block.extras.synced
        if block.gains[1].synced &>> UInt8(weight) & 1 == 0 {
          saws[place].begin(mask(0xff), voice.master, making.ratio)
        }
        sum.add(
          saws, place, advance: voice.advance, way: voice.way, period: voice.period, voice.master,
          masterAdvance: voice.masterAdvance, ratio: making.ratio)
      } else if making.isPulse {
        sum.addPulses(voice.phase &- way(voice.advance, passed), making.pulse, period: voice.period, place)
      } else {
        sum.add(voice.phase &- way(voice.advance, passed), way: voice.way, period: voice.period, place)
      }
      left &= left &- 1
    }
  }

  /// Where a voice is, and how fast it goes: as a phase, as a number, and the samples of its period. What synchronizes it.
  struct Voice {
    let phase: Phases
    let advance: Phases
    let way: Lanes
    let period: Lanes
    var master = Phases.zero
    var masterAdvance = Phases.zero

    @_noLocks @inline(__always)
    init(phase: Phases, advance: Phases, way: Lanes, period: Lanes) {
      (self.phase, self.advance, self.way, self.period) = (phase, advance, way, period)
    }
  }

  /// A voice, found by its weight, which is let go on to the end of the block. The first one goes on with the oscillator.
  @_noLocks @inline(__always)
  func pass(_ weight: Int, _ making: Making, _ control: UnsafePointer<SoundControl>) -> Voice {
    let (oscillators, extras) = (block.oscillators, block.extras)
    if weight == 0 || weight == OscillatorGains.middle {
      let own = oscillators + making.oscillator
      var voice = Voice(
        phase: own.pointee.phase, advance: own.pointee.advance, way: making.way, period: making.period)
      (voice.master, voice.masterAdvance) = (oscillators[0].phase, oscillators[0].advance)
      return voice
    }
    let place = extras.phases(making.oscillator) + (weight &- 1)
    let fastest = Lanes(repeating: OscillatorLanes.fastest * BandLimitedStep.scale)
    let factors = factors(making.oscillator, weight, control)
    let way = smaller(making.way * factors.value, fastest)
    var voice = Voice(
      phase: place.pointee, advance: advances(way), way: way, period: making.period * factors.inverse)
    place.pointee &+= Synth.way(voice.advance, making.frames)
    if making.sync > 0 {
      let master = extras.masters + (weight &- 1)
      voice.master = master.pointee
      voice.masterAdvance = advances(smaller(way * making.master, fastest))
      master.pointee &+= Synth.way(voice.masterAdvance, making.frames)
    }
    return voice
  }

  // MARK: - Placing

  /// Mixes both oscillators in one go where both are sums whose levels and places stand still, into `x` and where the
  /// sides differ into the room's `mix`; the sub oscillator with them where that is a sum, too. False where they are not.
  @_noLocks
  func mixSums(
    _ control: UnsafePointer<SoundControl>, _ context: Context, _ x: UnsafeMutablePointer<Lanes>,
    _ voices: (UInt8, UInt8), _ isSubMixed: inout Bool, frames: Int
  ) -> Bool {
    let (one, two) = (
      Making(0, self, control, context.offsets, context, frames: frames),
      Making(1, self, control, context.offsets, context, frames: frames)
    )
    let hasTwo = block.extras.output(1).pointee.isAny
    guard isSteady(one, voices.0), !hasTwo || isSteady(two, voices.1) else { return false }
    let isWide =
      control.pointee.isStereo && (isWide(0, voices.0) || (hasTwo && isWide(1, voices.1)))
    var sum = SawSum(context.room.sum, passed: one.passed, frames: frames, isWide: isWide)
    add(one, voices.0, control, to: &sum)
    if hasTwo {
      add(two, voices.1, control, to: &sum)
    } else {
      block.gains[1].synced = 0
    }
    if hasSub { isSubMixed = block.extras.pointee.sub.add(sub(control, frames: frames), to: &sum) }
    sum.finish(x, control.pointee.isStereo ? context.room.mix : x)
    return true
  }

  @_noLocks @inline(__always)
  private func isSteady(_ making: Making, _ voices: UInt8) -> Bool {
    let oscillator = making.oscillator
    return voices & ~making.summed == 0 && sidesMove &>> UInt8(oscillator) & 1 == 0
      && !block.extras.feedback(oscillator).pointee.depth.isAny
      && block.gains[oscillator].sides.step == .zero
      && !isAny(block.extras.output(oscillator).pointee.step)
  }

  /// True when left and right of an oscillator differ.
  @_noLocks @inline(__always)
  private func isWide(_ oscillator: Int, _ voices: UInt8) -> Bool {
    let sides = block.gains[oscillator].sides.value
    return voices & Self.sides != 0 && sides[1] != sides[2]
  }

  /// Adds an oscillator to a sum, at its level and where its voices lie.
  @_noLocks
  private func add(
    _ making: Making, _ voices: UInt8, _ control: UnsafePointer<SoundControl>, to sum: inout SawSum
  ) {
    let sides = block.gains[making.oscillator].sides.value
    let level = block.extras.output(making.oscillator).pointee.value * BandLimitedStep.unit
    let hasSides = voices & Self.sides != 0
    let middle = hasSides ? sides[0] : 1
    sum.setLevel(level, left: middle, right: middle)
    add(voices & ~Self.sides, of: making, control, to: &sum)
    if hasSides {
      let left = Self.left(making, control)
      sum.setLevel(level, left: sides[1], right: sides[2])
      add(voices & left, of: making, control, to: &sum)
      sum.setLevel(level, left: sides[2], right: sides[1])
      add(voices & Self.sides & ~left, of: making, control, to: &sum)
    }
    block.gains[making.oscillator].synced = making.sync == 1 ? making.summed : 0
  }
}
