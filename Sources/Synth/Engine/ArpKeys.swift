// The keys of arpeggios: the effects of strokes, releases, latch and pedal.

extension Engine {
  /// Adds a struck key to the arpeggio or sequence of its part.
  @_noLocks
  mutating func pressArp(_ note: Note, part: Int, group: UInt8) {
    let (arp, knobs) = (arps[part], patch(part).arp)
    arps.wake(part)
    followJumps(part)
    releaseEntries(part)
    let isFirst = arp.pointee.pitches(Chord(), isRunning: renderer.beatClock.isRunning).isEmpty
    let hadKey = arp.pointee.entries.hasKey
    var (leaves, isNewChord) = (false, !hadKey)
    switch ArpLatch.at(knobs.pointee.latch) {
    case .add: (leaves, isNewChord) = (removeLatched(note, arp), false)
    case .off, .hold: if !hadKey { arp.pointee.entries.removeReleased() }
    }
    if leaves { return }
    voices.order &+= 1
    var note = note
    note.order = voices.order
    if !arp.pointee.entries.add(ArpEntry(note, group: group)) {
      arp.pointee.refused &+= 1
      return
    }
    if isFirst { return beginSteps(part, withKey: true) }
    switch ArpRetrigger.at(knobs.pointee.retrigger) {
    case .key: restartOrder(part)
    case .chord: if isNewChord { restartOrder(part) }
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
  mutating func releaseArpKey(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      let index = arp.pointee.entries.index(of: event.noteID)
      if index < arp.pointee.entries.count {
        markReleased(arp.pointee.entries[index])
        releaseEntries(part)
      }
      let chord = arp.pointee.chordKeys.index(of: event.noteID)
      if chord < arp.pointee.chordKeys.count { releaseChordKey(chord, part: part) }
      part &+= 1
    }
  }

  /// Marks a key as up. Sounding notes of its steps no longer follow the finger.
  @_noLocks
  func markReleased(_ entry: UnsafeMutablePointer<ArpEntry>) {
    controllers.assignFinger(&entry.pointee.note)
    entry.pointee.isDown = false
    let id = entry.pointee.note.id
    var voice = voices.next(0)
    while voice < Limits.lanes {
      if voices.notes[voice].followsKey, voices.notes[voice].keyEventID == id {
        voices.notes[voice].followsKey = false
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      if played.note(index).pointee.keyEventID == id { played.note(index).pointee.followsKey = false }
      index = played.next(index &+ 1)
    }
  }

  /// Removes the keys of a part that are up and that neither a latch nor a pedal keeps.
  @_noLocks
  func releaseEntries(_ part: Int) {
    let (arp, knobs) = (arps[part], patch(part).arp)
    // A part that is off latches nothing: its keys would play for ever.
    let isOn = scene.part(part).pointee.strip.on >= 0.5
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
      if entry.pointee.isDown || isPedal && controllers.sustains(entry.pointee.note) {
        index &+= 1
      } else {
        arp.pointee.entries.remove(index)
      }
    }
  }

  /// Removes the keys of all parts that a pedal no longer keeps.
  @_noLocks
  func releaseEntries() {
    var part = 0
    while part < Limits.parts {
      if arps[part].pointee.entries.count > 0 { releaseEntries(part) }
      part &+= 1
    }
  }

  /// Removes all keys from the arpeggios of the parts that an event reaches, even those that are down: a note off may
  /// have been lost. The steps end at their gates.
  @_noLocks
  func clearArp(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      if reaches(event, part) { arps[part].pointee.entries.removeAll() }
      part &+= 1
    }
  }
}
