import Scenes

// The keys of arpeggios and chords: the effects of strokes, releases, latch and pedals, and of their expression.

extension Arps {
  /// Adds a struck key to the arpeggio or sequence of its part.
  @_noLocks
  mutating func press(_ ensemble: inout Ensemble, _ note: Note, part: Int, group: UInt8) {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    wake(part)
    followJumps(&ensemble, part)
    releaseEntries(ensemble, part)
    let isFirst = arp.pointee.pitches(Chord(), isRunning: ensemble.renderer.beatClock.isRunning).isEmpty
    let hadKey = arp.pointee.entries.hasKey
    var (leaves, isNewChord) = (false, !hadKey)
    switch ArpLatch.at(knobs.pointee.latch) {
    case .add: (leaves, isNewChord) = (removeLatched(note, arp), false)
    case .off, .hold: if !hadKey { arp.pointee.entries.removeReleased() }
    }
    if leaves { return }
    ensemble.voices.order &+= 1
    var note = note
    note.order = ensemble.voices.order
    if !arp.pointee.entries.add(ArpEntry(note, group: group)) {
      arp.pointee.refused &+= 1
      return
    }
    if isFirst { return beginSteps(ensemble, part, withKey: true) }
    switch ArpRetrigger.at(knobs.pointee.retrigger) {
    case .key: restartOrder(ensemble, part)
    case .chord: if isNewChord { restartOrder(ensemble, part) }
    case .bar, .off: break
    }
  }

  /// Removes a latched key that is struck again. False when there is none.
  @_noLocks
  private func removeLatched(_ note: Note, _ arp: UnsafeMutablePointer<ArpPart>) -> Bool {
    var index = 0
    while index < arp.pointee.entries.count {
      let entry = arp.pointee.entries[index].pointee
      if !entry.isDown, entry.note.source == note.source, entry.note.zoneManager == note.zoneManager,
        entry.note.struck == note.struck
      {
        arp.pointee.entries.remove(index)
        return true
      }
      index &+= 1
    }
    return false
  }

  /// Handles the release of a key, in all parts where it plays an arpeggio or a chord.
  @_noLocks
  func release(_ ensemble: inout Ensemble, _ event: Event) {
    for part in 0..<Limits.parts {
      let arp = self[part]
      let index = arp.pointee.entries.index(of: event.noteID)
      if index < arp.pointee.entries.count {
        markReleased(ensemble, arp.pointee.entries[index])
        releaseEntries(ensemble, part)
      }
      let chord = arp.pointee.chordKeys.index(of: event.noteID)
      if chord < arp.pointee.chordKeys.count { releaseChordKey(&ensemble, chord, part: part) }
    }
  }

