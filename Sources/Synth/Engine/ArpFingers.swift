// Expression of the keys of arpeggios and chords, for the notes that are played in their place.

extension Engine {
  /// Moves the pitch, gain or pressure of the notes that are played for a key, and of later ones.
  @_noLocks
  func shapeArps(_ event: Event) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.id != event.noteID, note.pointee.keyEventID == event.noteID,
        note.pointee.tracksExpression
      {
        shape(note, event)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var part = 0
    while part < Limits.parts {
      let (arp, stack) = (arps[part], played[part].pointee.stack)
      let index = arp.pointee.entries.index(of: event.noteID)
      if index < arp.pointee.entries.count, arp.pointee.entries[index].pointee.isDown {
        var note = arp.pointee.entries[index].pointee.note
        shape(&note, event)
        arp.pointee.entries[index].pointee.note = note
      }
      var held = 0
      while held < stack.count {
        let note = stack[held]
        if note.pointee.id != event.noteID, note.pointee.keyEventID == event.noteID,
          note.pointee.tracksExpression
        {
          shape(note, event)
          if played[part].pointee.sounding == note.pointee.id { shapeMono(part, event) }
        }
        held &+= 1
      }
      held = 0
      while held < arp.pointee.strum.count {
        if arp.pointee.strum[held].pointee.note.keyEventID == event.noteID {
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
      var index = 0
      while index < entries.count {
        let note = entries[index].pointee.note
        if note.source == event.source, note.zoneManager == event.target {
          entries[index].pointee.note.pressure = 0
        }
        index &+= 1
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
      var index = 0
      while index < entries.count {
        if entries[index].pointee.isDown, entries[index].pointee.note.isOn(source, channels) { return true }
        index &+= 1
      }
      part &+= 1
    }
    return false
  }

  /// Removes the keys on channels whose MPE zones have changed.
  @_noLocks
  func removeArpKeys(source: UInt8, channels: UInt32) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
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
      part &+= 1
    }
  }
}
