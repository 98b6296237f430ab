// The switches of the arpeggiator, the chord memory and the sequence, turned while keys are held.

extension Engine {
  /// Follows the switches of a part's sound.
  @_noLocks
  mutating func followArp(_ part: Int, recalled: Bool) {
    let (arp, patch) = (arps[part], patch(part))
    let (role, before) = (ArpRole(patch), arp.pointee.role)
    let isOn = scene.part(part).pointee.strip.on >= 0.5
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
        joinKeys(part)
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
        arps.wake(part)
        arp.pointee.besideGrid.follow(patch.arp, at: frame, renderer.beatClock.line, rate: rate)
        arp.pointee.besideGrid.join(at: frame, renderer.beatClock.line)
      }
    }
  }

  /// Adds the keys of a part that are down to its arpeggio, which has been switched on: their notes end at the next
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
    arps.wake(part)
    beginSteps(part, withKey: false)
  }

  @_noLocks
  private func join(_ note: Note, _ part: Int) {
    if note.held & Note.byKey == 0 || Int(note.part) != part || note.id != note.keyEventID { return }
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
    var index = 0
    while index < stack.count {
      if Int(stack[index].pointee.source) != Limits.songSource { stack[index].pointee.held &= ~Note.byKey }
      index &+= 1
    }
    settleMono(part)
  }
}
