// The life of a voice in one lane of a group: start, release, end, and the move to another lane.

extension VoiceGroup {
  /// Starts a voice in a free lane with the player's controllers; `alternate` is 1 and -1 in turn.
  @_noLocks
  mutating func start(
    _ lane: Int, _ note: Note, _ voice: PlayerModulation, _ patch: UnsafeMutablePointer<Patch>,
    _ control: SoundParameters, alternate: Float, _ random: inout RandomNumbers
  ) {
    let (state, sources) = (block.state, block.sources)
    var oscillator = 0
    while oscillator < control.count {
      let wave = patch.oscillator(oscillator).pointee.wave
      block.oscillators[oscillator].start(lane, Waveform.at(wave))
      oscillator &+= 1
    }
    if used == 0 { (paths, filter.isStereo, filter.isPanned) = (GroupPaths(), false, false) }
    if used == 0 { lfoVoices = 0 }
    startExtras(lane, note.key, patch, control, &random)
    state.pointee.notes[lane] = note.laneID
    filter.reset(lane)
    state.pointee.envelope.start(lane, control.envelope)
    state.pointee.filterEnvelope.start(lane, control.filterEnvelope)
    state.pointee.envelope3.start(lane, control.envelope3)
    envelopes.attack()
    if used == 0 { oscillators.widths = control.widths }
    if used == 0 { envelopes.curves = control.curves }
    state.pointee.lfo.start(lane, control.lfo, note.order)
    state.pointee.lfo2.start(lane, control.lfo2, note.order)
    state.pointee.lfo3.start(lane, control.lfo3, note.order)
    tune(lane, note)
    state.pointee.gain.jump(lane, to: 0)
    state.pointee.stroke.start(lane, note)
    sources[ModulationSource.release.index][lane] = 0
    sources[ModulationSource.random.index][lane] = ModulationSource.random(note.order)
    sources[ModulationSource.alternate.index][lane] = alternate
    let card = VoiceCard(note.order)
    sources[ModulationSource.cardTune.index][lane] = card.tune
    sources[ModulationSource.cardCutoff.index][lane] = card.cutoff
    sources[ModulationSource.cardSpeed.index][lane] = card.speed
    let bit: UInt8 = 1 << UInt8(lane)
    used |= bit
    started |= bit
    struckThisTick |= bit
    needsUpdate = true
    follow(lane, voice)
  }

  /// Applies the player's controllers to a lane: smoothly, or at once if it has not been rendered yet.
  @_noLocks
  mutating func follow(_ lane: Int, _ voice: PlayerModulation) {
    let (state, sources) = (block.state, block.sources)
    state.pointee.notePitch.target[lane] = voice.pitch / 12
    var index = 0
    while index < ModulationSource.playedCount {
      block.played[index][lane] = voice.played[index]
      index &+= 1
    }
    state.pointee.expression.target[lane] = voice.gain
    moving = Self.settling
    if started & (1 << UInt8(lane)) == 0 { return }
    state.pointee.notePitch.snap(lane)
    state.pointee.expression.snap(lane)
    sources[ModulationSource.velocity.index][lane] = state.pointee.stroke.velocity[lane]
    index = 0
    while index < ModulationSource.playedCount {
      sources[ModulationSource.firstPlayed &+ index][lane] = voice.played[index]
      index &+= 1
    }
  }

  /// Control ticks until the player's controllers settle: 16 time constants at 48 kHz, and four at four times that
  /// rate. The last step reaches the target.
  static var settling: Int32 { @_noLocks get { 300 } }

  /// Starts the release of a voice, or fades it in 4 ms or, if `slowly`, in 20 ms.
  @_noLocks
  mutating func release(_ lane: Int, fades: Bool, slowly: Bool = false, _ control: SoundParameters) {
    let (state, bit) = (block.state, UInt8(1) << UInt8(lane))
    if !fades, waitsForEnd(lane, control) {
      releasedInAttack |= bit
      return
    }
    needsUpdate = true
    releasedInAttack &= ~bit
    if fades {
      let stage = slowly ? EnvelopeStage.slowFade : EnvelopeStage.fade
      state.pointee.envelope.enter(lane, stage, control.envelope)
      envelopes.amplifierAttacks = true
    } else if released & bit == 0 {
      state.pointee.envelope.enter(lane, EnvelopeStage.release, control.envelope)
    }
    if released & bit == 0 {
      state.pointee.filterEnvelope.enter(lane, EnvelopeStage.release, control.filterEnvelope)
      state.pointee.envelope3.enter(lane, EnvelopeStage.release, control.envelope3)
      if control.hasBowedCurves { envelopes.attack() }
    }
    released |= bit
    if fades { fading |= bit }
  }

