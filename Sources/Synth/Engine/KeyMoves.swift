// Per-note bend, pitch and controllers of MIDI 2.0, for sounding notes.

extension Engine {
  /// Moves a controller of a key, for its sounding notes and for later ones. Ignored on a member channel of MPE, where
  /// the channel belongs to the key.
  @_noLocks
  func moveKey(_ event: Event) {
    if Int(event.target) >= Limits.channels || controllers.zoneManager(event) != event.target { return }
    switch event.kind {
    case .strokePitch: return controllers.keys.move(event)
    case .keyBendRange:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      return followKeys(event, key: nil)
    case .keyManagement:
      let what = Int(event.value)
      if what & 2 != 0 { detach(event) }
      if what & 1 != 0 { controllers.keys.forget(event.noteID) }
    default: controllers.keys.move(event)
    }
    followKeys(event, key: event.note)
  }

  /// Makes all keys of a channel neutral.
  @_noLocks
  func resetKeys(_ event: Event) {
    if Int(event.target) >= Limits.channels || !controllers.keys.areMoved(by: event.source) { return }
    controllers.keys.forget(event.source, channel: event.target)
    followKeys(event, key: nil)
  }

  /// Updates the notes of a key, or of all keys of the channel, from its expression.
  @_noLocks
  private func followKeys(_ event: Event, key: UInt8?) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.isOf(event, key), !note.pointee.isDetached {
        follow(event, note)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index)
      if note.pointee.isOf(event, key), !note.pointee.isDetached { follow(event, note) }
      index = played.next(index &+ 1)
    }
  }

  @_noLocks
  private func follow(_ event: Event, _ note: UnsafeMutablePointer<Note>) {
    switch event.kind {
    // A pitch that is sent later replaces that of the stroke.
    case .keyPitch: note.pointee.hasStrokePitch = false
    default: break
    }
    note.pointee.isFingered = true
    note.pointee.finger = controllers.keyFinger(note.pointee)
  }

  /// Detaches the sounding notes of a key from further messages about it.
  @_noLocks
  private func detach(_ event: Event) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      if voices.notes[voice].isOf(event, event.note) { voices.notes[voice].isDetached = true }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      if played.note(index).pointee.isOf(event, event.note) { played.note(index).pointee.isDetached = true }
      index = played.next(index &+ 1)
    }
  }
}

extension Note {
  /// True for a note on the channel of an event, and of the given key if there is one.
  @_noLocks
  fileprivate func isOf(_ event: Event, _ key: UInt8?) -> Bool {
    guard let key else { return !isMember && keyEventID >> 8 == event.noteID >> 8 }
    return !isMember && keyEventID == event.noteID & ~0x7F | UInt32(key)
  }
}
