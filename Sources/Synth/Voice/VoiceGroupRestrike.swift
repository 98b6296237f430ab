// Voices that are struck again, and notes whose end waits: those that are shorter than their attack, and percussive
// ones.

extension VoiceGroup {
  /// Strikes a sounding voice again. Its envelopes restart from their current values, except those that do not
  /// retrigger while the voice is held; phases and filter continue.
  @_noLocks
  mutating func restrike(_ lane: Int, _ note: Note, _ voice: PlayerModulation, _ control: SoundParameters) {
    let (state, bit) = (block.state, UInt8(1) << UInt8(lane))
    let isTied = (released | releasedInAttack) & bit == 0
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
    restruck |= bit & ~started
    if started & bit != 0 {
      block.sources[ModulationSource.random.index][lane] = ModulationSource.random(note.order)
    }
    state.pointee.notes[lane] = note.laneID
    tune(lane, note)
    (released, releasedInAttack) = (released & ~bit, releasedInAttack & ~bit)
    struckThisTick |= bit
    needsUpdate = true
    follow(lane, voice)
  }

  /// Whether the release of a note has to wait: right after its stroke, or within 5 ms, for the top of its attack.
  /// The release of a percussive note waits for ever, because its decay ends the voice.
  @_noLocks
  func waitsForEnd(_ lane: Int, _ control: SoundParameters) -> Bool {
    if released >> UInt8(lane) & 1 != 0 { return false }
    if struckThisTick >> UInt8(lane) & 1 != 0 || isPercussive(control) { return true }
    let curves = control.envelope
    return block.state.pointee.envelope.isYoung(lane, curves, ticks: curves.pointee.briefest)
  }

  /// Whether the notes of a sound end by their decay, no matter how long a key is held.
  @_noLocks
  private func isPercussive(_ control: SoundParameters) -> Bool {
    control.envelope.pointee.isPercussive && !control.routes.moves(.ampSustain)
  }

  /// Releases the notes whose release waits, once their attack has reached its top.
  @_noLocks
  mutating func endBriefNotes(_ control: UnsafePointer<SoundParameters>) {
    if isPercussive(control.pointee) { return }
    let state = block.state
    var left = releasedInAttack
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      if state.pointee.envelope.rises(lane) { continue }
      state.pointee.envelope.enter(lane, EnvelopeStage.release, control.pointee.envelope)
      state.pointee.filterEnvelope.enter(lane, EnvelopeStage.release, control.pointee.filterEnvelope)
      state.pointee.envelope3.enter(lane, EnvelopeStage.release, control.pointee.envelope3)
      if control.pointee.hasBowedCurves { envelopes.attack() }
      let bit = UInt8(1) << UInt8(lane)
      (releasedInAttack, released) = (releasedInAttack & ~bit, released | bit)
    }
  }
}
