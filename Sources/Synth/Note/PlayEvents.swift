// What the events of the players do to the voices.

extension Engine {
  /// Plays an event, at this frame. Whatever it holds, nothing is indexed out of range.
  @_noLocks
  mutating func play(_ event: Event) {
    guard Int(event.source) < Limits.sources, Int(event.target) < Limits.channels + Limits.parts,
      event.note < 128, event.value.isFinite
    else { return }
    switch event.kind {
    case .noteOn: if event.value > 0 { noteOn(event) } else { noteOff(event) }
    case .noteOff: noteOff(event)
    case .sustain:
      controllers.state(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      releaseUnheld()
      controlAll()
    case .resetControllers:
      controllers.state(event).pointee = ControllerState()
      controllers.movedPedal(of: event.source)
      releaseUnheld()
      controlAll()
    case .allNotesOff: end(source: event.source, target: event.target, fades: false)
    case .allSoundOff: end(source: event.source, target: event.target, fades: true)
    case .sourceGone: releaseSources(from: Int(event.source), to: Int(event.source) &+ 1)
    case .panic: panic()
    case .notePitch, .noteGain, .keyPressure: shape(event)
    case .bend, .wheel, .pressure, .timbre, .breath:
      controllers.state(event).pointee.move(event.kind, to: event.value)
      controlAll()
    case .expression:
      controllers.state(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      controlAll()
    case .controller, .program: break
    }
  }

  /// Every voice fades at once, every wheel and pedal comes to rest.
  @_noLocks
  mutating func panic() {
    var source = 0
    while source < Limits.sources {
      controllers.rest(source: UInt8(source))
      source &+= 1
    }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      voices.fade(voice)
      voice = voices.next(voice &+ 1)
    }
  }

  /// Lets everything go that the sources in a range hold or have moved: they are gone, or their ring has lost events,
  /// among them perhaps note offs.
  @_noLocks
  mutating func releaseSources(from first: Int, to last: Int) {
    var source = first
    while source < last {
      controllers.rest(source: UInt8(source))
      end(source: UInt8(source), target: nil, fades: false)
      source &+= 1
    }
    releaseUnheld()
    controlAll()
  }

  // MARK: - Notes

  @_noLocks
  private mutating func noteOn(_ event: Event) {
    if Int(event.target) >= Limits.channels {
      start(event, part: Int(event.target) - Limits.channels)
      return
    }
    var part = 0
    while part < Limits.parts {
      if scene.part(part).pointee.strip.channels >> UInt32(event.target) & 1 != 0 { start(event, part: part) }
      part &+= 1
    }
  }

  @_noLocks
  private mutating func start(_ event: Event, part: Int) {
    let play = playKnobs(part)
    var note = Note(event, part: part)
    note.shape(curve: play.curve)
    if !voices.restrike(note, controllers.control(note), fades: play.fadesRestruck) {
      voices.start(note, controllers.control(note))
    }
  }

  /// How a part is played now.
  @_noLocks
  private func playKnobs(_ part: Int) -> PlayKnobs {
    voices.sounds.sounds[voices.sounds.current[part]].patch.pointee.play
  }

  @_noLocks
  private func noteOff(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      voices.group(voice).pointee.lift(voices.lane(voice), velocity: event.value)
      if controllers.sustains(voices.notes[voice]) {
        voices.notes[voice].held = Note.bySustain
      } else {
        voices.release(voice)
      }
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
  }

  /// Moves the pitch or the loudness of a note that is held.
  @_noLocks
  private func shape(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      switch event.kind {
      case .notePitch: voices.notes[voice].pitch = max(-127, min(event.value, 127))
      case .keyPressure: voices.notes[voice].pressure = max(0, min(event.value, 1))
      default: voices.notes[voice].gain = max(0, min(event.value, 1))
      }
      control(voice)
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
  }

  @_noLocks
  private mutating func end(source: UInt8, target: UInt8?, fades: Bool) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.source == source, target == nil || note.target == target {
        if fades { voices.fade(voice) } else { voices.release(voice) }
      }
      voice = voices.next(voice &+ 1)
    }
  }

  /// Lets go of the notes that no pedal holds any more.
  @_noLocks
  func releaseUnheld() {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held == Note.bySustain, !controllers.sustains(note) { voices.release(voice) }
      voice = voices.next(voice &+ 1)
    }
  }

  // MARK: - Controllers

  /// Lets the player's controllers act on a voice, which follows smoothly from the next control tick on.
  @_noLocks
  private func control(_ voice: Int) {
    voices.group(voice).pointee.follow(voices.lane(voice), controllers.control(voices.notes[voice]))
  }

  /// Lets them act on every voice.
  @_noLocks
  func controlAll() {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      control(voice)
      voice = voices.next(voice &+ 1)
    }
  }
}
