// A new tuning of a part: sounding notes adopt it at once, so that a held chord and the next key agree.

extension Engine {
  /// Follows the tuning of a part if it has changed.
  @_noLocks
  func followTuning(_ part: Int) {
    let tuning = scene.part(part).pointee.tuning
    let played = self.played[part]
    if played.pointee.tuning == tuning.version { return }
    played.pointee.tuning = tuning.version
    var voice = voices.next(0)
    while voice < Limits.lanes {
      // A key without a pitch in the new tuning keeps its old pitch.
      if Int(voices.notes[voice].part) == part, let shift = tuning.shift(voices.notes[voice].key) {
        voices.retune(voice, by: shift)
      }
      voice = voices.next(voice &+ 1)
    }
    var index = 0
    while index < played.pointee.stack.count {
      let note = played.pointee.stack[index]
      if let shift = tuning.shift(note.pointee.key) { note.pointee.tuningOctaves = shift }
      index &+= 1
    }
  }
}
