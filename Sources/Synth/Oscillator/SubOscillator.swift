/// The waveforms of the sub oscillator, in the order of the choice `/sub/wave`.
public enum SubWave: Int, CaseIterable, Sendable {
  case sine, square, pulse
}

/// An oscillator one or two octaves below the first one, locked to it: it takes its advance from the first and begins
/// with it, so that the two never beat. A sine, a square or a pulse of a quarter.
struct SubOscillatorLanes {
  var phase = Phases.zero
  var level = Ramp()

  /// What it is made of while one block of it is made.
  struct UnisonBlock {
    /// A `SubWave`, by its raw value.
    let wave: Int32
    let advance: Phases
    var source: WaveSource
    let part: BlockPart

    /// - Parameters:
    ///   - octaves: how far below the first oscillator it lies, 1 or 2.
    ///   - middle: what that one's unison multiplies its pitch by: it stays in the middle.
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

    /// True where it is made of jumps.
    var isSum: Bool { @_noLocks get { wave != 0 && !source.fades } }

    /// Adds it to a sum, with the first oscillator's jumps.
    @_noLocks
    func add(to sum: inout ImpulseTrain) {
      let place = Unison.mostVoices
      sum.room.motions(.way, place).pointee = larger(numbers(advance), Lanes(repeating: 1))
      sum.room.phases(.phase, place).pointee = source.phase &- way(advance, part.first)
      sum.addPulses(1 &<< UInt8(place), source.pulse, 0)
      sum.place()
    }
  }

  /// Adds it to a sum of which it is a part.
  @_noLocks
  mutating func add(_ making: UnisonBlock, to sum: inout ImpulseTrain) {
    sum.begin(0, level.value * BandLimitedStep.unit, middle: 1)
    making.add(to: &sum)
    phase &+= way(making.advance, making.part.frames)
  }

  /// Adds it to one block, or to two that are left and right.
  @_noLocks
  mutating func add(
    _ making: UnisonBlock, to x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>,
    _ kept: ImpulseTail, _ context: RenderContext
  ) {
    var unit: Float = 1
    if making.isSum {
      unit = BandLimitedStep.unit
      var sum = ImpulseTrain(context.room.sum, kept, making.part, isWide: false)
      sum.begin(0, Lanes(repeating: 1), middle: 1)
      making.add(to: &sum)
      sum.finish(context.wave, context.wave)
    } else {
      let waveform = making.wave == 0 ? Waveform.sine : .square
      making.source.fill(waveform.index, context.wave, context.offsets, frames: making.part.frames)
    }
    var i = 0
    while i < making.part.frames {
      let s = level.value * (context.wave[i] * unit)
      x[i] += s
      if x != y { y[i] += s }
      level.value += level.step
      i &+= 1
    }
    phase &+= way(making.advance, making.part.frames)
  }
}
