// Per-note bend, pitch and controllers of MIDI 2.0.

extension Controllers {
  /// The expression of a note's key, with the bend range of its channel.
  @_noLocks
  func keyFinger(_ note: Note) -> NoteExpression {
    var finger = keys.finger(note.keyEventID)
    if note.hasStrokePitch { finger.pitchOffset = note.strokePitch }
    finger.pitch = finger.bend * channel(note.source, note.target).pointee.keyBendRange
    return finger
  }
}
