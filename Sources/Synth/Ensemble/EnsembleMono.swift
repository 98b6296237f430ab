import Scenes

// Mono parts: which of the held keys sounds, and how the voice changes to it; and glides.

extension Ensemble {
  /// Handles a key that goes down in a mono part.
  @_noLocks
  mutating func strikeMono(_ note: Note, part: Int) {
    let played = self.played[part]
    let others = played.pointee.stack.hasKey(besides: note.id)
    let index = played.pointee.stack.index(of: note.id)
    if index < played.pointee.stack.count { played.pointee.stack.remove(index) }
    voices.order &+= 1
    var note = note
    note.order = voices.order
    played.pointee.stack.add(note, sounding: played.pointee.sounding)
    let best = best(part)
    let continues = voices.nextMono(part, 0) < Limits.lanes || voices.hasDiedAway(part)
    if best.id == played.pointee.sounding, best.id != note.id, continues { return }
    let isSlurred = others && (slurs(part) || carriesMono(note, part: part))
    sound(best, part: part, strikes: !isSlurred, isLegato: others)
  }

  /// Changes the voice to the next held key after the sounding one was released, or ends the voice.
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

  /// Makes the mono voice of a part play a note. An existing voice changes to the note; a voice of an older sound is
  /// released, and a new one begins in the part's current sound.
  @_noLocks
  private mutating func sound(_ key: Note, part: Int, strikes: Bool, isLegato: Bool) {
    let played = self.played[part]
    var note = key
    (note.isMono, note.held) = (true, Note.byStack)
    var bends = note.isFingered
    let control = controllers.modulation(of: note)
    let start = glideStart(note, from: controllers.glideFrom(note), isLegato: isLegato)
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
    if bends, own < Limits.lanes { voices.snap(own) }
    if own == Limits.lanes { return }
    if let start { voices.glide(own, from: start, note) }
    if let pitch { voices.continuePitch(own, from: pitch) }
  }

  /// Removes stack notes that nothing holds after a key or a pedal has come up, and plays another note if the sounding
  /// one is among them.
  @_noLocks
  mutating func settleMono(_ part: Int) {
    let played = self.played[part]
    var soundingIsHeld = played.pointee.sounding == Note.noID
    var index = 0
    while index < played.pointee.stack.count {
      if played.pointee.stack[index].pointee.held == 0 {
        played.pointee.stack.remove(index)
      } else {
        if played.pointee.stack[index].pointee.id == played.pointee.sounding { soundingIsHeld = true }
        index &+= 1
      }
    }
    if !soundingIsHeld { returnMono(part) }
  }

  /// Settles the stacks of all parts after a key or a pedal has come up.
  @_noLocks
  mutating func settleMono() {
    for part in 0..<Limits.parts {
      settleMono(part)
    }
  }

  // MARK: - Modes

  /// The mode of a part: its legato switch comes first, then a MIDI message, then its knob.
  @_noLocks
  private func mode(_ part: Int) -> PlayMode {
    let played = self.played[part]
    let knob = playKnobs(part).mode
    if played.pointee.knob != knob { (played.pointee.knob, played.pointee.mode) = (knob, nil) }
    if controllers.slurs(part) { return .legato }
    return played.pointee.mode ?? PlayMode.at(knob)
  }

  /// Whether overlapping keys are slurred.
  @_noLocks
  private func slurs(_ part: Int) -> Bool {
    switch mode(part) {
    case .legato: true
    case .poly, .mono: false
    }
  }

  /// Follows the mode of a part. A change to mono merges the held keys into one voice, and only the best of them
  /// continues; after a recall, sounding voices end as they are instead. A change to poly leaves the sounding voice to
  /// its key.
  @_noLocks
  mutating func followMode(_ part: Int, recalled: Bool = false) {
    let isMono =
      switch mode(part) {
      case .poly: false
      case .mono, .legato: true
      }
    if played[part].pointee.isMono == isMono { return }
    played[part].pointee.isMono = isMono
    if !isMono { monoToPoly(part) } else if !recalled { polyToMono(part) }
  }

