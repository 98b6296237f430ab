// What takes keys out of arpeggios and chords: a source that goes, messages, a panic, and knobs that are switched.

extension Engine {
  /// Removes the keys of a source and target from all parts; of all targets if that is nil.
  @_noLocks
  func removeArpKeys(source: UInt8, target: UInt8?) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      var place = 0
      while place < arp.pointee.entries.count {
        let isOne = arp.pointee.entries[place].pointee.note.isOf(source, target)
        if isOne { arp.pointee.entries.remove(place) } else { place &+= 1 }
      }
      place = 0
      while place < arp.pointee.chordKeys.count {
        let isOne = arp.pointee.chordKeys[place].pointee.note.isOf(source, target)
        if isOne { arp.pointee.chordKeys.remove(place) } else { place &+= 1 }
      }
      place = 0
      while place < arp.pointee.strum.count {
        let isOne = arp.pointee.strum[place].pointee.note.isOf(source, target)
        if isOne { arp.pointee.strum.remove(place) } else { place &+= 1 }
      }
      part &+= 1
    }
  }

  /// Lifts the keys of a source and target, as note offs do. The voices of chords are lifted with all others.
  @_noLocks
  func liftArpKeys(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      var place = 0
      while place < arp.pointee.entries.count {
        let entry = arp.pointee.entries[place]
        if entry.pointee.isDown, entry.pointee.note.isOf(event.source, event.target) { lift(entry) }
        place &+= 1
      }
      releaseEntries(part)
      place = 0
      while place < arp.pointee.chordKeys.count {
        let note = arp.pointee.chordKeys[place].pointee.note
        if note.isOf(event.source, event.target) {
          arp.pointee.chordKeys.remove(place)
          dropStrum(part, of: note.id)
        } else {
          place &+= 1
        }
      }
      part &+= 1
    }
  }

  /// Removes all keys and steps: their voices are faded by the panic. Sequences beside the keys rest.
  @_noLocks
  func panicArps() {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      arp.pointee.entries.removeAll()
      arp.pointee.gates.removeAll()
      arp.pointee.chordKeys.removeAll()
      arp.pointee.strum.removeAll()
      (arp.pointee.ratchet, arp.pointee.besideRatchet) = (Ratchet(), Ratchet())
      (arp.pointee.rests, arp.pointee.joins, arp.pointee.at) = (true, false, -1)
      part &+= 1
    }
  }

  // MARK: - Knobs

  /// Follows the switches of a part's sound.
  @_noLocks
  mutating func followArp(_ part: Int, recalled: Bool) {
    let (arp, patch) = (arps[part], patch(part))
    let (role, before) = (ArpRole(patch), arp.pointee.role)
    if !role.equals(before) {
      arp.pointee.role = role
      arp.pointee.ratchet = Ratchet()
      if !role.hasSteps {
        // Keys that are down are not struck anew.
        arp.pointee.entries.removeAll()
        arp.pointee.joins = false
      } else if !before.hasSteps, !recalled {
        joinKeys(part)
      }
    }
    let isBeside =
      switch SequenceMode.at(patch.sequence.pointee.mode) {
      case .beside: true
      case .off, .key: false
      }
    if isBeside != arp.pointee.isBeside {
      arp.pointee.isBeside = isBeside
      (arp.pointee.rests, arp.pointee.besideRatchet) = (false, Ratchet())
      if isBeside {
        arps.wake(part)
        arp.pointee.besideGrid.follow(patch.arp, at: frame, renderer.beatClock.line, rate: rate)
        arp.pointee.besideGrid.join(at: frame, renderer.beatClock.line)
      }
    }
  }

  /// Takes the keys of a part that are down into its arpeggio, which has been switched on: their notes end at the next
  /// step.
  @_noLocks
  private mutating func joinKeys(_ part: Int) {
    let arp = arps[part]
    var voice = voices.next(0)
    while voice < Limits.lanes {
      join(voices.notes[voice], part)
      voice = voices.next(voice &+ 1)
    }
    let stack = played[part].pointee.stack
    var place = 0
    while place < stack.count {
      join(stack[place].pointee, part)
      place &+= 1
    }
    place = 0
    while place < arp.pointee.chordKeys.count {
      join(arp.pointee.chordKeys[place].pointee.note, part)
      place &+= 1
    }
    if arp.pointee.entries.count == 0 { return }
    arp.pointee.joins = true
    arps.wake(part)
    beginSteps(part, withKey: false)
  }

  @_noLocks
  private func join(_ note: Note, _ part: Int) {
    if note.held & Note.byKey == 0 || Int(note.part) != part || note.id != note.fingerID { return }
    if Int(note.source) == Limits.songSource { return }
    if !arps[part].pointee.entries.add(ArpEntry(note, group: 0)) { arps[part].pointee.refused &+= 1 }
  }

  /// Ends the notes of a part that keys hold, because the keys have joined its arpeggio.
  @_noLocks
  mutating func endKeys(_ part: Int) {
    arps[part].pointee.chordKeys.removeAll()
    arps[part].pointee.strum.removeAll()
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if Int(note.part) == part, note.held & Note.byKey != 0, Int(note.source) != Limits.songSource {
        let held = note.held & ~Note.byKey
        if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      }
      voice = voices.next(voice &+ 1)
    }
    let stack = played[part].pointee.stack
    var place = 0
    while place < stack.count {
      if Int(stack[place].pointee.source) != Limits.songSource { stack[place].pointee.held &= ~Note.byKey }
      place &+= 1
    }
    settleMono(part)
  }
}

extension Note {
  /// True for a note of a source and target; of all targets if that is nil.
  @_noLocks
  fileprivate func isOf(_ source: UInt8, _ target: UInt8?) -> Bool {
    self.source == source && (target == nil || zoneManager == target)
  }
}
