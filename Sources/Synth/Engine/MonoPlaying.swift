// One voice for all keys of a part: which of them sounds, and what that does to the voice.

extension Engine {
  /// A key goes down in a part that one voice plays.
  @_noLocks
  mutating func strikeMono(_ note: Note, part: Int) {
    let played = self.played[part]
    let others = played.pointee.stack.hasKey(besides: note.id)
    let place = played.pointee.stack.place(of: note.id)
    if place < played.pointee.stack.count { played.pointee.stack.remove(place) }
    voices.order &+= 1
    var note = note
    note.order = voices.order
    played.pointee.stack.add(note, sounding: played.pointee.sounding)
    let best = best(part)
    let goesOn = voices.nextMono(part, 0) < Limits.lanes || voices.hasDiedAway(part)
    if best.id == played.pointee.sounding, best.id != note.id, goesOn { return }
    let isSlurred = others && slurs(part)
    sound(best, part: part, strikes: !isSlurred, isLegato: others)
  }

  /// What sounded is not held any more: the next of the keys that are goes on with the voice, or it ends.
  @_noLocks
  mutating func returnMono(_ part: Int) {
    let played = self.played[part]
    if played.pointee.stack.count > 0 { return sound(best(part), part: part, strikes: false, isLegato: true) }
    played.pointee.sounding = Note.noID
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      voices.release(voice)
      voice = voices.nextMono(part, voice &+ 1)
    }
  }

  /// Lets the one voice of a part sound a note. A voice that is there goes on in it; one of an older sound is let go, and
  /// another begins in the sound that the part has now.
  @_noLocks
  private mutating func sound(_ key: Note, part: Int, strikes: Bool, isLegato: Bool) {
    let played = self.played[part]
    var note = key
    (note.isMono, note.held) = (true, Note.byStack)
    var bends = note.isFingered
    let control = controllers.control(note)
    let start = glideStart(note, isLegato: isLegato)
    var own = Limits.lanes
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      if voices.isCurrent(voice) { own = voice } else { voices.release(voice) }
      if voices.notes[voice].isFingered { bends = true }
      voice = voices.nextMono(part, voice &+ 1)
    }
    let pitch = own < Limits.lanes ? voices.pitch(own) : nil
    played.pointee.sounding = key.id
    played.pointee.pitch = note.octaves
    played.pointee.hasPlayed = true
    if own == Limits.lanes {
      let isTied = !strikes || isLegato && !voices.retriggers(part)
      if isTied, voices.hasDiedAway(part) { return }
      own = voices.start(note, control)
    } else if strikes || !voices.notes[own].isHeld {
      voices.restrike(own, note, control)
    } else {
      voices.slur(own, note, control, keepsVelocity: slurs(part))
    }
    if bends, own < Limits.lanes { voices.arrive(own) }
    if own == Limits.lanes { return }
    if let start { voices.glide(own, from: start, note) }
    if let pitch { voices.goOn(own, from: pitch) }
  }

  /// A key or a pedal of the stack's notes has come up: what nothing holds is taken out, and another sounds for it.
  @_noLocks
  mutating func settleMono(_ part: Int) {
    let played = self.played[part]
    var soundingIsHeld = played.pointee.sounding == Note.noID
    var place = 0
    while place < played.pointee.stack.count {
      if played.pointee.stack[place].pointee.held == 0 {
        played.pointee.stack.remove(place)
      } else {
        if played.pointee.stack[place].pointee.id == played.pointee.sounding { soundingIsHeld = true }
        place &+= 1
      }
    }
    if !soundingIsHeld { returnMono(part) }
  }

  /// The same in all parts.
  @_noLocks
  mutating func settleMono() {
    var part = 0
    while part < Limits.parts {
      settleMono(part)
      part &+= 1
    }
  }

  // MARK: - Modes

  /// The mode of a part: its legato switch, then what a message of MIDI has said, then its knob.
  @_noLocks
  private func mode(_ part: Int) -> PlayMode {
    let played = self.played[part]
    let knob = playKnobs(part).mode
    if played.pointee.knob != knob { (played.pointee.knob, played.pointee.mode) = (knob, nil) }
    if controllers.slurs(part) { return .legato }
    return played.pointee.mode ?? PlayMode.at(knob)
  }

  /// Whether keys that overlap are slurred.
  @_noLocks
  private func slurs(_ part: Int) -> Bool {
    switch mode(part) {
    case .legato: true
    case .poly, .mono: false
    }
  }

  /// Follows the mode of a part. One voice takes over the keys that are held, and only the best of them sounds on;
  /// unless a recall has brought the mode, when what sounds ends as it is. Many voices leave what sounds to its key.
  @_noLocks
  mutating func followMode(_ part: Int, recalled: Bool = false) {
    let isMono =
      switch mode(part) {
      case .poly: false
      case .mono, .legato: true
      }
    if played[part].pointee.isMono == isMono { return }
    played[part].pointee.isMono = isMono
    if !isMono { spread(part) } else if !recalled { gather(part) }
  }

  /// Follows the modes of all parts.
  @_noLocks
  mutating func followModes() {
    var part = 0
    while part < Limits.parts {
      followMode(part)
      part &+= 1
    }
  }

  /// Makes the held voices of a part one: that of the key that is to sound.
  @_noLocks
  private mutating func gather(_ part: Int) {
    let played = self.played[part]
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.isHeld, Int(note.part) == part, voices.isCurrent(voice) {
        played.pointee.stack.add(note, sounding: Note.noID)
      }
      voice = voices.next(voice &+ 1)
    }
    if played.pointee.stack.count == 0 { return }
    let best = best(part)
    played.pointee.sounding = best.id
    voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.isHeld, Int(note.part) == part, voices.isCurrent(voice) {
        if note.order == best.order { voices.makeMono(voice) } else { voices.release(voice) }
      }
      voice = voices.next(voice &+ 1)
    }
  }

  /// Gives the voice of a part to the key that it sounds, and forgets the others.
  @_noLocks
  private mutating func spread(_ part: Int) {
    let played = self.played[part]
    let place = played.pointee.stack.place(of: played.pointee.sounding)
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      let held = place < played.pointee.stack.count ? played.pointee.stack[place].pointee.held : 0
      voices.makePoly(voice, held: held)
      voice = voices.nextMono(part, voice &+ 1)
    }
    played.pointee.stack.removeAll()
    played.pointee.sounding = Note.noID
  }

  /// The note of the stack that is to sound; there is one.
  @_noLocks
  private func best(_ part: Int) -> Note {
    let stack = played[part].pointee.stack
    return stack[stack.best(NotePriority.at(playKnobs(part).priority))].pointee
  }
}
