// The update of a group at control rate: it sets the targets that all ramps reach at the next update.

extension VoiceGroup {
  /// Updates the group: envelopes, LFOs, routes and smoothing determine the targets for the next `frames`, which are a
  /// whole update or, after an event, the rest of one. Returns the lanes whose voice has ended.
  @_noLocks
  mutating func control(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, frames: Int)
    -> UInt8
  {
    if passed > 0 && passed < planned && paths.interacts { endSynced(control, context) }
    let perFrame = 1 / Float(frames)
    let seconds = Float(frames) / context.rate
    let elapsed = planned > 0 ? Float(passed) / Float(planned) : 1
    let routes = control.routes

    moveSources(control, routes, context.sums)
    shape(
      control, context, elapsed: elapsed, passed: Float(passed) / Float(Limits.controlFrames),
      share: Float(frames) / Float(Limits.controlFrames))
    advanceSources(control, context, seconds: seconds)
    if gliding != 0 { glide(seconds: Float(passed) / context.rate, rate: glideRate(control, context.sums)) }

    let sums = context.sums
    moveTargets(control, routes, context)
    // Computed side by side, because each is a long chain of operations.
    let frequency = exp2(sums[ModulationTarget.pitch.index])
    let cutoff = exp2(sums[ModulationTarget.cutoff.index])
    tune(control, frequency, context, perFrame: perFrame, seconds: seconds)
    if control.pointee.interacts { aimMixer(control, sums, perFrame: perFrame) }
    if control.pointee.hasTables { aimTables(control) }
    if control.pointee.hasSubOrNoise || paths.hasSub || paths.hasNoise {
      aimSources(control, sums, perFrame: perFrame)
    }
    filter.aim(control, routes, sums, cutoff, context, update, perFrame: perFrame, isWhole: elapsed == 1)
    aimGain(control, routes, sums, perFrame: perFrame)

    if started != 0 {
      // Voices that start do so with the filter at its target.
      filter.snap(started, frames: Float(frames))
      started = 0
    }
    (planned, passed, needsUpdate, struckThisTick) = (Int32(frames), 0, false, 0)
    return ended(control)
  }

  /// Sums up the modulation of the sources themselves, from their values at the last update.
  @_noLocks @inline(__always)
  private mutating func moveSources(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafeMutablePointer<Lanes>
  ) {
    if routes.pointee.toSources == 0 { return }
    routes.clear(ModulationTarget.ofSources, sums)
    routes.add(routes.pointee.toSources, block.sources, to: sums)
    if control.pointee.movesSharedRates { keepLFOOctaves(routes, sums) }
  }

  /// Sums up the modulation of the voices; pitch, cutoff and level begin at their unmodulated values. Mutating, because
  /// the compiler otherwise copies the group for the call.
  @_noLocks @inline(__always)
  private mutating func moveTargets(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ context: RenderContext
  ) {
    let (state, sums) = (block.state, context.sums)
    let pitch = ModulationTarget.pitch.index
    routes.clear(ModulationTarget.ofVoice, sums)
    sums[pitch] = state.pointee.pitch + state.pointee.notePitch.value + context.tune
    if isRestruck { sums[pitch] += state.pointee.stroke.bias }
    sums[ModulationTarget.cutoff.index] = Lanes(repeating: control.pointee.filter.cutoff)
    sums[ModulationTarget.level.index] = Lanes(repeating: control.pointee.level)
    routes.add(routes.pointee.toVoice, block.sources, to: sums)
    if routes.pointee.moved & ModulationTarget.ofCutoff != 0 { deepenCutoff(routes, sums) }
  }

  /// Aims the gain of each voice, on both sides where the voices are panned.
  @_noLocks @inline(__always)
  private mutating func aimGain(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafeMutablePointer<Lanes>, perFrame: Float
  ) {
    let state = block.state
    let velocity = block.sources[ModulationSource.velocity.index]
    let softness = control.pointee.velocity
    let hardness = multiplyAdd(
      Lanes(repeating: softness), velocity * velocity, Lanes(repeating: 1 - softness))
    let amplitude = larger(sums[ModulationTarget.level.index], Lanes.zero)
    let level = amplitude * hardness * state.pointee.expression.value
    let loudness = control.pointee.gain * state.pointee.filter.shape.loudness
    let gain = state.pointee.envelope.to * level * loudness
    if routes.pointee.moves(.pan) || filter.isPanned {
      pan(gain, routes, sums, perFrame: perFrame)
    } else {
      state.pointee.gain.aim(at: gain, perFrame: perFrame)
    }
  }