  /// Follows the modes of all parts.
  @_noLocks
  mutating func followModes() {
    for part in 0..<Limits.parts {
      followMode(part)
    }
  }

  /// Merges the held voices of a part into one: that of the key that should sound.
  @_noLocks
  private mutating func polyToMono(_ part: Int) {
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

  /// Gives the mono voice of a part to the key that it plays, and forgets the other keys.
  @_noLocks
  private mutating func monoToPoly(_ part: Int) {
    let played = self.played[part]
    let index = played.pointee.stack.index(of: played.pointee.sounding)
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      let held = index < played.pointee.stack.count ? played.pointee.stack[index].pointee.held : 0
      voices.makePoly(voice, held: held)
      voice = voices.nextMono(part, voice &+ 1)
    }
    played.pointee.stack.removeAll()
    played.pointee.sounding = Note.noID
  }

  /// The note of the stack that should sound; the stack must not be empty.
  @_noLocks
  private func best(_ part: Int) -> Note {
    let stack = played[part].pointee.stack
    return stack[stack.best(NotePriority.at(playKnobs(part).priority))].pointee
  }

  // MARK: - Glides

  /// The glide of a note; nil for none. `key`: the key that a message names for it to glide from, or
  /// `ControllerState.noKey`. `isLegato`: whether another key of its part is down.
  @_noLocks
  func glideStart(_ note: Note, from key: UInt8, isLegato: Bool) -> GlideStart? {
    let part = Int(note.part)
    let play = playKnobs(part)
    let isAsked = key != ControllerState.noKey
    let seconds = controllers.glideSeconds(note, sound: play.glide, isAsked: isAsked)
    if seconds <= 0 { return nil }
    if isAsked {
      var from = note
      from.key = key
      from.tuningOctaves = scene.part(part).pointee.tuning.shift(key) ?? 0
      let pitch = from.octaves + scene.part(part).pointee.input.octaves
      return GlideStart(pitch: pitch, seconds: seconds)
    }
    if play.glidesLegatoOnly && !isLegato || !played[part].pointee.hasPlayed { return nil }
    // From the current pitch of the last note, including its finger.
    let last = voices.pitchOfNewest(part) ?? played[part].pointee.pitch
    return GlideStart(pitch: last - note.finger.octaves, seconds: seconds)
  }

  /// Portamento control (controller 84): the voice of a held key continues with a note that glides from that key,
  /// without a stroke. False if the key has no voice in the current sound of the part.
  // Not inlined: hardly any note needs it.
  @_noLocks @inline(never)
  mutating func carry(
    _ note: Note, _ control: PlayerModulation, from key: UInt8, _ start: GlideStart?
  ) -> Bool {
    let id = note.gliding(from: key)
    if id == note.id { return false }
    var voice = voices.pool.nextHeld(by: id, 0)
    while voice < Limits.lanes, voices.notes[voice].part != note.part || !voices.isCurrent(voice) {
      voice = voices.pool.nextHeld(by: id, voice &+ 1)
    }
    if voice == Limits.lanes { return false }
    var other = voices.pool.nextSounding(by: note.id, 0)
    while other < Limits.lanes {
      if voices.notes[other].part == note.part { voices.fade(other, slowly: true) }
      other = voices.pool.nextSounding(by: note.id, other &+ 1)
    }
    let state = voices.group(voice).pointee.block.state
    let pitch = state.pointee.pitch[voices.lane(voice)]
    voices.slur(voice, note, control, keepsVelocity: true)
    state.pointee.notes[voices.lane(voice)] = note.laneID
    if let start { voices.glide(voice, from: GlideStart(pitch: pitch, seconds: start.seconds), note) }
    return true
  }

  /// Whether the mono voice of a part plays the key that a note is to glide from.
  @_noLocks
  func carriesMono(_ note: Note, part: Int) -> Bool {
    let key = controllers.glideFrom(note)
    return key != ControllerState.noKey && played[part].pointee.sounding == note.gliding(from: key)
  }
}

extension Note {
  /// The ID that a note of another key has on the same channel.
  @_noLocks
  fileprivate func gliding(from key: UInt8) -> UInt32 { id & ~0x7F | UInt32(key & 127) }
}
