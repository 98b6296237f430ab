import Scenes

// Operations on the single voice of a mono part, beyond those that every voice has; and voices of keys that are struck
// again.

extension Voices {
  /// The first voice from `voice` on that is the mono voice of a part and does not fade, held or not, in any sound;
  /// `Limits.lanes` when there is none.
  @_noLocks
  func nextMono(_ part: Int, _ voice: Int) -> Int {
    var voice = next(voice)
    while voice < Limits.lanes {
      if notes[voice].isMono, Int(notes[voice].part) == part, isSounding(voice) { return voice }
      voice = next(voice &+ 1)
    }
    return voice
  }

  /// True when a voice belongs to the current sound of its part.
  @_noLocks
  func isCurrent(_ voice: Int) -> Bool {
    group(voice).pointee.sound == sounds.current[Int(notes[voice].part)]
  }

  /// True when the mono voice of a part has decayed to silence and ended while keys were held. Notes that are tied to
  /// it then stay silent, as the voice would.
  @_noLocks
  func hasDiedAway(_ part: Int) -> Bool { sounds.sounds[sounds.current[part]].hasDiedAway }

  /// Whether tied notes retrigger the envelopes in a part.
  @_noLocks
  func retriggers(_ part: Int) -> Bool {
    sounds.sounds[sounds.current[part]].control.envelope.pointee.retriggers
  }

  /// Changes a voice to another note without a stroke.
  @_noLocks
  mutating func slur(_ voice: Int, _ note: Note, _ control: PlayerModulation, keepsVelocity: Bool) {
    var note = note
    if keepsVelocity { (note.velocity, note.loudness) = (notes[voice].velocity, notes[voice].loudness) }
    order &+= 1
    note.order = order
    notes[voice] = note
    sound(voice).pointee.control.notePan(control.pan)
    group(voice).pointee.slur(lane(voice), note, control)
  }

  /// Makes the voice of a held note the mono voice of its part.
  @_noLocks
  func makeMono(_ voice: Int) {
    (notes[voice].isMono, notes[voice].held) = (true, Note.byStack)
    group(voice).pointee.block.state.pointee.notes[lane(voice)] = Note.noID
  }

  /// Turns the mono voice of a part back into that of its note, held by `held`.
  @_noLocks
  func makePoly(_ voice: Int, held: UInt8) {
    notes[voice].isMono = false
    group(voice).pointee.block.state.pointee.notes[lane(voice)] = notes[voice].id
    if !notes[voice].isHeld { return }
    if held == 0 { release(voice) } else { notes[voice].held = held }
  }

  // MARK: - Glides

  /// Starts a glide of a voice to its note.
  @_noLocks
  func glide(_ voice: Int, from start: GlideStart, _ note: Note) {
    let play = sound(voice).pointee.patch.pointee.play
    // A rate of 0 stands for the sound's own time, so that the glide follows its knob.
    let rate = start.seconds == play.glide ? 0 : SoundParameters.glideRate(seconds: start.seconds)
    group(voice).pointee.modulators.glide(
      lane(voice), from: start.pitch, to: note, GlideMode.at(play.glideMode), rate: rate)
  }

  /// The current pitch of a voice, in octaves from concert pitch.
  @_noLocks
  func pitch(_ voice: Int) -> Float { group(voice).pointee.modulators.pitch(lane(voice)) }

  /// Lets a voice continue from the pitch that it had before its note changed.
  @_noLocks
  func continuePitch(_ voice: Int, from pitch: Float) {
    group(voice).pointee.continuePitch(lane(voice), from: pitch)
  }

  /// Makes a voice jump to the bend of its finger, because its key has jumped as well.
  @_noLocks
  func snap(_ voice: Int) { group(voice).pointee.block.state.pointee.notePitch.snap(lane(voice)) }

  /// The current pitch of the voice of a part that was struck last, in octaves from concert pitch; nil when it has
  /// ended.
  @_noLocks
  func pitchOfNewest(_ part: Int) -> Float? {
    var newest: Int?
    var voice = next(0)
    while voice < Limits.lanes {
      if Int(notes[voice].part) == part {
        if let other = newest, notes[other].order > notes[voice].order {} else { newest = voice }
      }
      voice = next(voice &+ 1)
    }
    guard let newest else { return nil }
    let pitch = group(newest).pointee.block.state.pointee.pitch[lane(newest)]
    return pitch + notes[newest].finger.octaves
  }
}

// Voices of keys that are struck again: two voices of one key would add up or cancel by chance.
extension Voices {
  /// Strikes a key whose voice sounds in the part's current sound: the voice is reused, or it fades if `fades` is set
  /// and enough groups are free. Voices of an older sound, or at the pitch of another transposition, are released and
  /// end with their own settings. Returns the reused voice; `Limits.lanes` when there is none.
  @_noLocks
  mutating func restrike(_ note: Note, _ control: PlayerModulation, fades: Bool) -> Int {
    let current = soundIndex(note)
    let fades = fades && pool.free > Limits.spareGroups
    var taken = Limits.lanes
    var voice = pool.nextSounding(by: note.id, 0)
    while voice < Limits.lanes {
      if notes[voice].part == note.part {
        if group(voice).pointee.sound != current || notes[voice].key != note.key {
          release(voice)
        } else if fades || taken < Limits.lanes {
          fade(voice, slowly: true)
        } else {
          restrike(voice, note, control)
          taken = voice
        }
      }
      voice = pool.nextSounding(by: note.id, voice &+ 1)
    }
    return taken
  }

  /// Strikes a voice again with a note.
  @_noLocks
  mutating func restrike(_ voice: Int, _ note: Note, _ control: PlayerModulation) {
    order &+= 1
    notes[voice] = note
    notes[voice].order = order
    sound(voice).pointee.control.notePan(control.pan)
    group(voice).pointee.restrike(lane(voice), notes[voice], control, sound(voice).pointee.control)
  }

}