  /// Advances the envelopes by `share` of a tick; `passed` is the share of the last tick that has passed.
  @_noLocks @inline(__always)
  private mutating func shape(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, elapsed: Float, passed: Float,
    share: Float
  ) {
    let (state, routes) = (
      block.state, control.routes
    )
    if envelopes.curves != control.pointee.curves {
      envelopes.curves = control.pointee.curves
      state.pointee.envelope.follow(control.pointee.envelope)
      state.pointee.filterEnvelope.follow(control.pointee.filterEnvelope)
      state.pointee.envelope3.follow(control.pointee.envelope3)
      envelopes.attack()
    }
    if routes.pointee.moves(.ampSpeed) {
      let speed = exp2(context.sums[ModulationTarget.ampSpeed.index])
      state.pointee.envelope.advance(elapsed: elapsed, share: share, speed: speed)
    } else {
      state.pointee.envelope.advance(elapsed: elapsed, share: share)
    }
    if routes.pointee.moves(.filterSpeed) {
      let speed = exp2(context.sums[ModulationTarget.filterSpeed.index])
      state.pointee.filterEnvelope.advance(elapsed: elapsed, share: share, speed: speed)
    } else {
      state.pointee.filterEnvelope.advance(elapsed: elapsed, share: share)
    }
    if routes.pointee.moved & ModulationTarget.ofSustains != 0 { sustain(control, context, share: share) }
    if released != 0 || endsHeld(control) { state.pointee.envelope.endFalls() }
    if released != 0 { state.pointee.filterEnvelope.endFalls() }
    if envelopes.amplifierAttacks {
      envelopes.amplifierAttacks = state.pointee.envelope.endStages(
        control.pointee.envelope, passed: passed, share: share)
    }
    if envelopes.filterAttacks {
      envelopes.filterAttacks = state.pointee.filterEnvelope.endStages(
        control.pointee.filterEnvelope, passed: passed, share: share)
    }
    if releasedInAttack != 0 { endBriefNotes(control) }
    if routes.pointee.reads(.envelope3) {
      shapeThird(control, context, elapsed: elapsed, passed: passed, share: share)
    }
  }

  /// Advances the third envelope, where something reads it.
  @_noLocks
  private mutating func shapeThird(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, elapsed: Float, passed: Float,
    share: Float
  ) {
    let state = block.state
    let isMoved = control.pointee.routes.moves(.speed3)
    let speed = isMoved ? exp2(context.sums[ModulationTarget.speed3.index]) : Lanes(repeating: 1)
    state.pointee.envelope3.advance(elapsed: elapsed, share: share, speed: speed)
    if control.pointee.routes.moves(.sustain3) {
      let by = context.sums[ModulationTarget.sustain3.index]
      state.pointee.envelope3.sustain(control.pointee.envelope3, by, share * speed)
    }
    if released != 0 { state.pointee.envelope3.endFalls() }
    if envelopes.thirdAttacks {
      envelopes.thirdAttacks = state.pointee.envelope3.endStages(
        control.pointee.envelope3, passed: passed, share: share)
    }
    block.sources[ModulationSource.envelope3.index] = state.pointee.envelope3.to
  }