  /// Stores the velocity with which the key of a voice was released.
  @_noLocks
  func lift(_ lane: Int, velocity: Float) {
    let velocity = max(0, min(velocity, 1))
    block.sources[ModulationSource.release.index][lane] = velocity
    block.state.pointee.stroke.release[lane] = velocity
  }

  /// Frees a lane whose voice has ended or has moved to another lane.
  @_noLocks
  mutating func free(_ lane: Int) {
    let bit = UInt8(1) << UInt8(lane)
    (used, released, fading, started) = (used & ~bit, released & ~bit, fading & ~bit, started & ~bit)
    (struckThisTick, releasedInAttack, gliding, restruck) = (
      struckThisTick & ~bit, releasedInAttack & ~bit, gliding & ~bit, restruck & ~bit
    )
    silence(lane)
  }

  /// Silences a lane without a fade.
  @_noLocks
  mutating func silence(_ lane: Int) {
    let state = block.state
    filter.reset(lane)
    state.pointee.envelope.silence(lane)
    state.pointee.filterEnvelope.silence(lane)
    state.pointee.envelope3.silence(lane)
    state.pointee.gain.jump(lane, to: 0)
    // So low that its waveforms cost no time.
    state.pointee.pitch[lane] = -20
    block.extras.pointee.right.reset(lane)
    block.extras.pointee.rightGain.jump(lane, to: 0)
    block.extras.pointee.noise.silence(lane)
  }

  /// The lanes whose voice is held for the note with an ID. One comparison for all eight, because every key that is
  /// struck or released is searched for in all groups.
  @_noLocks @inline(__always)
  func held(by id: UInt32) -> UInt8 {
    let held = used & ~released & ~releasedInAttack
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
      && passed == other.passed && envelopes.curves == other.envelopes.curves
      && paths.interacts == other.paths.interacts && paths.hasColors == other.paths.hasColors
      && block.gains[1].synced == other.block.gains[1].synced && filter.matches(other.filter)
  }

  /// Moves lane `otherLane` of another group of the same sound into a lane of this one, while it sounds.
  @_noLocks
  mutating func take(_ lane: Int, from other: UnsafeMutablePointer<VoiceGroup>, _ otherLane: Int) {
    other.pointee.block.copy(otherLane, to: block, lane)
    let (bit, from) = (UInt8(1) << UInt8(lane), UInt8(1) << UInt8(otherLane))
    used |= bit
    // The tail of its jumps was copied with the lane; it is valid only if both groups render sums of the same kind.
    let (gains, others) = (block.gains, other.pointee.block.gains)
    if !(gains[0].summed == others[0].summed) { gains[0].summed = ImpulseKey() }
    if other.pointee.released & from != 0 { released |= bit }
    if other.pointee.fading & from != 0 { fading |= bit }
    if other.pointee.releasedInAttack & from != 0 { releasedInAttack |= bit }
    if other.pointee.gliding & from != 0 { gliding |= bit }
    moving = max(moving, other.pointee.moving)
    envelopes.join(other.pointee.envelopes)
    filter.join(other.pointee.filter)
    oscillators.audible |= other.pointee.oscillators.audible
    paths.hasSub = paths.hasSub || other.pointee.paths.hasSub
    paths.hasNoise = paths.hasNoise || other.pointee.paths.hasNoise
    isRestruck = isRestruck || other.pointee.isRestruck
    takeWidths(lane, other, otherLane)
    oscillators.levelsMoved = SIMD2(repeating: 1)
    other.pointee.free(otherLane)
  }
}
