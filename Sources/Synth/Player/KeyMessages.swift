// The bend, the pitch and the controllers of single keys, as MIDI 2.0 has them.

extension Controllers {
  /// What was moved of a note's key, where its bend reaches as far as its channel has it.
  @_noLocks
  func keyFinger(_ note: Note) -> NoteExpression {
    var finger = keys.finger(note.id)
    if note.hasStrokePitch { finger.shift = note.strokePitch }
    finger.pitch = finger.bend * channel(note.source, note.target).pointee.keyBendRange
    return finger
  }
}
