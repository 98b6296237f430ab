// Events of the players and their effect on the voices.

extension Engine {
  /// Plays an event at the current frame. Whatever the event holds, no index is out of range.
  @_noLocks
  mutating func play(_ event: Event) {
    guard Int(event.source) < Limits.sources, Int(event.target) < Limits.channels + Limits.parts,
      event.note < 128, event.value.isFinite
    else { return }
    switch event.kind {
    case .noteOn:
      if event.value <= 0 { return noteOff(event) }
      if Int(event.source) < Limits.surfaceSources { meters.add(.strokes, 1) }
      noteOn(event)
    case .noteOff: noteOff(event)
    case .sustain, .sustain2:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      releaseUnheld()
      controlAll()
    case .sostenuto: catchKeys(event)
    case .legato:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      followModes()
    case .soft:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
    case .glide, .glideTime: controllers.claim(event).pointee.move(event.kind, to: event.value)
    case .glideFrom: controllers.claim(event).pointee.glideFrom = event.note
    case .mono, .poly: turnMode(event)
    case .resetControllers:
      controllers.claim(event).pointee.reset()
      controllers.movedPedal(of: event.source)
      releasePressure(event)
      resetFingers(event)
      resetKeys(event)
      releaseUnheld()
      followModes()
      controlAll()
    case .allNotesOff:
      releaseKeys(event)
      resetFingers(event)
    case .allSoundOff:
      end(source: event.source, target: event.target, fades: true)
      resetFingers(event)
    case .sourceGone:
      releaseSources(from: Int(event.source), to: Int(event.source) &+ 1, haveDisconnected: true)
      renderer.beatClock.lose(event.source, frame: frame)
      if Int(event.source) == Limits.songSource { renderer.beatClock.endMeter() }
    case .setUp:
      releaseSources(from: Int(event.source), to: Int(event.source) &+ 1, haveDisconnected: true)
      controllers.setUp(event)
      controlAll()
    case .panic: panic()
    case .masterVolume, .masterTuning:
      controllers.setMaster(event)
      controlAll()
    case .masterBalance:
      controllers.setMaster(event)
      followBalances()
    case .keyTuning, .scaleTuning:
      controllers.tune(event)
      retuneKeys(event)
    case .notePitch, .noteGain, .keyPressure: shape(event)
    case .keyBend, .keyBendRange, .keyPitch, .keyWheel, .keyBreath, .keyTimbre, .keyVolume, .keyExpression,
      .keyPan, .keyManagement, .strokePitch:
      moveKey(event)
    case .mpeZone: setZone(event)
    case .bend, .bendRange, .tuning, .wheel, .pressure, .timbre, .breath:
      if controllers.zoneManager(event) != event.target { return moveFinger(event) }
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controlAll()
    case .assignable:
      controllers.claim(event).pointee.move(source: event.note, to: event.value)
      controlAll()
    case .expression, .volume:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      controlAll()
    case .route: route(event)
    case .rhythm:
      controllers.setRhythm(event)
      releaseUnheld()
      followBalances()
      controlAll()
    case .balance:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      controllers.movedPedal(of: event.source)
      followBalances()
    case .clockTempo, .clockBeat, .clockCountIn, .clockTap, .clockStop, .clockGone:
      renderer.beatClock.follow(event, frame: frame)
    case .clockMeter:
      if Int(event.source) != Limits.songSource { break }
      renderer.beatClock.follow(event, frame: frame)
      arps.beginBars()
    case .clockStart:
      if renderer.beatClock.mayLead(event.source) {
        renderer.beatClock.follow(event, frame: frame)
        startArps()
      }
    case .clockContinue:
      if renderer.beatClock.mayLead(event.source) {
        renderer.beatClock.follow(event, frame: frame)
        continueArps()
      }
    case .clearArp: clearArp(event)
    case .controller, .program, .modulationDepth, .tempo, .songCommand, .songPosition: break
    }
  }

  /// Fades every voice and the ringing effects at once, and resets all controllers.
  @_noLocks
  mutating func panic() {
    var source = 0
    while source < Limits.sources {
      controllers.reset(source: UInt8(source), hasDisconnected: true, forgetsChannels: false)
      source &+= 1
    }
    forgetKeys()
    panicArps()
    var voice = voices.next(0)
    while voice < Limits.lanes {
      voices.fade(voice)
      voice = voices.next(voice &+ 1)
    }
    voices.sounds.cut()
    followModes()
    followBalances()
    if songParts != 0 { panicSongParts() }
  }

