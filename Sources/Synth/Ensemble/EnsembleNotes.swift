import Scenes

// Notes: how they begin, change and end; and drums.

extension Ensemble {
  /// Strikes a note in its part. Its drum cuts off those of its group; 0 for none.
  @_noLocks
  mutating func strike(_ note: Note, part: Int, group: UInt8) {
    if played[part].pointee.isMono { return strikeMono(note, part: part) }
    if group > 0 { cut(note, group: group) }
    if note.drum > 0 { return strikeDrum(note) }
    let play = playKnobs(part)
    let isLegato = play.glidesLegatoOnly && hasKey(part, besides: note.id)
    let key = controllers.glideFrom(note)
    let start = glideStart(note, from: key, isLegato: isLegato)
    let control = controllers.modulation(of: note)
    if key == ControllerState.noKey || !carry(note, control, from: key, start) {
      var voice = voices.restrike(note, control, fades: play.fadesRestruck || note.isFingered)
      if voice == Limits.lanes { voice = voices.start(note, control) }
      if let start, voice < Limits.lanes { voices.glide(voice, from: start, note) }
    }
    played[part].pointee.pitch = note.octaves
    played[part].pointee.hasPlayed = true
  }

  /// Whether a key of a polyphonic part is down, other than that of the given ID.
  @_noLocks
  func hasKey(_ part: Int, besides id: UInt32) -> Bool {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKeys != 0, Int(note.part) == part, note.id != id { return true }
      voice = voices.next(voice &+ 1)
    }
    return false
  }

  /// Lifts the key of a note off. Its note ends unless a pedal holds it.
  @_noLocks
  mutating func lift(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      voices.group(voice).pointee.modulators.lift(voices.lane(voice), velocity: event.value)
      let held = heldWithoutKey(voices.notes[voice])
      if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
    for part in 0..<Limits.parts {
      let index = played[part].pointee.stack.index(of: event.noteID)
      if index < played[part].pointee.stack.count {
        let note = played[part].pointee.stack[index]
        note.pointee.held = heldWithoutKey(note.pointee)
        settleMono(part)
      }
    }
  }

  /// The holders of a note once its key is up.
  @_noLocks
  func heldWithoutKey(_ note: Note) -> UInt8 {
    let held = note.held & ~Note.byKey
    return controllers.sustains(note) ? held | Note.bySustain : held
  }

  /// Moves the pitch, gain or pressure of a held note.
  @_noLocks
  func shape(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      shape(voices.notes + voice, event)
      control(voice)
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
    for part in 0..<Limits.parts {
      let index = played[part].pointee.stack.index(of: event.noteID)
      if index < played[part].pointee.stack.count { shape(played[part].pointee.stack[index], event) }
      if played[part].pointee.sounding == event.noteID { shapeMono(part, event) }
    }
  }

  @_noLocks
  func shape(_ note: UnsafeMutablePointer<Note>, _ event: Event) {
    switch event.kind {
    case .notePitch: note.pointee.pitch = max(-127, min(event.value, 127))
    case .keyPressure: note.pointee.pressure = max(0, min(event.value, 1))
    default: note.pointee.gain = max(0, min(event.value, 1))
    }
  }

  @_noLocks
  func shapeMono(_ part: Int, _ event: Event) {
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      if voices.notes[voice].isHeld {
        shape(voices.notes + voice, event)
        control(voice)
      }
      voice = voices.nextMono(part, voice &+ 1)
    }
  }

  /// Ends all notes of a source, or those of one target. They fade if `fades`; otherwise they are released.
  @_noLocks
  mutating func end(source: UInt8, target: UInt8?, fades: Bool) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.source == source, target == nil || note.zoneManager == target, !note.isBeside {
        if fades { voices.fade(voice, slowly: true) } else if !note.isMono { voices.release(voice) }
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index).pointee
      if note.source == source, target == nil || note.zoneManager == target, !note.isBeside {
        played.note(index).pointee.held = 0
      }
      index = played.next(index &+ 1)
    }
    settleMono()
  }

  // MARK: - Drums

  /// Stores whether the sound that a part has begun is that of a kit's preset, so that drums play their own sounds.
  @_noLocks
  mutating func followKit(_ part: Int, _ patch: UnsafePointer<Patch>) {
    kits[part] = drums.number(of: patch)
  }

  /// The drum that a note on plays in a part. Its own sound is 0 unless the part has a kit's preset, is poly, and plays
  /// its notes directly, without arpeggiator, chords or sequence.
  @_noLocks
  func drum(_ event: Event, part: Int, isDirect: Bool) -> Drum {
    guard controllers.playsDrums(part, event) else { return Drum(key: event.note) }
    var drum = drums[event.note, kit: kits[part]]
    if kits[part] == 0 || played[part].pointee.isMono || !isDirect { drum.sound = 0 }
    return drum
  }

  /// Strikes a drum in its own sound. If it still sounds, it fades in 20 ms.
  @_noLocks
  mutating func strikeDrum(_ note: Note) {
    var note = note
    let part = Int(note.part)
    let sound = voices.sounds.drum(
      note.drum, part, drums.patch(note.drum), dynamics: scene.part(part).pointee.input.dynamics)
    note.drumSound = UInt8(truncatingIfNeeded: sound)
    let control = controllers.modulation(of: note)
    if voices.restrike(note, control, fades: true) == Limits.lanes { voices.start(note, control) }
  }

  /// Fades, in 4 ms, the notes of a part that belong to the group of a struck drum, on the same channel. The same drum
  /// struck again is handled like any restruck key.
  @_noLocks
  mutating func cut(_ note: Note, group: UInt8) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let other = voices.notes[voice]
      // Source and target are equal, the key differs.
      let isNear =
        other.part == note.part && other.keyEventID >> 8 == note.keyEventID >> 8 && other.id != note.id
      if isNear, drums[other.struck, kit: kits[Int(other.part)]].group == group { voices.fade(voice) }
      voice = voices.next(voice &+ 1)
    }
  }
}
