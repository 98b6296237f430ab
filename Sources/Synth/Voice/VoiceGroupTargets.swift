// Knobs that the matrix modulates in each lane: their targets until the next tick. Called only where a route exists.

extension VoiceGroup {
  /// Aims the level of an oscillator that is rendered directly into the mix.
  @_noLocks @inline(never)
  mutating func aimLevel(
    _ oscillator: Int, _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>,
    perFrame: Float
  ) {
    let knobs = control.oscillator(oscillator)
    let level = control.routes.moved(knobs.pointee.level, by: .level(of: oscillator), sums, most: 1)
    oscillators.audible[oscillator] = block.levels(oscillator).aim(
      level, knobs.pointee.shares, fresh: started, perFrame: perFrame)
    oscillators.levelsMoved[oscillator] = 1
  }

  /// Sets the detune of a unison, modulated by `octaves`. Returns the resulting factor of the first voice's pitch,
  /// beyond the one that all lanes share.
  @_noLocks @inline(never)
  func detune(_ oscillator: Int, _ knobs: UnsafePointer<OscillatorControl>, _ octaves: Lanes) -> Lanes {
    let cents = larger(
      smaller(exp2(octaves) * knobs.pointee.detune, Lanes(repeating: OscillatorKnobs.mostDetune)),
      Lanes(repeating: OscillatorKnobs.leastDetune))
    block.extras.oscillator(oscillator).pointee.detune = cents
    return exp2((cents - knobs.pointee.detune) * (knobs.pointee.unison.offsets[0] / 1200))
  }

  /// The detune factor of the first unison voice of the first oscillator.
  @_noLocks
  func middle(_ control: UnsafePointer<SoundParameters>) -> Lanes {
    let knobs = control.oscillator(0)
    if !control.pointee.routes.moves(.detune1) { return Lanes(repeating: knobs.pointee.middle) }
    return exp2(block.extras.oscillator(0).pointee.detune * (knobs.pointee.unison.offsets[0] / 1200))
  }

  /// Adds the modulated amounts of filter envelope and key tracking to the cutoff.
  @_noLocks @inline(never)
  func deepenCutoff(_ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafeMutablePointer<Lanes>) {
    let cutoff = ModulationTarget.cutoff.index
    if routes.pointee.moves(.filterAmount) {
      sums[cutoff] +=
        sums[ModulationTarget.filterAmount.index] * block.sources[ModulationSource.filterEnvelope.index]
    }
    if routes.pointee.moves(.filterTrack) {
      sums[cutoff] += sums[ModulationTarget.filterTrack.index] * block.sources[ModulationSource.key.index]
    }
  }

  /// Aims the gains of both sides at constant power for any pan position. The group stays panned until it is empty.
  @_noLocks @inline(never)
  mutating func pan(
    _ gain: Lanes, _ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    let (state, extras, one) = (block.state, block.extras, Lanes(repeating: 1))
    if !filter.isPanned { extras.pointee.rightGain.rest(at: state.pointee.gain.value) }
    filter.isPanned = true
    var position = Lanes.zero
    if routes.pointee.moves(.pan) {
      position = larger(smaller(sums[ModulationTarget.pan.index], one), -one)
    }
    // √2·cos(π/4·(1 ± x)) for positions x of ±1.
    let louder = gain * 1.41421356
    state.pointee.gain.aim(at: louder * sinePi(0.25 - 0.25 * position), perFrame: perFrame)
    extras.pointee.rightGain.aim(at: louder * sinePi(0.25 + 0.25 * position), perFrame: perFrame)
  }

  /// Aims the noise colour of each lane.
  @_noLocks
  mutating func aimColor(
    _ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    let isMoved = control.pointee.routes.moves(.noiseColor)
    if isMoved {
      let noise = block.extras
      if !paths.hasColors { noise.pointee.noise.rest(at: control.pointee.noiseMix) }
      let color = sums[ModulationTarget.noiseColor.index] + control.pointee.noiseColor
      noise.pointee.noise.aim(atColor: color, mask(started), perFrame: perFrame)
    }
    paths.hasColors = isMoved
  }

  /// Sums up, for the sound, the modulation of the rates of LFOs that all voices share.
  @_noLocks @inline(never)
  mutating func keepLFOOctaves(_ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafePointer<Lanes>) {
    (lfoOctaves, lfoVoices) = (.zero, Int32(truncatingIfNeeded: used.nonzeroBitCount))
    if routes.pointee.moves(.lfoRate) {
      lfoOctaves.x = sum(select(sums[ModulationTarget.lfoRate.index], Lanes.zero, where: mask(used)))
    }
    if routes.pointee.moves(.lfo2Rate) {
      lfoOctaves.y = sum(select(sums[ModulationTarget.lfo2Rate.index], Lanes.zero, where: mask(used)))
    }
    if routes.pointee.moves(.lfo3Rate) {
      lfoOctaves.z = sum(select(sums[ModulationTarget.lfo3Rate.index], Lanes.zero, where: mask(used)))
    }
  }

  /// Moves the sustain levels of the amplifier and filter envelopes, over `share` of a tick.
  @_noLocks @inline(never)
  func sustain(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, share: Float) {
    let (state, sums) = (block.state, context.sums)
    let routes = control.routes
    if routes.pointee.moves(.ampSustain) {
      let isFaster = routes.pointee.moves(.ampSpeed)
      let speed = isFaster ? exp2(sums[ModulationTarget.ampSpeed.index]) : Lanes(repeating: 1)
      state.pointee.envelope.sustain(
        control.pointee.envelope, sums[ModulationTarget.ampSustain.index], share * speed)
    }
    if routes.pointee.moves(.filterSustain) {
      let isFaster = routes.pointee.moves(.filterSpeed)
      let speed = isFaster ? exp2(sums[ModulationTarget.filterSpeed.index]) : Lanes(repeating: 1)
      state.pointee.filterEnvelope.sustain(
        control.pointee.filterEnvelope, sums[ModulationTarget.filterSustain.index], share * speed)
    }
  }

  /// The number of times per second that the glides halve their distance.
  @_noLocks
  func glideRate(_ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>) -> Lanes {
    let (own, ours) = (block.state.pointee.glide.rate, Lanes(repeating: control.pointee.glideRate))
    let rate = select(own, ours, where: own .> Lanes.zero)
    return control.pointee.routes.moves(.glideSpeed)
      ? rate * exp2(sums[ModulationTarget.glideSpeed.index]) : rate
  }
}
