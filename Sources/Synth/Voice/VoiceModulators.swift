import Scenes

/// The modulators of a group's voices: envelopes, LFOs, glides, strokes, and the player's controllers. They set the sources
/// of the matrix, which aim oscillators and filter. The values of each lane are in the group's block. This type adds what an
/// update needs to skip unchanged parts; its sets of lanes have one bit for each lane.
struct VoiceModulators {
  let block: LaneBlock
  private var envelopes = EnvelopeStages()
  /// The version of the envelopes' curves in use: `SoundParameters.curves`.
  private var curves: UInt32 = 0
  /// Lanes struck since the last update.
  private var struck: UInt8 = 0
  /// Lanes whose release waits: for the top of their attack, or for the end of a percussive sound.
  private(set) var waiting: UInt8 = 0
  /// Lanes that were struck again or slurred since the last update, and whether the resulting transition is in progress.
  private var restruck: UInt8 = 0
  private var isRestruck = false
  /// Lanes that glide, and those whose glide has begun since the last update.
  private(set) var gliding: UInt8 = 0
  private var unmoved: UInt8 = 0
  /// Whether the pan of a key moves a lane.
  private(set) var pans = false
  /// Control ticks during which the player's controllers still move.
  private var moving: Int32 = 0
  /// Sum over all voices of the octaves by which routes modulated the rates of the three LFOs at the last update, and the
  /// number of these voices: for LFOs that they share.
  private(set) var lfoOctaves = SIMD3<Float>.zero
  private(set) var lfoVoices: Int32 = 0

  /// Whether a lane of each envelope may be in its attack, or in another stage that ends by itself.
  private struct EnvelopeStages {
    var filterAttacks = false
    var amplifierAttacks = false
    var thirdAttacks = false

    @_noLocks init() {}

    /// Checks all stages again, because a lane begins or the curves have changed.
    @_noLocks
    mutating func attack() { (filterAttacks, amplifierAttacks, thirdAttacks) = (true, true, true) }

    /// Merges the state of another group, one of whose lanes moves to this one.
    @_noLocks
    mutating func join(_ other: EnvelopeStages) {
      filterAttacks = filterAttacks || other.filterAttacks
      amplifierAttacks = amplifierAttacks || other.amplifierAttacks
      thirdAttacks = thirdAttacks || other.thirdAttacks
    }
  }

  /// The modulators of a group without voices.
  @_noLocks init(_ block: LaneBlock) { self.block = block }

  // MARK: - Updates

  /// Advances all modulators by `frames`, after those that have passed since the last update, and sets the sources.
  /// - Parameter released: The lanes that no key holds. Lanes whose release has waited long enough are added.
  @_noLocks @inline(__always)
  mutating func advance(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ update: GroupUpdate,
    released: inout UInt8, frames: Int
  ) {
    moveSources(control, control.routes, context.sums, update.used)
    shape(
      control, context, &released, elapsed: update.elapsed,
      passed: Float(update.passed) / Float(Limits.controlFrames),
      share: Float(frames) / Float(Limits.controlFrames))
    let passed = Float(update.passed) / context.rate
    advanceSources(control, context, passed: passed, seconds: Float(frames) / context.rate)
    if gliding != 0 { glide(seconds: passed, rate: glideRate(control, context.sums)) }
    struck = 0
  }

  /// Sums up the modulation of the sources themselves, from their values at the last update.
  @_noLocks @inline(__always)
  private mutating func moveSources(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafeMutablePointer<Lanes>, _ used: UInt8
  ) {
    if routes.pointee.toSources == 0 { return }
    routes.clear(ModulationTarget.ofSources, sums)
    routes.add(routes.pointee.toSources, block.sources, to: sums)
    if control.pointee.movesSharedRates { keepLFOOctaves(routes, sums, used) }
  }

