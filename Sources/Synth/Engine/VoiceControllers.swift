// The controllers and tunings of the player, applied to voices that sound.

extension Engine {
  /// Updates sounding notes after the tuning of a key, or of a pitch class in all octaves.
  @_noLocks
  func retuneKeys(_ event: Event) {
    let isScale =
      switch event.kind {
      case .scaleTuning: true
      default: false
      }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.source == event.source,
        isScale ? note.zoneManager == event.target && note.key % 12 == event.note : note.key == event.note
      {
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
  }

  /// Applies the player's controllers to a voice, which follows smoothly from the next control tick on.
  @_noLocks
  func control(_ voice: Int) { voices.follow(voice, controllers.modulation(of: voices.notes[voice])) }

  /// Applies the player's controllers to every voice.
  @_noLocks
  func controlAll() {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      control(voice)
      voice = voices.next(voice &+ 1)
    }
  }
}
