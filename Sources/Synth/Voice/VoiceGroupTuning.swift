// The pitches of a group's oscillators: one for all, or each with a modulation, a drift and a shift of its own.

extension VoiceGroup {
  /// Aims the oscillators at a frequency in hertz.
  @_noLocks @inline(__always)
  mutating func tune(
    _ control: UnsafePointer<SoundParameters>, _ frequency: Lanes, _ context: RenderContext, perFrame: Float,
    seconds: Float
  ) {
    // In half periods per sample.
    let advance = frequency * (2 / context.rate)
    let inverse = 1 / advance
    let bounds = OscillatorLanes.Bounds(hiddenZero(context.rate))
    if paths.interacts && !control.pointee.interacts { endMixer() }
    if isTunedTogether(control) {
      let (first, second) = (block.oscillators, block.oscillators + 1)
      let one = first.pointee.aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[0], bounds)
      let two = second.pointee.aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[1], bounds)
      oscillators.fades = (one ? 1 : 0) | (two ? 2 : 0)
      return
    }
    tuneEach(control, advance, inverse, bounds, context, perFrame: perFrame, seconds: seconds)
  }

  /// True when only the common pitch of two oscillators moves, which is the usual case.
  @_noLocks @inline(__always)
  private func isTunedTogether(_ control: UnsafePointer<SoundParameters>) -> Bool {
    let moved = control.pointee.routes.moved & ModulationTarget.ofOscillators
    return moved == 0 && started | oscillators.widthsMove == 0 && oscillators.levelsMoved == .zero
      && control.pointee.widths.lowHalf == oscillators.widths.lowHalf
      && !control.pointee.tunesEach && !control.pointee.levelsMove
  }

  /// Aims each oscillator at the frequency, modified by its own modulation.
  @_noLocks @inline(never)
  private mutating func tuneEach(
    _ control: UnsafePointer<SoundParameters>, _ advance: Lanes, _ inverse: Lanes,
    _ bounds: OscillatorLanes.Bounds, _ context: RenderContext, perFrame: Float, seconds: Float
  ) {
    var oscillator = 0
    while oscillator < control.pointee.count {
      let knobs = control.oscillator(oscillator)
      let width = ModulationTarget.width(of: oscillator)
      if control.pointee.routes.moves(width)
        || control.pointee.widths[oscillator] != oscillators.widths[oscillator]
      {
        aimWidth(oscillator, control, context, perFrame: perFrame)
      } else {
        oscillators.widthsMove &= ~(UInt8(1) << UInt8(oscillator))
      }
      let own = ModulationTarget.pitch(of: oscillator)
      let detune = ModulationTarget.detune(of: oscillator)
      var (advance, inverse) = (advance, inverse)
      if control.pointee.routes.moved & (own.bit | detune.bit) != 0 || control.pointee.drifts {
        if control.pointee.routes.moves(detune) {
          advance *= self.detune(oscillator, knobs, context.sums[detune.index])
        }
        if control.pointee.routes.moves(own) { advance *= exp2(context.sums[own.index]) }
        if control.pointee.drifts { advance *= drift(oscillator, control, context.sums, seconds: seconds) }
        inverse = 1 / advance
      }
      let shift = control.pointee.shifts[oscillator]
      if shift != 0 {
        let added = 2 * shift / (context.rate * control.pointee.ratios[oscillator])
        advance = larger(advance + added, Lanes(repeating: Self.slowest))
        inverse = 1 / advance
      }
      let fades = block.oscillators[oscillator].aim(
        advance: advance, inverse: inverse, ratio: control.pointee.ratios[oscillator], bounds)
      let bit = UInt8(1) << UInt8(oscillator)
      oscillators.fades = fades ? oscillators.fades | bit : oscillators.fades & ~bit
      let moves = control.pointee.levelsMove || started != 0
      if !control.pointee.interacts, control.pointee.routes.moves(.level(of: oscillator)) {
        aimLevel(oscillator, control, context.sums, perFrame: perFrame)
      } else if !control.pointee.interacts, moves || oscillators.levelsMoved[oscillator] != 0 {
        let ramps = block.levels(oscillator)
        oscillators.audible[oscillator] = ramps.aim(
          knobs.pointee.level * knobs.pointee.shares, fresh: started, perFrame: perFrame, isSettled: !moves)
        oscillators.levelsMoved[oscillator] = moves ? 1 : 0
      }
      oscillator &+= 1
    }
  }

  /// The lowest frequency of an oscillator that is shifted, in half periods per sample: 0.02 Hz at 48 kHz.
  private static var slowest: Float { @_noLocks get { 1e-6 } }
}
