import CRealtime

// A voice that is struck again, and notes so short that they end where they begin.

extension VoiceGroup {
  /// Strikes a voice that sounds: its envelopes begin anew from where they are, phases and filter go on.
  @_noLocks
  mutating func restrike(_ lane: Int, _ note: Note, _ voice: VoiceControl, _ control: SoundControl) {
    let (state, bit) = (block.state, UInt8(1) << UInt8(lane))
    state.pointee.envelope.enter(lane, EnvelopeLanes.attack, control.envelope)
    state.pointee.filterEnvelope.enter(lane, EnvelopeLanes.attack, control.filterEnvelope)
    attacks = (true, true)
    state.pointee.lfo.phase[lane] = 0
    state.pointee.velocity[lane] = note.velocity
    block.sources[ModulationSource.release.index][lane] = 0
    (released, brief) = (released & ~bit, brief & ~bit)
    struck |= bit
    stirred = true
    follow(lane, voice)
  }

  /// Makes a voice fade at once, but five times as slowly as a stolen one: in 20 ms.
  @_noLocks
  mutating func fadeSlowly(_ lane: Int, _ control: SoundControl) {
    release(lane, fades: true, control)
    block.state.pointee.envelope.slowDown(lane, times: 5)
  }

  /// Lets the notes that were let go as soon as they were struck end, where their attack has arrived at its top.
  @_noLocks
  mutating func endBriefNotes(_ control: UnsafePointer<SoundControl>) {
    let state = block.state
    var left = brief
    while left != 0 {
      let lane = left.trailingZeroBitCount
      left &= left &- 1
      if state.pointee.envelope.stage[lane] == UInt32(EnvelopeLanes.attack) { continue }
      state.pointee.envelope.enter(lane, EnvelopeLanes.release, control.pointee.envelope)
      state.pointee.filterEnvelope.enter(lane, EnvelopeLanes.release, control.pointee.filterEnvelope)
      let bit = UInt8(1) << UInt8(lane)
      (brief, released) = (brief & ~bit, released | bit)
    }
  }
}

extension EnvelopeLanes {
  /// Makes the curve of one lane so many times slower.
  @_noLocks
  fileprivate mutating func slowDown(_ lane: Int, times: Float) {
    rate[lane] /= times
    left[lane] = rt_exp2(rt_log2(left[lane]) / times)
  }
}