  /// Releases everything that the sources in a range hold or have moved: they `haveDisconnected`, or their ring has
  /// lost events, possibly note offs. In the latter case their settings stay.
  @_noLocks
  mutating func releaseSources(from first: Int, to last: Int, haveDisconnected: Bool = false) {
    var source = first
    while source < last {
      controllers.reset(source: UInt8(source), hasDisconnected: haveDisconnected)
      end(source: UInt8(source), target: nil, fades: false)
      // The modes that a song has set end with it.
      if haveDisconnected, source == Limits.songSource {
        var part = 0
        while part < Limits.parts {
          if Int(played[part].pointee.modeSource) == source { played[part].pointee.mode = nil }
          part &+= 1
        }
      }
      source &+= 1
    }
    releaseUnheld()
    followModes()
    followBalances()
    controlAll()
  }

  /// Routes a channel of a source to other parts. Held notes stay where they began.
  @_noLocks
  private mutating func route(_ event: Event) {
    if Int(event.target) >= Limits.channels { return }
    controllers.route(event)
    releaseUnheld()
    followModes()
    followBalances()
    controlAll()
  }

  /// Sets the strips to the current balances.
  @_noLocks
  func followBalances() {
    var part = 0
    while part < Limits.parts {
      strips.balance(part, controllers.balance(part), scene.part(part).pointee.strip)
      part &+= 1
    }
  }

  // MARK: - Notes

  @_noLocks
  private mutating func noteOn(_ event: Event) {
    var part = 0
    while part < Limits.parts {
      if reaches(event, part) { start(event, part: part) }
      part &+= 1
    }
    controllers.forgetGlide(event)
    controllers.keys.forgetStroke(event)
  }

  /// Whether an event is for a part: it addresses the part, or a channel of its source that the part receives.
  @_noLocks
  func reaches(_ event: Event, _ part: Int) -> Bool {
    if Int(event.target) >= Limits.channels { return Int(event.target) &- Limits.channels == part }
    return controllers.receives(part, event)
  }

  @_noLocks
  private mutating func start(_ event: Event, part: Int) {
    let input = scene.part(part).pointee.input
    let drum = drum(event, part: part)
    // Ignored: a key without a drum, that the part does not play, or that the tuning leaves out.
    guard !drum.isSilent, let key = input.key(for: event, sound: drum.sound > 0 ? drum.soundKey : drum.key),
      let shift = scene.part(part).pointee.tuning.shift(key)
    else { return }
    let play = playKnobs(part)
    var note = Note(event, part: part)
    note.key = key
    note.tuningOctaves = shift
    note.drum = drum.sound
    controllers.assign(&note)
    note.shape(curve: play.curve + input.curve)
    note.soften(controllers.softness(note))
    if Int(event.source) != Limits.songSource {
      switch arps[part].pointee.role {
      case .notes: break
      case .chords: return pressChord(note, part: part, group: drum.group)
      case .arpeggio, .sequence: return pressArp(note, part: part, group: drum.group)
      }
    }
    strike(note, part: part, group: drum.group)
  }

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

  /// The current play knobs of a part.
  @_noLocks
  func playKnobs(_ part: Int) -> PlayKnobs {
    voices.sounds.sounds[voices.sounds.current[part]].patch.pointee.play
  }

  @_noLocks
  private mutating func noteOff(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      voices.group(voice).pointee.modulators.lift(voices.lane(voice), velocity: event.value)
      let held = heldWithoutKey(voices.notes[voice])
      if held == 0 { voices.release(voice) } else { voices.notes[voice].held = held }
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
    var part = 0
    while part < Limits.parts {
      let index = played[part].pointee.stack.index(of: event.noteID)
      if index < played[part].pointee.stack.count {
        let note = played[part].pointee.stack[index]
        note.pointee.held = heldWithoutKey(note.pointee)
        settleMono(part)
      }
      part &+= 1
    }
    if arps.used != 0 { releaseArpKey(event) }
    // Even if its voice has ended before.
    if controllers.zoneManager(event) != event.target { leaveChannel(event) }
  }

  /// Moves the pitch, gain or pressure of a held note.
  @_noLocks
  private func shape(_ event: Event) {
    var voice = voices.nextHeld(by: event, 0)
    while voice < Limits.lanes {
      shape(voices.notes + voice, event)
      control(voice)
      voice = voices.nextHeld(by: event, voice &+ 1)
    }
    var part = 0
    while part < Limits.parts {
      let index = played[part].pointee.stack.index(of: event.noteID)
      if index < played[part].pointee.stack.count { shape(played[part].pointee.stack[index], event) }
      if played[part].pointee.sounding == event.noteID { shapeMono(part, event) }
      part &+= 1
    }
    if arps.used != 0 { shapeArps(event) }
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

  /// Ends all notes of a source, or those of one target, and removes their keys from arpeggios. The notes fade if
  /// `fades`; otherwise they are released.
  @_noLocks
  mutating func end(source: UInt8, target: UInt8?, fades: Bool) {
    if arps.used != 0 { removeArpKeys(source: source, target: target) }
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
    if arps.used != 0 { releaseOrphans() }
  }
}
