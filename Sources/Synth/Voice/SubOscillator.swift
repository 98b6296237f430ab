/// The waveforms of the sub oscillator, in the order of the choice `/sub/wave`.
public enum SubWave: Int, CaseIterable, Sendable {
  case sine, square, pulse
}

/// An oscillator one or two octaves below the first one, locked to it: it takes its advance from the first and begins
/// with it, so that the two never beat. A sine, a square or a pulse of a quarter.
struct SubOscillatorLanes {
  var phase = Phases.zero
  var level = Ramp()

  /// Adds it to one block, or to two that are left and right.
  /// - Parameters:
  ///   - wave: a `SubWave`, by its raw value.
  ///   - octaves: how far below it lies, 1 or 2.
  ///   - passed: frames of this tick that have passed before.
  ///   - middle: what the first oscillator's unison multiplies its pitch by: it stays in the middle.
  @_noLocks
  mutating func add(
    to x: UnsafeMutablePointer<Lanes>, _ y: UnsafeMutablePointer<Lanes>, wave: Int32, octaves: Int32,
    below first: OscillatorLanes, _ middle: Lanes, _ context: VoiceGroup.Context, passed: Int,
    frames: Int
  ) {
    var advance = first.advance &>> Phases(repeating: octaves)
    if isAny(middle - 1) {
      advance = phases(numbers(advance) * (BandLimitedStep.unit / middle))
    }
    var source = WaveSource(phase, advance: advance, steepness: first.steepness * Float(1 &<< octaves))
    source.pulse = Phases(repeating: wave == 2 ? 0x4000_0000 : Int32.min)
    var unit: Float = 1
    if wave == 0 || source.fades {
      let waveform = wave == 0 ? Waveform.sine : .square
      source.fill(waveform.index, context.wave, context.offsets, frames: frames)
    } else {
      unit = BandLimitedStep.unit
      var sum = SawSum(context.room.rows, passed: passed, frames: frames, isWide: false)
      let number = larger(numbers(advance), Lanes(repeating: 1))
      sum.addPulses(
        phase &- way(advance, passed), source.pulse, period: inverse(number) * SawSum.whole)
      sum.finish(context.wave, context.wave)
    }
    var i = 0
    while i < frames {
      let s = level.value * (context.wave[i] * unit)
      x[i] += s
      if x != y { y[i] += s }
      level.value += level.step
      i &+= 1
    }
    phase &+= advance &* Phases(repeating: Int32(truncatingIfNeeded: frames))
  }
}
