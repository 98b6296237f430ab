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