  /// Advances envelopes, LFOs and the player's controllers to the next update.
  @_noLocks @inline(__always)
  private mutating func advanceSources(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, seconds: Float
  ) {
    let (state, sources) = (block.state, block.sources)
    sources[ModulationSource.filterEnvelope.index] = state.pointee.filterEnvelope.to
    if control.pointee.routes.reads(.ampEnvelope) {
      sources[ModulationSource.ampEnvelope.index] = state.pointee.envelope.to
    }
    if control.pointee.routes.readsMacros {
      let first = ModulationSource.macro1.index
      var macro = 0
      while macro < Limits.macros {
        sources[first &+ macro] = Lanes(repeating: control.pointee.macros[macro])
        macro &+= 1
      }
    }
    let passed = Float(passed) / context.rate
    if restruck != 0 { state.pointee.stroke.begin(mask(restruck), sources) }
    var rate = Lanes(repeating: control.pointee.lfo.rate)
    if control.pointee.routes.moves(.lfoRate) { rate *= exp2(context.sums[ModulationTarget.lfoRate.index]) }
    if control.pointee.lfo.isOnce {
      advanceOnce(control, rate, passed: passed, seconds: seconds)
    } else {
      sources[ModulationSource.lfo.index] = state.pointee.lfo.advance(
        control.pointee.lfo, rate: rate, passed: passed, seconds: seconds)
    }
    if control.pointee.routes.moves(.lfoDepth) {
      sources[ModulationSource.lfo.index] *= Self.depth(context.sums[ModulationTarget.lfoDepth.index])
    }
    if control.pointee.routes.reads(.lfo2) {
      sources[ModulationSource.lfo2.index] = Self.advance(
        &state.pointee.lfo2, control.pointee.lfo2, control, (.lfo2Rate, .lfo2Depth), context.sums,
        passed: passed,
        seconds: seconds)
    }
    if control.pointee.routes.reads(.lfo3) {
      sources[ModulationSource.lfo3.index] = Self.advance(
        &state.pointee.lfo3, control.pointee.lfo3, control, (.lfo3Rate, .lfo3Depth), context.sums,
        passed: passed,
        seconds: seconds)
    }
    if isRestruck || restruck != 0 {
      isRestruck = state.pointee.stroke.advance(
        mask(restruck), sources, pitch: state.pointee.pitch, passed: passed, seconds: seconds)
      restruck = 0
    }
    if moving > 0 { follow(share: min(seconds / Smoothed.seconds, 1)) }
  }

  /// Advances the first LFO if it runs for one period. Not inlined, because most sounds use another mode.
  @_noLocks @inline(never)
  private mutating func advanceOnce(
    _ control: UnsafePointer<SoundParameters>, _ rate: Lanes, passed: Float, seconds: Float
  ) {
    block.sources[ModulationSource.lfo.index] = block.state.pointee.lfo.advanceOnce(
      control.pointee.lfo, rate: rate, passed: passed, seconds: seconds)
  }

  /// Advances the second or the third LFO, whose rate and depth are these targets. Returns its value.
  @_noLocks @inline(never)
  private static func advance(
    _ lanes: inout LFOLanes, _ lfo: LFOControl, _ control: UnsafePointer<SoundParameters>,
    _ targets: (rate: ModulationTarget, depth: ModulationTarget), _ sums: UnsafeMutablePointer<Lanes>,
    passed: Float, seconds: Float
  ) -> Lanes {
    var rate = Lanes(repeating: lfo.rate)
    if control.pointee.routes.moves(targets.rate) { rate *= exp2(sums[targets.rate.index]) }
    let value =
      lfo.isOnce
      ? lanes.advanceOnce(lfo, rate: rate, passed: passed, seconds: seconds)
      : lanes.advance(lfo, rate: rate, passed: passed, seconds: seconds)
    return control.pointee.routes.moves(targets.depth) ? value * depth(sums[targets.depth.index]) : value
  }

  /// The gain of an LFO with modulated depth, 0…2.
  @_noLocks @inline(__always)
  private static func depth(_ sum: Lanes) -> Lanes {
    larger(smaller(sum + 1, Lanes(repeating: 2)), Lanes.zero)
  }

  /// Advances the smoothing of the player's controllers.
  @_noLocks
  private mutating func follow(share: Float) {
    let (state, sources) = (block.state, block.sources)
    moving &-= 1
    // The last step reaches the target.
    let share = moving == 0 ? 1 : share
    state.pointee.notePitch.advance(share)
    state.pointee.expression.advance(share)
    let first = ModulationSource.firstPlayed
    var index = 0
    while index < ModulationSource.playedCount {
      sources[first &+ index] += (block.played[index] - sources[first &+ index]) * share
      index &+= 1
    }
  }

  /// True when a voice that has decayed to silence has ended although its key is held: neither a loop nor a route can
  /// bring it back.
  @_noLocks @inline(__always)
  private func endsHeld(_ control: UnsafePointer<SoundParameters>) -> Bool {
    control.pointee.envelope.pointee.fallsToNothing && !control.pointee.routes.moves(.ampSustain)
  }

  /// The lanes whose voice has been silent for a whole step and stays silent.
  @_noLocks @inline(__always)
  private func ended(_ control: UnsafePointer<SoundParameters>) -> UInt8 {
    let state = block.state
    var lanes = released == 0 ? 0 : released & state.pointee.envelope.silent()
    if endsHeld(control) { lanes |= used & state.pointee.envelope.over() }
    return lanes
  }
}
