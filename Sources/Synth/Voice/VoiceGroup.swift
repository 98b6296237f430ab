import Scenes

/// Eight voices of one sound, one in each lane, rendered together: modulators, oscillators and a filter.
struct VoiceGroup {
  let block: LaneBlock
  /// The sound that it plays; meaningless while no lane is used.
  var sound = 0

  /// Lanes that carry a voice, one bit each.
  var used: UInt8 = 0
  /// Used lanes that no key and no pedal holds any more.
  var released: UInt8 = 0
  /// Released lanes that fade because they were stolen: they do not count as voices.
  var fading: UInt8 = 0
  /// Lanes whose voice has started since the last update.
  var started: UInt8 = 0
  /// True when an event changed a lane, so that the update must not wait for its tick.
  var needsUpdate = false
  /// Frames from the last update to the next, and frames of these that have passed.
  var planned: Int32 = 0
  var passed: Int32 = 0
  /// True when the next update is due.
  var isDue: Bool { @_noLocks @inline(__always) get { passed >= planned } }

  /// Its parts.
  var modulators: VoiceModulators
  var oscillators: VoiceOscillators
  var filter: VoiceFilter

  /// A group without voices.
  @_noLocks init(_ block: LaneBlock) {
    self.block = block
    modulators = VoiceModulators(block)
    oscillators = VoiceOscillators(block)
    filter = VoiceFilter(block)
  }

  /// The update that is being rendered.
  var update: GroupUpdate {
    @_noLocks @inline(__always) get {
      GroupUpdate(planned: planned, passed: passed, used: used, started: started)
    }
  }

  /// Renders at most `Limits.unisonFrames` frames through scratch memory and adds them to the mix, lane by lane; also
  /// to `right` if the sides differ.
  @_noLocks
  mutating func render(
    _ control: UnsafePointer<SoundParameters>, _ context: RenderContext, mix: UnsafeMutablePointer<Lanes>,
    right: UnsafeMutablePointer<Lanes>, frames: Int
  ) {
    let x = oscillators.render(control, context, update, frames: frames)
    if control.pointee.isStereo {
      filter.processSides(x, context.mixer.mix, context, update, mix: mix, right: right, frames: frames)
    } else {
      filter.process(x, context, update, mix: mix, frames: frames)
    }
    if oscillators.widthsMove != 0 { oscillators.passWidths(frames) }
    passed &+= Int32(frames)
  }

  // MARK: - Updates

  /// Advances the group at control rate: envelopes, LFOs, routes and smoothing determine the targets that all ramps reach
  /// after the next `frames`, which are a whole update or, after an event, the rest of one. Returns the lanes whose voice
  /// has ended.
  @_noLocks
  mutating func advance(_ control: UnsafePointer<SoundParameters>, _ context: RenderContext, frames: Int)
    -> UInt8
  {
    if passed > 0 && passed < planned && oscillators.interacts {
      oscillators.endSynced(control, context, update)
    }
    let (perFrame, seconds) = (1 / Float(frames), Float(frames) / context.rate)
    let routes = control.routes
    modulators.advance(control, context, update, released: &released, frames: frames)

    let sums = context.sums
    moveTargets(control, routes, context)
    // Computed side by side, because each is a long chain of operations.
    let frequency = exp2(sums[ModulationTarget.pitch.index])
    let cutoff = exp2(sums[ModulationTarget.cutoff.index])
    oscillators.aim(control, frequency, context, update, perFrame: perFrame, seconds: seconds)
    filter.aim(
      control, routes, sums, cutoff, context, update, perFrame: perFrame, isWhole: isDue)
    aimGain(control, routes, sums, perFrame: perFrame)

    if started != 0 {
      // Voices that start do so with the filter at its target.
      filter.snap(started, frames: Float(frames))
      started = 0
    }
    (planned, passed, needsUpdate) = (Int32(frames), 0, false)
    return modulators.ended(control, used: used, released: released)
  }

  /// Sums up the modulation of the voices; pitch, cutoff and level begin at their unmodulated values. Mutating, because
  /// the compiler otherwise copies the group for the call.
  @_noLocks @inline(__always)
  private mutating func moveTargets(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ context: RenderContext
  ) {
    let sums = context.sums
    let pitch = ModulationTarget.pitch.index
    routes.clear(ModulationTarget.ofVoice, sums)
    sums[pitch] = modulators.pitch(context.tune)
    sums[ModulationTarget.cutoff.index] = Lanes(repeating: control.pointee.filter.cutoff)
    sums[ModulationTarget.level.index] = Lanes(repeating: control.pointee.level)
    routes.add(routes.pointee.toVoice, block.sources, to: sums)
    if routes.pointee.moved & ModulationTarget.ofCutoff != 0 { deepenCutoff(routes, sums) }
  }

