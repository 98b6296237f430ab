// Whether a note glides, and where its pitch begins.

extension Engine {
  /// The pitch that a note glides from, octaves from concert pitch; nil when it does not glide. `isLegato` when another
  /// key of its part is down.
  @_noLocks
  func glideStart(_ note: Note, isLegato: Bool) -> Float? {
    let part = Int(note.part)
    let play = playKnobs(part)
    if play.glide <= 0 { return nil }
    let key = controllers.glideFrom(note)
    if key != ControllerState.noKey {
      var from = note
      from.key = key
      from.shift = scene.part(part).pointee.tuning.shift(key) ?? 0
      return from.octaves + scene.part(part).pointee.input.octaves
    }
    if !controllers.glides(note) || play.glidesLegatoOnly && !isLegato { return nil }
    if !played[part].pointee.hasPlayed { return nil }
    // From where the last is heard, its finger included.
    return (voices.pitchOfNewest(part) ?? played[part].pointee.pitch) - note.finger.octaves
  }

  /// Whether a key of a part that many voices play is down, but for the one that an ID means.
  @_noLocks
  func hasKey(_ part: Int, besides id: UInt32) -> Bool {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKey != 0, Int(note.part) == part, note.id != id { return true }
      voice = voices.next(voice &+ 1)
    }
    return false
  }
}
