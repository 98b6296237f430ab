import CRealtime

// What the knobs of a patch, the key and the hands mean to one voice.

/// What the hands do to a voice while it sounds.
struct Touch {
  /// -1…1.
  let bend: Float
  /// Semitones, on top of the bend.
  let notePitch: Float
  /// 0…1, of the wheel and of pressure, whichever is more.
  let wheel: Float
  /// 0…1.
  let expression: Float

  @_noLocks init(bend: Float, notePitch: Float, wheel: Float, expression: Float) {
    self.bend = bend
    self.notePitch = notePitch
    self.wheel = wheel
    self.expression = expression
  }
}

/// The gains of a part's strip.
struct Pan {
  let left: Float
  let right: Float

  @_noLocks init(left: Float, right: Float) {
    self.left = left
    self.right = right
  }
}

extension VoiceGroup {
  /// Gives a lane its sound. What can be swept follows smoothly; a voice that starts is there at once.
  @_noLocks
  mutating func set(
    _ lane: Int, _ patch: UnsafePointer<Patch>, note: Float, velocity: Float, tune: Float
  ) {
    oscillator1.set(lane, patch.pointee.oscillator1)
    oscillator2.set(lane, patch.pointee.oscillator2)
    envelope.set(lane, patch.pointee.amplifier.envelope)
    filterEnvelope.set(lane, patch.pointee.filter.envelope)
    lfo.wave[lane] = patch.pointee.lfo.wave
    lfo.rate[lane] = patch.pointee.lfo.rate
    pitch[lane] = tune + (note - 69) / 12
    let knobs = patch.pointee.filter
    cutoff.target[lane] =
      rt_log2(max(knobs.cutoff, 1)) + knobs.track * (note - 60) / 12 + knobs.velocity * velocity
    resonance.target[lane] = knobs.resonance
    amount.target[lane] = knobs.amount
    wah.target[lane] = patch.pointee.lfo.cutoff
    tremolo.target[lane] = patch.pointee.lfo.level
  }

  /// Lets the hands and the strip act on a lane.
  @_noLocks
  mutating func touch(
    _ lane: Int, _ patch: UnsafePointer<Patch>, velocity: Float, _ touch: Touch, _ pan: Pan
  ) {
    let amplifier = patch.pointee.amplifier
    bend.target[lane] = (touch.bend * patch.pointee.play.bend + touch.notePitch) / 12
    vibrato.target[lane] = (patch.pointee.lfo.pitch + patch.pointee.lfo.wheel * touch.wheel) / 1200
    let hardness = 1 - amplifier.velocity * (1 - velocity * velocity)
    // Resonance lifts one band by up to 28 dB; taking the rest down keeps the loudness near.
    let resonance = 1 - 0.4 * patch.pointee.filter.resonance
    let gain =
      VoiceGroup.gain / FilterLanes.gain * hardness * resonance * amplitude(decibels: amplifier.level)
      * touch.expression * touch.expression
    left.target[lane] = gain * pan.left
    right.target[lane] = gain * pan.right
  }
}

/// The factor that a level in decibels means; nothing at `Limits.silence` and below.
@_noLocks
func amplitude(decibels: Float) -> Float {
  decibels <= Limits.silence ? 0 : rt_exp2(decibels * 0.166096405)
}