  /// Adds the modulated amounts of filter envelope and key tracking to the cutoff.
  @_noLocks @inline(never)
  private func deepenCutoff(_ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafeMutablePointer<Lanes>) {
    let cutoff = ModulationTarget.cutoff.index
    if routes.pointee.moves(.filterAmount) {
      sums[cutoff] +=
        sums[ModulationTarget.filterAmount.index] * block.sources[ModulationSource.filterEnvelope.index]
    }
    if routes.pointee.moves(.filterTrack) {
      sums[cutoff] += sums[ModulationTarget.filterTrack.index] * block.sources[ModulationSource.key.index]
    }
  }

  /// Aims the gain of each voice, on both sides where the voices are panned.
  @_noLocks @inline(__always)
  private mutating func aimGain(
    _ control: UnsafePointer<SoundParameters>, _ routes: UnsafePointer<ModulationRoutes>,
    _ sums: UnsafeMutablePointer<Lanes>, perFrame: Float
  ) {
    let state = block.state
    let velocity = block.sources[ModulationSource.velocity.index]
    let hardness = SoundParameters.hardness(control.pointee.velocity, velocity)
    let amplitude = larger(sums[ModulationTarget.level.index], Lanes.zero)
    let level = amplitude * hardness * state.pointee.expression.value
    let loudness = control.pointee.gain * state.pointee.filter.shape.loudness
    let gain = state.pointee.envelope.to * level * loudness
    if routes.pointee.moves(.pan) || filter.isPanned || modulators.pans {
      pan(gain, routes, sums, perFrame: perFrame)
    } else {
      state.pointee.gain.aim(at: gain, perFrame: perFrame)
    }
  }

  /// Aims the gains of both sides at constant power for any pan position. The group stays panned until it is empty.
  @_noLocks @inline(never)
  private mutating func pan(
    _ gain: Lanes, _ routes: UnsafePointer<ModulationRoutes>, _ sums: UnsafePointer<Lanes>, perFrame: Float
  ) {
    let (state, extras, one) = (block.state, block.extras, Lanes(repeating: 1))
    if !filter.isPanned { extras.pointee.rightGain.rest(at: state.pointee.gain.value) }
    filter.isPanned = true
    var position = state.pointee.pan.value
    if routes.pointee.moves(.pan) {
      position = larger(smaller(position + sums[ModulationTarget.pan.index], one), -one)
    }
    // √2·cos(π/4·(1 ± x)) for positions x of ±1.
    let louder = gain * 1.41421356
    state.pointee.gain.aim(at: louder * sinePi(0.25 - 0.25 * position), perFrame: perFrame)
    extras.pointee.rightGain.aim(at: louder * sinePi(0.25 + 0.25 * position), perFrame: perFrame)
  }

  // MARK: - Lanes

  /// Starts a voice in a free lane with the player's controllers; `alternate` is 1 and -1 in turn.
  @_noLocks
  mutating func start(
    _ lane: Int, _ note: Note, _ voice: PlayerModulation, _ patch: UnsafeMutablePointer<Patch>,
    _ control: SoundParameters, alternate: Float, _ random: inout RandomNumbers
  ) {
    if used == 0 {
      modulators.restart(control)
      oscillators.restart(control)
      filter.restart()
    }
    let bit: UInt8 = 1 << UInt8(lane)
    used |= bit
    started |= bit
    needsUpdate = true
    block.state.pointee.notes[lane] = note.laneID
    oscillators.start(lane, note.key, patch, control, &random)
    filter.reset(lane)
    resetGain(lane)
    modulators.start(lane, note, voice, control, alternate: alternate)
  }

  /// Strikes a sounding voice again; its phases and its filter continue.
  @_noLocks
  mutating func restrike(_ lane: Int, _ note: Note, _ voice: PlayerModulation, _ control: SoundParameters) {
    let bit: UInt8 = 1 << UInt8(lane)
    let isTied = (released | modulators.waiting) & bit == 0
    block.state.pointee.notes[lane] = note.laneID
    released &= ~bit
    needsUpdate = true
    modulators.restrike(lane, note, voice, control, isTied: isTied, isNew: started & bit != 0)
  }

