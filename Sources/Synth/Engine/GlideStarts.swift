// The notes that glide, and the pitches where they begin.

extension Engine {
  /// The glide of a note; nil for none. `key`: the key that a message names for it to glide from, or
  /// `ControllerState.noKey`. `isLegato`: whether another key of its part is down.
  @_noLocks
  func glideStart(_ note: Note, from key: UInt8, isLegato: Bool) -> GlideStart? {
    let part = Int(note.part)
    let play = playKnobs(part)
    let isAsked = key != ControllerState.noKey
    let seconds = controllers.glideSeconds(note, sound: play.glide, isAsked: isAsked)
    if seconds <= 0 { return nil }
    if isAsked {
      var from = note
      from.key = key
      from.tuningOctaves = scene.part(part).pointee.tuning.shift(key) ?? 0
      let pitch = from.octaves + scene.part(part).pointee.input.octaves
      return GlideStart(pitch: pitch, seconds: seconds)
    }
    if play.glidesLegatoOnly && !isLegato || !played[part].pointee.hasPlayed { return nil }
    // From the current pitch of the last note, including its finger.
    let last = voices.pitchOfNewest(part) ?? played[part].pointee.pitch
    return GlideStart(pitch: last - note.finger.octaves, seconds: seconds)
  }

  /// Portamento control (controller 84): the voice of a held key continues with a note that glides from that key,
  /// without a stroke. False if the key has no voice in the current sound of the part.
  // Not inlined: hardly any note needs it.
  @_noLocks @inline(never)
  mutating func carry(
    _ note: Note, _ control: PlayerModulation, from key: UInt8, _ start: GlideStart?
  ) -> Bool {
    let id = note.gliding(from: key)
    if id == note.id { return false }
    var voice = voices.pool.nextHeld(by: id, 0)
    while voice < Limits.lanes, voices.notes[voice].part != note.part || !voices.isCurrent(voice) {
      voice = voices.pool.nextHeld(by: id, voice &+ 1)
    }
    if voice == Limits.lanes { return false }
    var other = voices.pool.nextSounding(by: note.id, 0)
    while other < Limits.lanes {
      if voices.notes[other].part == note.part { voices.fade(other, slowly: true) }
      other = voices.pool.nextSounding(by: note.id, other &+ 1)
    }
    let state = voices.group(voice).pointee.block.state
    let pitch = state.pointee.pitch[voices.lane(voice)]
    voices.slur(voice, note, control, keepsVelocity: true)
    state.pointee.notes[voices.lane(voice)] = note.laneID
    if let start { voices.glide(voice, from: GlideStart(pitch: pitch, seconds: start.seconds), note) }
    return true
  }

  /// Whether the mono voice of a part plays the key that a note is to glide from.
  @_noLocks
  func carriesMono(_ note: Note, part: Int) -> Bool {
    let key = controllers.glideFrom(note)
    return key != ControllerState.noKey && played[part].pointee.sounding == note.gliding(from: key)
  }

  /// Whether a key of a polyphonic part is down, other than that of the given ID.
  @_noLocks
  func hasKey(_ part: Int, besides id: UInt32) -> Bool {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKeys != 0, Int(note.part) == part, note.id != id { return true }
      voice = voices.next(voice &+ 1)
    }
    return false
  }
}

extension Note {
  /// The ID that a note of another key has on the same channel.
  @_noLocks
  fileprivate func gliding(from key: UInt8) -> UInt32 { id & ~0x7F | UInt32(key & 127) }
}