  /// Marks a key as up. Sounding notes of its steps no longer follow the finger.
  @_noLocks
  func markReleased(_ ensemble: borrowing Ensemble, _ entry: UnsafeMutablePointer<ArpEntry>) {
    ensemble.controllers.assignFinger(&entry.pointee.note)
    entry.pointee.isDown = false
    let id = entry.pointee.note.id
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      if ensemble.voices.notes[voice].followsKey, ensemble.voices.notes[voice].keyEventID == id {
        ensemble.voices.notes[voice].followsKey = false
      }
      voice = ensemble.voices.next(voice &+ 1)
    }
    var index = ensemble.played.next(0)
    while index < PlayedParts.end {
      if ensemble.played.note(index).pointee.keyEventID == id {
        ensemble.played.note(index).pointee.followsKey = false
      }
      index = ensemble.played.next(index &+ 1)
    }
  }

  /// Removes the keys of a part that are up and that neither a latch nor a pedal keeps.
  @_noLocks
  func releaseEntries(_ ensemble: borrowing Ensemble, _ part: Int) {
    let (arp, knobs) = (self[part], ensemble.patch(part).arp)
    // A part that is off latches nothing: its keys would play for ever.
    let isOn = ensemble.scene.part(part).pointee.strip.on >= 0.5
    switch ArpLatch.at(knobs.pointee.latch) {
    case .hold, .add: if isOn { return }
    case .off: break
    }
    let isPedal =
      switch ArpPedal.at(knobs.pointee.pedal) {
      case .latch: true
      case .sustain, .ignore: false
      }
    var index = 0
    while index < arp.pointee.entries.count {
      let entry = arp.pointee.entries[index]
      if entry.pointee.isDown || isPedal && ensemble.controllers.sustains(entry.pointee.note) {
        index &+= 1
      } else {
        arp.pointee.entries.remove(index)
      }
    }
  }

  /// Removes the keys of all parts that a pedal no longer keeps.
  @_noLocks
  func releaseEntries(_ ensemble: borrowing Ensemble) {
    for part in 0..<Limits.parts {
      if self[part].pointee.entries.count > 0 { releaseEntries(ensemble, part) }
    }
  }

  /// Removes all keys from the arpeggios of the parts that an event reaches, even those that are down: a note off may
  /// have been lost. The steps end at their gates.
  @_noLocks
  func clear(_ ensemble: borrowing Ensemble, _ event: Event) {
    for part in 0..<Limits.parts {
      if ensemble.reaches(event, part) { self[part].pointee.entries.removeAll() }
    }
  }

  /// Removes the keys of a source and target from all parts; of all targets if that is nil.
  @_noLocks
  func remove(source: UInt8, target: UInt8?) {
    for part in 0..<Limits.parts {
      let arp = self[part]
      var index = 0
      while index < arp.pointee.entries.count {
        let isOne = arp.pointee.entries[index].pointee.note.isOf(source, target)
        if isOne { arp.pointee.entries.remove(index) } else { index &+= 1 }
      }
      index = 0
      while index < arp.pointee.chordKeys.count {
        let isOne = arp.pointee.chordKeys[index].pointee.note.isOf(source, target)
        if isOne { arp.pointee.chordKeys.remove(index) } else { index &+= 1 }
      }
      index = 0
      while index < arp.pointee.strum.count {
        let isOne = arp.pointee.strum[index].pointee.note.isOf(source, target)
        if isOne { arp.pointee.strum.remove(index) } else { index &+= 1 }
      }
    }
  }

  /// Lifts the keys of a source and target, as note offs do. The voices of chords are lifted with all others.
  @_noLocks
  func releaseAll(_ ensemble: borrowing Ensemble, _ event: Event) {
    for part in 0..<Limits.parts {
      let arp = self[part]
      var index = 0
      while index < arp.pointee.entries.count {
        let entry = arp.pointee.entries[index]
        if entry.pointee.isDown, entry.pointee.note.isOf(event.source, event.target) {
          markReleased(ensemble, entry)
        }
        index &+= 1
      }
      releaseEntries(ensemble, part)
      index = 0
      while index < arp.pointee.chordKeys.count {
        let note = arp.pointee.chordKeys[index].pointee.note
        if note.isOf(event.source, event.target) {
          arp.pointee.chordKeys.remove(index)
          dropStrum(part, of: note.id)
        } else {
          index &+= 1
        }
      }
    }
  }

  /// Removes all keys and steps; the panic fades their voices. Sequences beside the keys pause.
  @_noLocks
  func panic() {
    for part in 0..<Limits.parts {
      let arp = self[part]
      arp.pointee.entries.removeAll()
      arp.pointee.gates.removeAll()
      arp.pointee.chordKeys.removeAll()
      arp.pointee.strum.removeAll()
      (arp.pointee.ratchet, arp.pointee.besideRatchet) = (Ratchet(), Ratchet())
      (arp.pointee.rests, arp.pointee.joins, arp.pointee.at) = (true, false, -1)
    }
  }

  /// Moves the pitch, gain or pressure of the notes that are played for a key, and of later ones.
  @_noLocks
  func shape(_ ensemble: borrowing Ensemble, _ event: Event) {
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      let note = ensemble.voices.notes + voice
      if note.pointee.id != event.noteID, note.pointee.keyEventID == event.noteID,
        note.pointee.tracksExpression
      {
        ensemble.shape(note, event)
        ensemble.control(voice)
      }
      voice = ensemble.voices.next(voice &+ 1)
    }
    for part in 0..<Limits.parts {
      let (arp, stack) = (self[part], ensemble.played[part].pointee.stack)
      let index = arp.pointee.entries.index(of: event.noteID)
      if index < arp.pointee.entries.count, arp.pointee.entries[index].pointee.isDown {
        var note = arp.pointee.entries[index].pointee.note
        ensemble.shape(&note, event)
        arp.pointee.entries[index].pointee.note = note
      }
      var held = 0
      while held < stack.count {
        let note = stack[held]
        if note.pointee.id != event.noteID, note.pointee.keyEventID == event.noteID,
          note.pointee.tracksExpression
        {
          ensemble.shape(note, event)
          if ensemble.played[part].pointee.sounding == note.pointee.id { ensemble.shapeMono(part, event) }
        }
        held &+= 1
      }
      held = 0
      while held < arp.pointee.strum.count {
        if arp.pointee.strum[held].pointee.note.keyEventID == event.noteID {
          ensemble.shape(&arp.pointee.strum[held].pointee.note, event)
        }
        held &+= 1
      }
    }
  }

  /// Resets the pressure of the keys of a source and target.
  @_noLocks
  func releasePressure(_ event: Event) {
    for part in 0..<Limits.parts {
      let entries = self[part].pointee.entries
      var index = 0
      while index < entries.count {
        let note = entries[index].pointee.note
        if note.source == event.source, note.zoneManager == event.target {
          entries[index].pointee.note.pressure = 0
        }
        index &+= 1
      }
    }
  }

  /// Whether a key of an arpeggio is down on one of the given channels of a source, one bit each.
  @_noLocks
  func hasKey(_ source: UInt8, _ channels: UInt32) -> Bool {
    for part in 0..<Limits.parts {
      let entries = self[part].pointee.entries
      var index = 0
      while index < entries.count {
        if entries[index].pointee.isDown, entries[index].pointee.note.isOn(source, channels) { return true }
        index &+= 1
      }
    }
    return false
  }

  /// Removes the keys on channels whose MPE zones have changed.
  @_noLocks
  func remove(source: UInt8, channels: UInt32) {
    for part in 0..<Limits.parts {
      let arp = self[part]
      var index = 0
      while index < arp.pointee.entries.count {
        let isOne = arp.pointee.entries[index].pointee.note.isOn(source, channels)
        if isOne { arp.pointee.entries.remove(index) } else { index &+= 1 }
      }
      index = 0
      while index < arp.pointee.chordKeys.count {
        let note = arp.pointee.chordKeys[index].pointee.note
        if note.isOn(source, channels) {
          arp.pointee.chordKeys.remove(index)
          dropStrum(part, of: note.keyEventID)
        } else {
          index &+= 1
        }
      }
    }
  }

  /// Strikes the chord of a key.
  @_noLocks
  mutating func pressChord(_ ensemble: inout Ensemble, _ note: Note, part: Int, group: UInt8) {
    let (arp, strum) = (self[part], ensemble.patch(part).chord.pointee.strum)
    wake(part)
    let held = arp.pointee.chordKeys.index(of: note.id)
    if held < arp.pointee.chordKeys.count { releaseChordKey(&ensemble, held, part: part) }
    let keys = chord(ensemble, part).keys(on: note.key)
    ensemble.voices.order &+= 1
    var pressed = note
    pressed.order = ensemble.voices.order
    if !arp.pointee.chordKeys.add(ChordKey(pressed, keys)) {
      arp.pointee.refused &+= 1
      return
    }
    let distance = Double(max(-1, min(strum, 1))) * ensemble.rate
    var (key, index) = (distance < 0 ? keys.highest : keys.lowest, 0)
    while let this = key {
      var one = note
      one.key = UInt8(truncatingIfNeeded: this)
      one.id = note.id(Note.chordBit, key: one.key)
      if index == 0 || distance == 0 {
        strikeOfChord(&ensemble, one, part: part, group: group)
      } else if !arp.pointee.strum.add(
        one, at: ensemble.frame &+ BeatLine.ceiling(distance.magnitude * Double(index)))
      {
        arp.pointee.refused &+= 1
      }
      key = distance < 0 ? keys.below(this) : keys.above(this)
      index &+= 1
    }
  }

  /// Strikes a note of a chord. A note of another key's chord at its pitch ends first.
  @_noLocks
  private func strikeOfChord(_ ensemble: inout Ensemble, _ note: Note, part: Int, group: UInt8) {
    guard let shift = ensemble.scene.part(part).pointee.tuning.shift(note.key) else { return }
    releaseOfChords(&ensemble, part, Int(note.key), besides: note.id)
    var note = note
    note.tuningOctaves = shift
    ensemble.strike(note, part: part, group: group)
  }

  /// Plays the strummed notes of a part that are due.
  @_noLocks
  func playStrum(_ ensemble: inout Ensemble, _ part: Int) {
    let arp = self[part]
    var index = 0
    while index < arp.pointee.strum.count {
      let stroke = arp.pointee.strum[index].pointee
      if stroke.frame > ensemble.frame {
        index &+= 1
        continue
      }
      arp.pointee.strum.remove(index)
      var note = stroke.note
      ensemble.controllers.assignFinger(&note)
      strikeOfChord(&ensemble, note, part: part, group: 0)
    }
  }

  /// Removes the strummed notes of a key that are still to be played. `key` is its `keyEventID`.
  @_noLocks
  func dropStrum(_ part: Int, of key: UInt32) {
    let arp = self[part]
    var index = 0
    while index < arp.pointee.strum.count {
      if arp.pointee.strum[index].pointee.note.keyEventID == key {
        arp.pointee.strum.remove(index)
      } else {
        index &+= 1
      }
    }
  }

  /// Handles the release of a key: notes of its chord that no other key plays end. Strummed notes that have not begun
  /// are dropped.
  @_noLocks
  func releaseChordKey(_ ensemble: inout Ensemble, _ index: Int, part: Int) {
    let arp = self[part]
    let key = arp.pointee.chordKeys[index].pointee
    arp.pointee.chordKeys.remove(index)
    dropStrum(part, of: key.note.keyEventID)
    var pitch = key.keys.lowest
    while let this = pitch {
      if !arp.pointee.chordKeys.plays(this) { releaseOfChords(&ensemble, part, this, besides: Note.noID) }
      pitch = key.keys.above(this)
    }
  }

  /// Releases the notes of chords that one key had struck and another key kept, after that key was removed with its
  /// source or by a message.
  @_noLocks
  func releaseOrphans(_ ensemble: inout Ensemble) {
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      let note = ensemble.voices.notes[voice]
      if isOrphan(note) { releaseOfChords(&ensemble, Int(note.part), Int(note.key), besides: Note.noID) }
      voice = ensemble.voices.next(voice &+ 1)
    }
    var index = ensemble.played.next(0)
    while index < PlayedParts.end {
      let note = ensemble.played.note(index).pointee
      if isOrphan(note) {
        releaseOfChords(&ensemble, Int(note.part), Int(note.key), besides: Note.noID)
        // The stack may be shorter now.
        index = ensemble.played.next(0)
      } else {
        index = ensemble.played.next(index &+ 1)
      }
    }
  }

  @_noLocks
  private func isOrphan(_ note: Note) -> Bool {
    note.isOfChord && note.held & Note.byKey != 0
      && !self[Int(note.part)].pointee.chordKeys.plays(Int(note.key))
  }

  /// Releases the keys of chord notes at a pitch, except the note with an ID. A pedal may hold the notes.
  @_noLocks
  private func releaseOfChords(_ ensemble: inout Ensemble, _ part: Int, _ key: Int, besides id: UInt32) {
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      let note = ensemble.voices.notes[voice]
      if note.isOfChord, Int(note.part) == part, Int(note.key) == key, note.id != id,
        note.held & Note.byKey != 0
      {
        let held = ensemble.heldWithoutKey(note)
        if held == 0 { ensemble.voices.release(voice) } else { ensemble.voices.notes[voice].held = held }
      }
      voice = ensemble.voices.next(voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    var (index, hasChanged) = (0, false)
    while index < stack.count {
      let note = stack[index]
      if note.pointee.isOfChord, Int(note.pointee.key) == key, note.pointee.id != id,
        note.pointee.held & Note.byKey != 0
      {
        note.pointee.held = ensemble.heldWithoutKey(note.pointee)
        hasChanged = true
      }
      index &+= 1
    }
    if hasChanged { ensemble.settleMono(part) }
  }
}