  /// Sums up, for the sound, the modulation of the rates of LFOs that all voices share.
  @_noLocks @inline(never)
  private mutating func keepLFOOctaves(
    _ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafePointer<Lanes>, _ used: UInt8
  ) {
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

  /// Advances the envelopes by `share` of a tick; `passed` is the share of the last tick that has passed.
  @_noLocks @inline(__always)
  private mutating func shape(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, _ released: inout UInt8,
    elapsed: Float, passed: Float,
    share: Float
  ) {
    let (state, routes) = (
      block.state, control.routes
    )
    if curves != control.pointee.curves {
      curves = control.pointee.curves
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
    if waiting != 0 { endBriefNotes(control, &released) }
    if routes.pointee.reads(.envelope3) {
      shapeThird(control, context, isReleased: released != 0, elapsed: elapsed, passed: passed, share: share)
    }
  }

  /// Advances the third envelope, where something reads it.
  @_noLocks
  private mutating func shapeThird(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, isReleased: Bool, elapsed: Float,
    passed: Float,
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
    if isReleased { state.pointee.envelope3.endFalls() }
    if envelopes.thirdAttacks {
      envelopes.thirdAttacks = state.pointee.envelope3.endStages(
        control.pointee.envelope3, passed: passed, share: share)
    }
    block.sources[ModulationSource.envelope3.index] = state.pointee.envelope3.to
  }

  /// Moves the sustain levels of the amplifier and filter envelopes, over `share` of a tick.
  @_noLocks @inline(never)
  private func sustain(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, share: Float) {
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

  /// Advances envelopes, LFOs and the player's controllers to the next update.
  @_noLocks @inline(__always)
  private mutating func advanceSources(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, passed: Float,
    seconds: Float
  ) {
    let (state, sources) = (block.state, block.sources)
    sources[ModulationSource.filterEnvelope.index] = state.pointee.filterEnvelope.to
    if control.pointee.routes.reads(.ampEnvelope) {
      sources[ModulationSource.ampEnvelope.index] = state.pointee.envelope.to
    }
    if control.pointee.routes.readsMacros {
      let first = ModulationSource.macro1.index
      for macro in 0..<Limits.macros {
        sources[first &+ macro] = Lanes(repeating: control.pointee.macros[macro])
      }
    }
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
    if pans { state.pointee.pan.advance(share) }
    let first = ModulationSource.firstPlayed
    for index in 0..<ModulationSource.playedCount {
      sources[first &+ index] += (block.played[index] - sources[first &+ index]) * share
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
  func ended(_ control: UnsafePointer<SoundParameters>, used: UInt8, released: UInt8) -> UInt8 {
    let state = block.state
    var lanes = released == 0 ? 0 : released & state.pointee.envelope.silent()
    if endsHeld(control) { lanes |= used & state.pointee.envelope.over() }
    return lanes
  }

  // MARK: - Glides

  // The pitch of a voice approaches that of its note on an exponential curve, like a charging capacitor, or in a straight
  // line. The filter's key tracking follows the glide; bend and vibrato are added.

  /// Starts a glide of a lane from a pitch, in octaves from concert pitch, to that of a note. The remaining distance of
  /// an exponential glide is halved `rate` times per second, or, if that is 0, at the rate of the sound; a linear glide
  /// takes the time in which an exponential one is 99 % done. By rate, this time applies to each octave.
  @_noLocks
  mutating func glide(_ lane: Int, from pitch: Float, to note: Note, _ mode: GlideMode, rate: Float) {
    let (state, distance) = (block.state, pitch - note.octaves)
    if distance.magnitude < Self.tolerance { return }
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.glide.distance[lane] = distance
    state.pointee.glide.speed[lane] = mode.isByRate ? 1 / distance.magnitude : 1
    state.pointee.glide.rate[lane] = rate
    let octaves = mode.isByRate ? 1 : distance.magnitude
    state.pointee.glide.slope[lane] = mode.isLinear ? octaves / GlideLanes.halvings : 0
    state.pointee.pitch[lane] = pitch
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC + distance
    gliding |= 1 << UInt8(lane)
    unmoved |= 1 << UInt8(lane)
  }

  /// The current pitches including bends, in octaves from concert pitch, to which `tune` is added.
  @_noLocks @inline(__always)
  func pitch(_ tune: Float) -> Lanes {
    let state = block.state
    let pitch = state.pointee.pitch + state.pointee.notePitch.value + tune
    return isRestruck ? pitch + state.pointee.stroke.bias : pitch
  }

  /// The current pitch of a lane including its bend, in octaves from concert pitch.
  @_noLocks
  func pitch(_ lane: Int) -> Float {
    let state = block.state
    return state.pointee.pitch[lane] + state.pointee.notePitch.value[lane] + state.pointee.stroke.bias[lane]
  }

  /// Lets a lane continue from the pitch that it had before its note changed.
  @_noLocks
  func continuePitch(_ lane: Int, from pitch: Float) {
    block.state.pointee.stroke.bias[lane] += pitch - self.pitch(lane)
  }

  /// Moves a lane to its note after a change of tuning. A glide keeps its remaining distance.
  @_noLocks
  func retune(_ lane: Int, _ note: Note) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let distance = gliding >> UInt8(lane) & 1 == 0 ? 0 : state.pointee.glide.distance[lane]
    state.pointee.glide.pitch[lane] = note.octaves
    state.pointee.glide.key[lane] = note.octavesFromC
    state.pointee.pitch[lane] = note.octaves + distance
    key.pointee[lane] = note.octavesFromC + distance
  }

  /// The number of times per second that the glides halve their distance.
  @_noLocks
  private func glideRate(_ control: UnsafePointer<SoundParameters>, _ sums: UnsafePointer<Lanes>) -> Lanes {
    let (own, ours) = (block.state.pointee.glide.rate, Lanes(repeating: control.pointee.glideRate))
    let rate = select(own, ours, where: own .> Lanes.zero)
    return control.pointee.routes.moves(.glideSpeed)
      ? rate * exp2(sums[ModulationTarget.glideSpeed.index]) : rate
  }

  /// Advances gliding lanes by `seconds`, except those whose glide has just begun. `rate` is the number of halvings of
  /// the distance per second, from which linear glides have their speed.
  @_noLocks
  private mutating func glide(seconds: Float, rate: Lanes) {
    let (state, key) = (block.state, block.sources + ModulationSource.key.index)
    let halvings = larger(
      state.pointee.glide.speed * (-seconds * rate), Lanes(repeating: -EnvelopeLanes.longest))
    let moved = mask(gliding & ~unmoved)
    let goal = state.pointee.glide.pitch
    let (before, slope) = (state.pointee.glide.distance, state.pointee.glide.slope)
    let straight = signed(larger(magnitude(before) - slope * (seconds * rate), Lanes.zero), like: before)
    let left = select(straight, before * exp2(halvings), where: slope .> Lanes.zero)
    let distance = select(left, before, where: moved)
    state.pointee.glide.distance = distance
    state.pointee.pitch = select(goal + distance, state.pointee.pitch, where: moved)
    key.pointee = select(state.pointee.glide.key + distance, key.pointee, where: moved)
    var arrived = gliding & ~unmoved & lanes(where: magnitude(distance) .< Lanes(repeating: Self.tolerance))
    unmoved = 0
    gliding &= ~arrived
    while arrived != 0 {
      let lane = arrived.trailingZeroBitCount
      state.pointee.pitch[lane] = goal[lane]
      key.pointee[lane] = state.pointee.glide.key[lane]
      arrived &= arrived &- 1
    }
  }

  /// Distance in octaves at which a glide has reached its note: 0.012 cents.
  private static var tolerance: Float { @_noLocks get { 1e-5 } }

  // MARK: - Strokes

  /// Begins anew, because the group has no voice.
  @_noLocks
  mutating func restart(_ control: SoundParameters) { (curves, lfoVoices, pans) = (control.curves, 0, false) }

  /// Starts a lane with a note and the player's controllers; `alternate` is 1 and -1 in turn.
  @_noLocks
  mutating func start(
    _ lane: Int, _ note: Note, _ voice: PlayerModulation, _ control: SoundParameters, alternate: Float
  ) {
    let (state, sources) = (block.state, block.sources)
    state.pointee.envelope.start(lane, control.envelope)
    state.pointee.filterEnvelope.start(lane, control.filterEnvelope)
    state.pointee.envelope3.start(lane, control.envelope3)
    envelopes.attack()
    state.pointee.lfo.start(lane, control.lfo, note.order)
    state.pointee.lfo2.start(lane, control.lfo2, note.order)
    state.pointee.lfo3.start(lane, control.lfo3, note.order)
    tune(lane, note)
    state.pointee.stroke.start(lane, note)
    sources[ModulationSource.release.index][lane] = 0
    sources[ModulationSource.random.index][lane] = ModulationSource.random(note.order)
    sources[ModulationSource.alternate.index][lane] = alternate
    let card = VoiceCard(note.order)
    sources[ModulationSource.cardTune.index][lane] = card.tune
    sources[ModulationSource.cardCutoff.index][lane] = card.cutoff
    sources[ModulationSource.cardSpeed.index][lane] = card.speed
    struck |= 1 << UInt8(lane)
    follow(lane, voice, isNew: true)
  }

  /// Strikes a sounding voice again. Its envelopes restart from their current values, except those that do not
  /// retrigger while the voice is held, `isTied`.
  /// - Parameter isNew: Whether the lane has not been rendered yet.
  @_noLocks
  mutating func restrike(
    _ lane: Int, _ note: Note, _ voice: PlayerModulation, _ control: SoundParameters, isTied: Bool,
    isNew: Bool
  ) {
    let (state, bit) = (block.state, UInt8(1) << UInt8(lane))
    state.pointee.envelope.restrike(lane, control.envelope, isTied: isTied)
    state.pointee.filterEnvelope.restrike(lane, control.filterEnvelope, isTied: isTied)
    state.pointee.envelope3.restrike(lane, control.envelope3, isTied: isTied)
    envelopes.attack()
    if !control.lfo.isFree { state.pointee.lfo.start(lane, control.lfo, note.order) }
    if !control.lfo2.isFree { state.pointee.lfo2.start(lane, control.lfo2, note.order) }
    if !control.lfo3.isFree { state.pointee.lfo3.start(lane, control.lfo3, note.order) }
    state.pointee.stroke.random[lane] = ModulationSource.random(note.order)
    state.pointee.stroke.velocity[lane] = note.velocity
    state.pointee.stroke.release[lane] = 0
    if isNew {
      block.sources[ModulationSource.random.index][lane] = ModulationSource.random(note.order)
    } else {
      restruck |= bit
    }
    tune(lane, note)
    waiting &= ~bit
    struck |= bit
    follow(lane, voice, isNew: isNew)
  }

  /// Changes a voice to another note without a stroke.
  /// - Parameter isNew: Whether the lane has not been rendered yet.
  @_noLocks
  mutating func slur(_ lane: Int, _ note: Note, _ voice: PlayerModulation, isNew: Bool) {
    block.state.pointee.stroke.velocity[lane] = note.velocity
    if !isNew { restruck |= 1 << UInt8(lane) }
    tune(lane, note)
    follow(lane, voice, isNew: isNew)
  }

  /// Makes the pitch of a lane jump to that of a note.
  @_noLocks
  private mutating func tune(_ lane: Int, _ note: Note) {
    block.state.pointee.pitch[lane] = note.octaves
    block.sources[ModulationSource.key.index][lane] = note.octavesFromC
    let bit = UInt8(1) << UInt8(lane)
    (gliding, unmoved) = (gliding & ~bit, unmoved & ~bit)
  }

  /// Applies the player's controllers to a lane: smoothly, or at once if it has not been rendered yet.
  @_noLocks
  mutating func follow(_ lane: Int, _ voice: PlayerModulation, isNew: Bool) {
    let (state, sources) = (block.state, block.sources)
    state.pointee.notePitch.target[lane] = voice.pitch / 12
    var index = 0
    while index < ModulationSource.playedCount {
      block.played[index][lane] = voice.played[index]
      index &+= 1
    }
    state.pointee.expression.target[lane] = voice.gain
    state.pointee.pan.target[lane] = voice.pan
    pans = pans || voice.pan != 0
    moving = Self.settling
    if !isNew { return }
    state.pointee.notePitch.snap(lane)
    state.pointee.expression.snap(lane)
    state.pointee.pan.snap(lane)
    sources[ModulationSource.velocity.index][lane] = state.pointee.stroke.velocity[lane]
    index = 0
    while index < ModulationSource.playedCount {
      sources[ModulationSource.firstPlayed &+ index][lane] = voice.played[index]
      index &+= 1
    }
  }

  /// Control ticks until the player's controllers settle: 16 time constants at 48 kHz, and four at four times that
  /// rate. The last step reaches the target.
  private static var settling: Int32 { @_noLocks get { 300 } }

  /// Stores the velocity with which the key of a voice was released.
  @_noLocks
  func lift(_ lane: Int, velocity: Float) {
    let velocity = max(0, min(velocity, 1))
    block.sources[ModulationSource.release.index][lane] = velocity
    block.state.pointee.stroke.release[lane] = velocity
  }

  /// Lets the release of a held note wait if it has to: right after its stroke, or within 5 ms, for the top of its attack.
  /// The release of a percussive note waits for ever, because its decay ends the voice. False if it need not wait.
  @_noLocks
  mutating func waits(_ lane: Int, _ control: SoundParameters) -> Bool {
    let (bit, curves) = (UInt8(1) << UInt8(lane), control.envelope)
    let waits =
      struck & bit != 0 || isPercussive(control)
      || block.state.pointee.envelope.isYoung(lane, curves, ticks: curves.pointee.briefest)
    if waits { waiting |= bit }
    return waits
  }

  /// Whether the notes of a sound end by their decay, no matter how long a key is held.
  @_noLocks
  private func isPercussive(_ control: SoundParameters) -> Bool {
    control.envelope.pointee.isPercussive && !control.routes.moves(.ampSustain)
  }

  /// Releases the notes whose release waits, once their attack has reached its top.
  @_noLocks
  private mutating func endBriefNotes(_ control: UnsafePointer<SoundParameters>, _ released: inout UInt8) {
    if isPercussive(control.pointee) { return }
    let state = block.state
    var left = waiting
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      if state.pointee.envelope.rises(lane) { continue }
      state.pointee.envelope.enter(lane, EnvelopeStage.release, control.pointee.envelope)
      state.pointee.filterEnvelope.enter(lane, EnvelopeStage.release, control.pointee.filterEnvelope)
      state.pointee.envelope3.enter(lane, EnvelopeStage.release, control.pointee.envelope3)
      if control.pointee.hasBowedCurves { envelopes.attack() }
      let bit = UInt8(1) << UInt8(lane)
      (waiting, released) = (waiting & ~bit, released | bit)
    }
  }

  /// Starts the release of a voice, or fades it in 4 ms or, if `slowly`, in 20 ms.
  @_noLocks
  mutating func release(
    _ lane: Int, isReleased: Bool, fades: Bool, slowly: Bool, _ control: SoundParameters
  ) {
    let state = block.state
    waiting &= ~(UInt8(1) << UInt8(lane))
    if fades {
      let stage = slowly ? EnvelopeStage.slowFade : EnvelopeStage.fade
      state.pointee.envelope.enter(lane, stage, control.envelope)
      envelopes.amplifierAttacks = true
    } else if !isReleased {
      state.pointee.envelope.enter(lane, EnvelopeStage.release, control.envelope)
    }
    if isReleased { return }
    state.pointee.filterEnvelope.enter(lane, EnvelopeStage.release, control.filterEnvelope)
    state.pointee.envelope3.enter(lane, EnvelopeStage.release, control.envelope3)
    if control.hasBowedCurves { envelopes.attack() }
  }

  /// Frees a lane whose voice has ended or has moved to another lane.
  @_noLocks
  mutating func free(_ lane: Int) {
    let others = ~(UInt8(1) << UInt8(lane))
    struck &= others
    waiting &= others
    gliding &= others
    restruck &= others
  }

  /// Silences a lane without a fade.
  @_noLocks
  func silence(_ lane: Int) {
    let state = block.state
    state.pointee.envelope.silence(lane)
    state.pointee.filterEnvelope.silence(lane)
    state.pointee.envelope3.silence(lane)
    // So low that its waveforms cost no time.
    state.pointee.pitch[lane] = -20
  }

  // MARK: - Moving lanes

  /// Whether a sounding voice can move from the modulators of another group to these.
  @_noLocks
  func matches(_ other: VoiceModulators) -> Bool { curves == other.curves }

  /// Joins the state of the modulators of another group, whose lane `otherLane` has been copied to a lane of this one.
  @_noLocks
  mutating func join(_ lane: Int, _ other: VoiceModulators, _ otherLane: Int) {
    waiting |= (other.waiting >> UInt8(otherLane) & 1) << UInt8(lane)
    gliding |= (other.gliding >> UInt8(otherLane) & 1) << UInt8(lane)
    moving = max(moving, other.moving)
    pans = pans || other.pans
    envelopes.join(other.envelopes)
    isRestruck = isRestruck || other.isRestruck
  }
}
