// The removal of keys from arpeggios and chords: by a source that ends, by messages, and by a panic.

extension Engine {
  /// Removes the keys of a source and target from all parts; of all targets if that is nil.
  @_noLocks
  func removeArpKeys(source: UInt8, target: UInt8?) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
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
      part &+= 1
    }
  }

  /// Lifts the keys of a source and target, as note offs do. The voices of chords are lifted with all others.
  @_noLocks
  func releaseArpKeys(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      let arp = arps[part]
      var index = 0
      while index < arp.pointee.entries.count {
        let entry = arp.pointee.entries[index]
        if entry.pointee.isDown, entry.pointee.note.isOf(event.source, event.target) { markReleased(entry) }
        index &+= 1
      }
      releaseEntries(part)
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
      part &+= 1
    }
  }

  /// Removes all keys and steps; the panic fades their voices. Sequences beside the keys pause.
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
}

extension Note {
  /// True for a note of a source and target; of all targets if that is nil.
  @_noLocks
  fileprivate func isOf(_ source: UInt8, _ target: UInt8?) -> Bool {
    self.source == source && (target == nil || zoneManager == target)
  }
}