  /// Changes a voice to another note without a stroke.
  @_noLocks
  mutating func slur(_ lane: Int, _ note: Note, _ voice: PlayerModulation) {
    needsUpdate = true
    modulators.slur(lane, note, voice, isNew: started >> UInt8(lane) & 1 != 0)
  }

  /// Applies the player's controllers to a lane: smoothly, or at once if it has not been rendered yet.
  @_noLocks
  mutating func follow(_ lane: Int, _ voice: PlayerModulation) {
    modulators.follow(lane, voice, isNew: started >> UInt8(lane) & 1 != 0)
  }

  /// Lets a lane continue from the pitch that it had before its note changed, unless it has not been rendered yet.
  @_noLocks
  func continuePitch(_ lane: Int, from pitch: Float) {
    if started >> UInt8(lane) & 1 == 0 { modulators.continuePitch(lane, from: pitch) }
  }

  /// Starts the release of a voice, or fades it in 4 ms or, if `slowly`, in 20 ms. The release of a short note may wait.
  @_noLocks
  mutating func release(_ lane: Int, fades: Bool, slowly: Bool = false, _ control: SoundParameters) {
    let bit: UInt8 = 1 << UInt8(lane)
    let isReleased = released & bit != 0
    if !fades, !isReleased, modulators.waits(lane, control) { return }
    needsUpdate = true
    modulators.release(lane, isReleased: isReleased, fades: fades, slowly: slowly, control)
    released |= bit
    if fades { fading |= bit }
  }

  /// Frees a lane whose voice has ended or has moved to another lane.
  @_noLocks
  mutating func free(_ lane: Int) {
    let bit = UInt8(1) << UInt8(lane)
    (used, released, fading, started) = (used & ~bit, released & ~bit, fading & ~bit, started & ~bit)
    modulators.free(lane)
    silence(lane)
  }

  /// Silences a lane without a fade.
  @_noLocks
  mutating func silence(_ lane: Int) {
    modulators.silence(lane)
    oscillators.silence(lane)
    filter.reset(lane)
    resetGain(lane)
  }

  @_noLocks
  private func resetGain(_ lane: Int) {
    block.state.pointee.gain.jump(lane, to: 0)
    block.extras.pointee.rightGain.jump(lane, to: 0)
  }

  /// The lanes whose voice is held for the note with an ID. One comparison for all eight, because every key that is
  /// struck or released is searched for in all groups.
  @_noLocks @inline(__always)
  func held(by id: UInt32) -> UInt8 {
    let held = used & ~released & ~modulators.waiting
    return held == 0 ? 0 : held & lanes(where: block.state.pointee.notes .== LaneWords(repeating: id))
  }

  /// The lanes whose voice sounds for the note with an ID, held or not, without stolen voices that fade.
  @_noLocks @inline(__always)
  func sounding(by id: UInt32) -> UInt8 {
    let sounding = used & ~fading
    return sounding == 0
      ? 0 : sounding & lanes(where: block.state.pointee.notes .== LaneWords(repeating: id))
  }

  /// The current level of a voice: its envelope.
  @_noLocks
  func level(_ lane: Int) -> Float { block.state.pointee.envelope.to[lane] }

  // MARK: - Moving lanes

  /// True when a sounding voice can move from this group to another: both are at the same frame of an update and in the
  /// same state.
  @_noLocks
  func keepsTime(with other: VoiceGroup) -> Bool {
    started == 0 && other.started == 0 && !needsUpdate && !other.needsUpdate && planned == other.planned
      && passed == other.passed && modulators.matches(other.modulators)
      && oscillators.matches(other.oscillators) && filter.matches(other.filter)
  }

  /// Moves lane `otherLane` of another group of the same sound into a lane of this one, while it sounds.
  @_noLocks
  mutating func take(_ lane: Int, from other: UnsafeMutablePointer<VoiceGroup>, _ otherLane: Int) {
    other.pointee.block.copy(otherLane, to: block, lane)
    let (bit, from) = (UInt8(1) << UInt8(lane), UInt8(1) << UInt8(otherLane))
    used |= bit
    if other.pointee.released & from != 0 { released |= bit }
    if other.pointee.fading & from != 0 { fading |= bit }
    modulators.join(lane, other.pointee.modulators, otherLane)
    oscillators.join(lane, other.pointee.oscillators)
    filter.join(other.pointee.filter)
    other.pointee.free(otherLane)
  }
}