extension Note {
  /// True for a note of a source and target; of all targets if that is nil.
  @_noLocks
  fileprivate func isOf(_ source: UInt8, _ target: UInt8?) -> Bool {
    self.source == source && (target == nil || zoneManager == target)
  }
}

// The switches of the arpeggiator, the chord memory and the sequence, turned while keys are held.
extension Arps {
  /// Follows the switches of a part's sound.
  @_noLocks
  mutating func follow(_ ensemble: borrowing Ensemble, _ part: Int, recalled: Bool) {
    let (arp, patch) = (self[part], ensemble.patch(part))
    let (role, before) = (ArpRole(patch), arp.pointee.role)
    let isOn = ensemble.scene.part(part).pointee.strip.on >= 0.5
    // Latched keys of a part that is off would play for ever.
    if !isOn { arp.pointee.entries.removeReleased() }
    if !role.equals(before) {
      arp.pointee.role = role
      arp.pointee.ratchet = Ratchet()
      if !role.hasSteps {
        // Keys that are down are not struck anew.
        arp.pointee.entries.removeAll()
        arp.pointee.joins = false
      } else if !before.hasSteps, !recalled {
        joinKeys(ensemble, part)
      }
    }
    let isBeside =
      switch SequenceMode.at(patch.sequence.pointee.mode) {
      case .beside: isOn
      case .off, .key: false
      }
    if isBeside != arp.pointee.isBeside {
      arp.pointee.isBeside = isBeside
      (arp.pointee.rests, arp.pointee.besideRatchet) = (false, Ratchet())
      if isBeside {
        wake(part)
        arp.pointee.besideGrid.follow(
          patch.arp, at: ensemble.frame, ensemble.renderer.beatClock.line, rate: ensemble.rate)
        arp.pointee.besideGrid.join(at: ensemble.frame, ensemble.renderer.beatClock.line)
      }
    }
  }

