// The chord memory: each key plays a chord, at once or strummed.

extension Engine {
  /// Strikes the chord of a key.
  @_noLocks
  mutating func pressChord(_ note: Note, part: Int, group: UInt8) {
    let (arp, strum) = (arps[part], patch(part).chord.pointee.strum)
    arps.wake(part)
    let held = arp.pointee.chordKeys.index(of: note.id)
    if held < arp.pointee.chordKeys.count { releaseChordKey(held, part: part) }
    let keys = chord(part).keys(on: note.key)
    voices.order &+= 1
    var pressed = note
    pressed.order = voices.order
    if !arp.pointee.chordKeys.add(ChordKey(pressed, keys)) {
      arp.pointee.refused &+= 1
      return
    }
    let distance = Double(max(-1, min(strum, 1))) * rate
    var (key, index) = (distance < 0 ? keys.highest : keys.lowest, 0)
    while let this = key {
      var one = note
      one.key = UInt8(truncatingIfNeeded: this)
      one.id = note.id(Note.chordBit, key: one.key)
      if index == 0 || distance == 0 {
        strikeOfChord(one, part: part, group: group)
      } else if !arp.pointee.strum.add(one, at: frame &+ BeatLine.ceiling(distance.magnitude * Double(index)))
      {
        arp.pointee.refused &+= 1
      }
      key = distance < 0 ? keys.below(this) : keys.above(this)
      index &+= 1
    }
  }

  /// Strikes a note of a chord. A note of another key's chord at its pitch ends first.
  @_noLocks
  private mutating func strikeOfChord(_ note: Note, part: Int, group: UInt8) {
    guard let shift = scene.part(part).pointee.tuning.shift(note.key) else { return }
    releaseOfChords(part, Int(note.key), besides: note.id)
    var note = note
    note.tuningOctaves = shift
    strike(note, part: part, group: group)
  }

  /// Plays the strummed notes of a part that are due.
  @_noLocks
  mutating func playStrum(_ part: Int) {
    let arp = arps[part]
    var index = 0
    while index < arp.pointee.strum.count {
      let stroke = arp.pointee.strum[index].pointee
      if stroke.frame > frame {
        index &+= 1
        continue
      }
      arp.pointee.strum.remove(index)
      var note = stroke.note
      controllers.assignFinger(&note)
      strikeOfChord(note, part: part, group: 0)
    }
  }

  /// Removes the strummed notes of a key that are still to be played. `key` is its `keyEventID`.
  @_noLocks
  func dropStrum(_ part: Int, of key: UInt32) {
    let arp = arps[part]
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
  mutating func releaseChordKey(_ index: Int, part: Int) {
    let arp = arps[part]
    let key = arp.pointee.chordKeys[index].pointee
    arp.pointee.chordKeys.remove(index)
    dropStrum(part, of: key.note.keyEventID)
    var pitch = key.keys.lowest
    while let this = pitch {
      if !arp.pointee.chordKeys.plays(this) { releaseOfChords(part, this, besides: Note.noID) }
      pitch = key.keys.above(this)
    }
  }

  /// Releases the notes of chords that one key had struck and another key kept, after that key was removed with its
  /// source or by a message.
  @_noLocks
  mutating func releaseOrphans() {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if isOrphan(note) { releaseOfChords(Int(note.part), Int(note.key), besides: Note.noID) }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index).pointee
      if isOrphan(note) {
        releaseOfChords(Int(note.part), Int(note.key), besides: Note.noID)
        // The stack may be shorter now.
        index = played.next(0)
      } else {
        index = played.next(index &+ 1)
      }
    }
  }

  @_noLocks
  private func isOrphan(_ note: Note) -> Bool {
    note.isOfChord && note.held & Note.byKey != 0
      && !arps[Int(note.part)].pointee.chordKeys.plays(Int(note.key))
  }

  /// Releases the keys of chord notes at a pitch, except the note with an ID. A pedal may hold the notes.
  @_noLocks
  private mutating func releaseOfChords(_ part: Int, _ key: Int, besides id: UInt32) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.isOfChord, Int(note.part) == part, Int(note.key) == key, note.id != id,
        note.held & Note.byKey != 0
      {
        let held = heldWithoutKey(note)
        if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      }
      voice = voices.next(voice &+ 1)
    }
    let stack = played[part].pointee.stack
    var (index, hasChanged) = (0, false)
    while index < stack.count {
      let note = stack[index]
      if note.pointee.isOfChord, Int(note.pointee.key) == key, note.pointee.id != id,
        note.pointee.held & Note.byKey != 0
      {
        note.pointee.held = heldWithoutKey(note.pointee)
        hasChanged = true
      }
      index &+= 1
    }
    if hasChanged { settleMono(part) }
  }
}
