// The notes that glide, and the pitches where they begin.

extension Engine {
  /// The glide of a note; nil for none. `isLegato`: whether another key of its part is down.
  @_noLocks
  func glideStart(_ note: Note, isLegato: Bool) -> GlideStart? {
    let part = Int(note.part)
    let play = playKnobs(part)
    let key = controllers.glideFrom(note)
    let isAsked = key != ControllerState.noKey
    let seconds = controllers.glideSeconds(note, sound: play.glide, isAsked: isAsked)
    if seconds <= 0 { return nil }
    if isAsked {
      var from = note
      from.key = key
      from.shift = scene.part(part).pointee.tuning.shift(key) ?? 0
      let pitch = from.octaves + scene.part(part).pointee.input.octaves
      return GlideStart(pitch: pitch, seconds: seconds)
    }
    if play.glidesLegatoOnly && !isLegato || !played[part].pointee.hasPlayed { return nil }
    // From the current pitch of the last note, including its finger.
    let last = voices.pitchOfNewest(part) ?? played[part].pointee.pitch
    return GlideStart(pitch: last - note.finger.octaves, seconds: seconds)
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