  /// Adds the keys of a part that are down to its arpeggio, which has been switched on: their notes end at the next
  /// step.
  @_noLocks
  private mutating func joinKeys(_ ensemble: borrowing Ensemble, _ part: Int) {
    let arp = self[part]
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      join(ensemble.voices.notes[voice], part)
      voice = ensemble.voices.next(voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    var index = 0
    while index < stack.count {
      join(stack[index].pointee, part)
      index &+= 1
    }
    index = 0
    while index < arp.pointee.chordKeys.count {
      join(arp.pointee.chordKeys[index].pointee.note, part)
      index &+= 1
    }
    if arp.pointee.entries.count == 0 { return }
    arp.pointee.joins = true
    wake(part)
    beginSteps(ensemble, part, withKey: false)
  }

  @_noLocks
  private func join(_ note: Note, _ part: Int) {
    if note.held & Note.byKey == 0 || Int(note.part) != part || note.id != note.keyEventID { return }
    if Int(note.source) == Limits.songSource { return }
    if !self[part].pointee.entries.add(ArpEntry(note, group: 0)) { self[part].pointee.refused &+= 1 }
  }

  /// Ends the notes of a part that keys hold, because the keys have joined its arpeggio.
  @_noLocks
  func endKeys(_ ensemble: inout Ensemble, _ part: Int) {
    self[part].pointee.chordKeys.removeAll()
    self[part].pointee.strum.removeAll()
    var voice = ensemble.voices.next(0)
    while voice < Limits.lanes {
      let note = ensemble.voices.notes[voice]
      if Int(note.part) == part, note.held & Note.byKey != 0, Int(note.source) != Limits.songSource {
        let held = note.held & ~Note.byKey
        if held == 0 { ensemble.voices.release(voice) } else { ensemble.voices.notes[voice].held = held }
      }
      voice = ensemble.voices.next(voice &+ 1)
    }
    let stack = ensemble.played[part].pointee.stack
    var index = 0
    while index < stack.count {
      if Int(stack[index].pointee.source) != Limits.songSource { stack[index].pointee.held &= ~Note.byKey }
      index &+= 1
    }
    ensemble.settleMono(part)
  }
}
