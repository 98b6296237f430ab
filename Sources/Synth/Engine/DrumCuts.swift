// Drums that cut each other off.

extension Engine {
  /// Fades, in 4 ms, the notes of a part that belong to the group of a struck drum, on the same channel. The same drum
  /// struck again is handled like any restruck key.
  @_noLocks
  mutating func cut(_ note: Note, group: UInt8) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let other = voices.notes[voice]
      // Source and target are equal, the key differs.
      let isNear =
        other.part == note.part && other.keyEventID >> 8 == note.keyEventID >> 8 && other.id != note.id
      if isNear, drums[other.struck, kit: kits[Int(other.part)]].group == group { voices.fade(voice) }
      voice = voices.next(voice &+ 1)
    }
  }
}
