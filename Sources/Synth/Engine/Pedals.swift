// The holders of notes: pedals, and messages that change the effect of keys.

extension Engine {
  /// The holders of a note once its key is up.
  @_noLocks
  func heldWithoutKey(_ note: Note) -> UInt8 {
    let held = note.held & ~Note.byKey
    return controllers.sustains(note) ? held | Note.bySustain : held
  }

  /// The current holders of a note that still hold it.
  @_noLocks
  private func stillHeld(_ note: Note) -> UInt8 {
    var held = note.held
    if held & Note.bySustain != 0, !controllers.sustains(note) { held &= ~Note.bySustain }
    if held & Note.bySostenuto != 0, !controllers.catches(note) { held &= ~Note.bySostenuto }
    return held
  }

  /// Lifts every key of a source and target, as note offs do: notes that a pedal holds continue.
  @_noLocks
  mutating func releaseKeys(_ event: Event) {
    if arps.used != 0 { releaseArpKeys(event) }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKey != 0, note.source == event.source, note.zoneManager == event.target {
        let held = heldWithoutKey(note)
        if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index)
      if note.pointee.held & Note.byKey != 0, note.pointee.source == event.source,
        note.pointee.zoneManager == event.target
      {
        note.pointee.held = heldWithoutKey(note.pointee)
      }
      index = played.next(index &+ 1)
    }
    settleMono()
    if arps.used != 0 { releaseOrphans() }
  }

  /// Resets the pressure of all keys of a source and target.
  @_noLocks
  func releasePressure(_ event: Event) {
    if arps.used != 0 { releaseArpPressure(event) }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.source == event.source, note.pointee.zoneManager == event.target {
        note.pointee.pressure = 0
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index)
      if note.pointee.source == event.source, note.pointee.zoneManager == event.target {
        note.pointee.pressure = 0
      }
      index = played.next(index &+ 1)
    }
  }

  /// Releases the notes that no pedal holds any more.
  @_noLocks
  mutating func releaseUnheld() {
    if arps.used != 0 { releaseEntries() }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      let held = stillHeld(note)
      if held != note.held {
        if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      played.note(index).pointee.held = stillHeld(played.note(index).pointee)
      index = played.next(index &+ 1)
    }
    settleMono()
  }

  /// Moves a sostenuto pedal. It catches the keys that are down when it goes down, and releases them when it comes up.
  @_noLocks
  mutating func catchKeys(_ event: Event) {
    let state = controllers.claim(event)
    let wasDown = state.pointee.sostenuto
    state.pointee.move(event.kind, to: event.value)
    if state.pointee.sostenuto == wasDown { return }
    controllers.movedPedal(of: event.source)
    if wasDown { return releaseUnheld() }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      catchKey(voices.notes + voice, event)
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      catchKey(played.note(index), event)
      index = played.next(index &+ 1)
    }
  }

  @_noLocks
  private func catchKey(_ note: UnsafeMutablePointer<Note>, _ event: Event) {
    if note.pointee.held & Note.byKey != 0, controllers.reaches(event, note.pointee) {
      note.pointee.held |= Note.bySostenuto
    }
  }

  /// Switches to mono or poly after a MIDI message; the notes of its channel end, as the message requires.
  @_noLocks
  mutating func turnMode(_ event: Event) {
    end(source: event.source, target: event.target, fades: false)
    var part = 0
    while part < Limits.parts {
      if reaches(event, part) {
        played[part].pointee.mode =
          switch event.kind {
          case .mono: .mono
          default: .poly
          }
        played[part].pointee.modeSource = event.source
        followMode(part)
      }
      part &+= 1
    }
  }

  /// Forgets the held keys of mono parts.
  @_noLocks
  func forgetKeys() {
    var part = 0
    while part < Limits.parts {
      played[part].pointee.stack.removeAll()
      played[part].pointee.sounding = Note.noID
      part &+= 1
    }
  }
}
