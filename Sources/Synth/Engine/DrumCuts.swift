// Drums that cut each other off.

extension Engine {
  /// Fades, in 4 ms, what a part plays of the group of a drum that is struck: drums of the same hands. The same drum
  /// struck again is the part's to decide, as of any key.
  @_noLocks
  mutating func cut(_ note: Note, group: UInt8) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let other = voices.notes[voice]
      // All of the number but the key.
      let isNear = other.part == note.part && other.id >> 8 == note.id >> 8 && other.id != note.id
      if isNear, drums[UInt8(truncatingIfNeeded: other.id)].group == group { voices.fade(voice) }
      voice = voices.next(voice &+ 1)
    }
  }
}
