// Voices that are struck again, and notes so short that they end before their attack.

extension VoiceGroup {
  /// Strikes a sounding voice again. Its envelopes restart from their current values, except those that do not
  /// retrigger while the voice is held; phases and filter continue.
  @_noLocks
  mutating func restrike(_ lane: Int, _ note: Note, _ voice: PlayerModulation, _ control: SoundParameters) {
    let (state, bit) = (block.state, UInt8(1) << UInt8(lane))
    let isTied = released & bit == 0
    state.pointee.envelope.restrike(lane, control.envelope, isTied: isTied)
    state.pointee.filterEnvelope.restrike(lane, control.filterEnvelope, isTied: isTied)
    state.pointee.envelope3.restrike(lane, control.envelope3, isTied: isTied)
    envelopes.attack()
    if !control.lfo.isFree { state.pointee.lfo.start(lane, control.lfo, note.order) }
    if !control.lfo2.isFree { state.pointee.lfo2.start(lane, control.lfo2, note.order) }
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

  /// Releases the notes that were released right after their stroke, once their attack has reached its top.
  @_noLocks
  mutating func endBriefNotes(_ control: UnsafePointer<SoundParameters>) {
    let state = block.state
    var left = releasedInAttack
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      if state.pointee.envelope.rises(lane) { continue }
      state.pointee.envelope.enter(lane, EnvelopeStage.release, control.pointee.envelope)
      state.pointee.filterEnvelope.enter(lane, EnvelopeStage.release, control.pointee.filterEnvelope)
      state.pointee.envelope3.enter(lane, EnvelopeStage.release, control.pointee.envelope3)
      let bit = UInt8(1) << UInt8(lane)
      (releasedInAttack, released) = (releasedInAttack & ~bit, released | bit)
    }
  }
}
