import Scenes

/// An oscillator one or two octaves below the first one and locked to it: its phase increment derives from the first
/// one's and it starts with it, so that the two never beat. A sine, a square or a pulse with a width of a quarter.
struct SubOscillatorLanes {
  var phase = Phases.zero
  var level = Ramp()

  /// Settings of the sub oscillator for one block.
  struct Block {
    /// A `SubWave`, by its raw value.
    let wave: Int32
    let advance: Phases
    var source: WaveSource
    let part: BlockPart

    /// - Parameters:
    ///   - octaves: octaves below the first oscillator, 1 or 2.
    ///   - middle: frequency ratio of that oscillator's first unison voice, which is divided out: the sub oscillator
    ///     stays at the pitch in the middle.
    @_noLocks
    init(
      _ sub: SubOscillatorLanes, wave: Int32, octaves: Int32, below first: OscillatorLanes, _ middle: Lanes,
      _ part: BlockPart
    ) {
      (self.wave, self.part) = (wave, part)
      var advance = first.advance &>> Phases(repeating: octaves)
      if isAny(middle - 1) {
        advance = phases(numbers(advance) * (BandLimitedStep.unit / middle))
      }
      self.advance = advance
      source = WaveSource(
        sub.phase, advance: advance, steepness: first.steepness * Float(1 &<< octaves))
      source.pulse = PulseWidth(Phases(repeating: wave == 2 ? 0x4000_0000 : Int32.min))
    }

    /// True when it is rendered as a sum of jumps.
    var isSum: Bool { @_noLocks get { wave != 0 && !source.fades } }

    /// Adds it to a sum, in the slot after the unison of the first oscillator.
    @_noLocks
    func add(to sum: inout ImpulseTrain) {
      let slot = Unison.mostVoices
      sum.scratch.motions(.increment, slot).pointee = larger(numbers(advance), Lanes(repeating: 1))
      sum.scratch.phases(.phase, slot).pointee = source.phase &- phaseChange(advance, part.first)
      sum.addPulses(1 &<< UInt8(slot), source.pulse, 0)
      sum.place()
    }
  }

  /// Adds it to a sum that also contains other oscillators.
  @_noLocks
  mutating func add(_ block: Block, to sum: inout ImpulseTrain) {
    sum.begin(0, level.value * BandLimitedStep.unit, middle: 1)
    block.add(to: &sum)
    phase &+= phaseChange(block.advance, block.part.frames)
  }

  /// Adds it to one block, or to one block for left and one for right.
  @_noLocks
  mutating func add(
    _ block: Block, to x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>,
    _ kept: ImpulseTail, _ context: RenderContext
  ) {
    var unit: Float = 1
    if block.isSum {
      unit = BandLimitedStep.unit
      var sum = ImpulseTrain(context.mixer.sum, kept, block.part, isWide: false)
      sum.begin(0, Lanes(repeating: 1), middle: 1)
      block.add(to: &sum)
      sum.finish(context.wave, context.wave)
    } else {
      let waveform = block.wave == 0 ? Waveform.sine : .square
      block.source.fill(waveform.index, context.wave, context.offsets, frames: block.part.frames)
    }
    var i = 0
    while i < block.part.frames {
      let s = level.value * (context.wave[i] * unit)
      x[i] += s
      if x != y { y[i] += s }
      level.value += level.step
      i &+= 1
    }
    phase &+= phaseChange(block.advance, block.part.frames)
  }
}
