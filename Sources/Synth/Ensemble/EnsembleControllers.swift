import Scenes

// What pedals, fingers, per-note messages and tunings do to notes that are held or sound.

extension Ensemble {
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
  }

  /// Resets the pressure of all keys of a source and target.
  @_noLocks
  func releasePressure(_ event: Event) {
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

  /// Moves a sostenuto pedal, which catches the keys that are down when it goes down. True when it has come up: it then
  /// holds them no longer.
  @_noLocks
  mutating func catchKeys(_ event: Event) -> Bool {
    let state = controllers.claim(event)
    let wasDown = state.pointee.sostenuto
    state.pointee.move(event.kind, to: event.value)
    if state.pointee.sostenuto == wasDown { return false }
    controllers.movedPedal(of: event.source)
    if wasDown { return true }
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
    return false
  }

  @_noLocks
  private func catchKey(_ note: UnsafeMutablePointer<Note>, _ event: Event) {
    if note.pointee.held & Note.byKey != 0, controllers.reaches(event, note.pointee) {
      note.pointee.held |= Note.bySostenuto
    }
  }

  /// Switches to mono or poly after a MIDI message.
  @_noLocks
  mutating func turnMode(_ event: Event) {
    for part in 0..<Limits.parts {
      if reaches(event, part) {
        played[part].pointee.mode =
          switch event.kind {
          case .mono: .mono
          default: .poly
          }
        played[part].pointee.modeSource = event.source
        followMode(part)
      }
    }
  }

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

  /// Makes or ends an MPE zone. Returns the channels that are affected, one bit each, whose notes then `leave` and whose
  /// controllers `settle`.
  @_noLocks
  func changeZone(_ event: Event) -> UInt32 {
    let zones = controllers.zones[event.source]
    let before = zones.pointee
    zones.pointee.choose(range: event.value)
    zones.pointee.set(manager: event.target, members: event.note)
    let other = UInt8(Limits.channels &- 1) &- event.target
    var changed =
      before.channels(manager: event.target) | zones.pointee.channels(manager: event.target)
    if before.channels(manager: other) != zones.pointee.channels(manager: other) {
      changed |= before.channels(manager: other)
    }
    return changed
  }

  /// Releases the notes on channels whose zones have changed. Notes that ring on follow the new zones, except for their
  /// finger, which keeps its state.
  @_noLocks
  mutating func leave(_ source: UInt8, _ channels: UInt32) {
    let zones = controllers.zones[source]
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.isOn(source, channels) {
        if !note.pointee.isMono { voices.release(voice) }
        note.pointee.zoneManager = zones.pointee.zoneManager(of: note.pointee.target)
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      if played.note(index).pointee.isOn(source, channels) { played.note(index).pointee.held = 0 }
      index = played.next(index &+ 1)
    }
    settleMono()
  }

  /// Moves the finger of a member channel, for notes whose keys are down there and for later ones.
  @_noLocks
  func moveFinger(_ event: Event) {
    let zones = controllers.zones[event.source]
    let manager = zones.pointee.zoneManager(of: event.target)
    switch event.kind {
    // The range of one member applies to all members.
    case .bendRange:
      zones.pointee.setRange(manager: manager, max(0, min(event.value, MPEZones.widestRange)))
      followFingers(event.source, zones.pointee.channels(manager: manager))
    case .bend, .pressure, .timbre, .wheel, .breath:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      followFingers(event.source, UInt32(1) << UInt32(event.target))
    default: break
    }
  }

  /// Resets the fingers of all members when the controllers of their manager are reset.
  @_noLocks
  func resetFingers(_ event: Event) {
    guard MPEZones.canManage(event.target) else { return }
    let zones = controllers.zones[event.source]
    let channels = zones.pointee.channels(manager: event.target)
    var left = channels & ~(UInt32(1) << UInt32(event.target))
    if left == 0 { return }
    while left != 0 {
      controllers.channel(event.source, UInt8(left.trailingZeroBitCount)).pointee.reset()
      left &= left &- 1
    }
    followFingers(event.source, channels)
  }

  /// Resets the finger of a member channel after its last key was released. Bend and timbre stay for the next key,
  /// because sequencers leave out values that repeat.
  @_noLocks
  func leaveChannel(_ event: Event) {
    let channel = UInt32(1) << UInt32(event.target)
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index).pointee
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      index = played.next(index &+ 1)
    }
    controllers.channel(event.source, event.target).pointee.resetFinger()
  }

  /// Updates the notes whose keys are down on the given channels from their fingers.
  @_noLocks
  private func followFingers(_ source: UInt8, _ channels: UInt32) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.tracksExpression, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index)
      if note.pointee.tracksExpression, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        let part = played.part(index)
        if played[part].pointee.sounding == note.pointee.id { followMono(part, note.pointee.finger) }
      }
      index = played.next(index &+ 1)
    }
  }

  /// Updates the mono voice of a part from the finger of the key that it plays.
  @_noLocks
  private func followMono(_ part: Int, _ finger: NoteExpression) {
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      if voices.notes[voice].isHeld {
        voices.notes[voice].finger = finger
        control(voice)
      }
      voice = voices.nextMono(part, voice &+ 1)
    }
  }

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

extension Note {
  /// True for a note on the channel of an event, and of the given key if there is one.
  @_noLocks
  fileprivate func isOf(_ event: Event, _ key: UInt8?) -> Bool {
    guard let key else { return !isMember && keyEventID >> 8 == event.noteID >> 8 }
    return !isMember && keyEventID == event.noteID & ~0x7F | UInt32(key)
  }
}

extension Note {
  /// True for a note of a source on one of the given channels, one bit each.
  @_noLocks
  func isOn(_ source: UInt8, _ channels: UInt32) -> Bool {
    self.source == source && Int(target) < Limits.channels && channels >> UInt32(target) & 1 != 0
  }
}
