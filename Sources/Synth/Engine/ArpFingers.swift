// Fingers on the keys of arpeggios and chords: their messages reach the notes that are played for them.

extension Engine {
  /// Moves the pitch, gain or pressure of the notes that are played for a key, and of those to come.
  @_noLocks
  func shapeArps(_ event: Event) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.id != event.noteID, note.pointee.fingerID == event.noteID, note.pointee.hasFinger {
        shape(note, event)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var part = 0
    while part < Limits.parts {
      let (arp, stack) = (arps[part], played[part].pointee.stack)
      let place = arp.pointee.entries.place(of: event.noteID)
      if place < arp.pointee.entries.count, arp.pointee.entries[place].pointee.isDown {
        var note = arp.pointee.entries[place].pointee.note
        shape(&note, event)
        arp.pointee.entries[place].pointee.note = note
      }
      var held = 0
      while held < stack.count {
        let note = stack[held]
        if note.pointee.id != event.noteID, note.pointee.fingerID == event.noteID, note.pointee.hasFinger {
          shape(note, event)
          if played[part].pointee.sounding == note.pointee.id { shapeMono(part, event) }
        }
        held &+= 1
      }
      held = 0
      while held < arp.pointee.strum.count {
        if arp.pointee.strum[held].pointee.note.fingerID == event.noteID {
          shape(&arp.pointee.strum[held].pointee.note, event)
        }
        held &+= 1
      }
      part &+= 1
    }
  }

  /// Resets the pressure of the keys of a source and target.
  @_noLocks
  func releaseArpPressure(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      let entries = arps[part].pointee.entries
      var place = 0
      while place < entries.count {
        let note = entries[place].pointee.note
        if note.source == event.source, note.zoneManager == event.target {
          entries[place].pointee.note.pressure = 0
        }
        place &+= 1
      }
      part &+= 1
    }
  }

  /// Whether a key of an arpeggio is down on one of the given channels of a source, one bit each.
  @_noLocks
  func hasArpKey(_ source: UInt8, _ channels: UInt32) -> Bool {
    var part = 0
    while part < Limits.parts {
      let entries = arps[part].pointee.entries
      var place = 0
      while place < entries.count {
        if entries[place].pointee.isDown, entries[place].pointee.note.isOn(source, channels) { return true }
        place &+= 1
      }
      part &+= 1
    }
    return false
  }

  /// Removes the keys on channels whose MPE zones have changed.
  @_noLocks
  func leaveArps(_ source: UInt8, _ channels: UInt32) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      var place = 0
      while place < arp.pointee.entries.count {
        let isOne = arp.pointee.entries[place].pointee.note.isOn(source, channels)
        if isOne { arp.pointee.entries.remove(place) } else { place &+= 1 }
      }
      place = 0
      while place < arp.pointee.chordKeys.count {
        let note = arp.pointee.chordKeys[place].pointee.note
        if note.isOn(source, channels) {
          arp.pointee.chordKeys.remove(place)
          dropStrum(part, of: note.fingerID)
        } else {
          place &+= 1
        }
      }
      part &+= 1
    }
  }
}
