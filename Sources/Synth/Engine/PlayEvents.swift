import Scenes

// Events of the players, given to the parts and to their arpeggiators.

extension PartEngine {
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
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controllers.movedPedal(of: event.source)
      releaseUnheld()
      ensemble.controlAll()
    case .sostenuto: if ensemble.catchKeys(event) { releaseUnheld() }
    case .legato:
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controllers.movedPedal(of: event.source)
      ensemble.followModes()
    case .soft:
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controllers.movedPedal(of: event.source)
    case .glide, .glideTime: ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
    case .glideFrom: ensemble.controllers.claim(event).pointee.glideFrom = event.note
    case .mono, .poly:
      end(source: event.source, target: event.target, fades: false)
      ensemble.turnMode(event)
    case .resetControllers:
      ensemble.controllers.claim(event).pointee.reset()
      ensemble.controllers.movedPedal(of: event.source)
      if arps.used != 0 { arps.releasePressure(event) }
      ensemble.releasePressure(event)
      ensemble.resetFingers(event)
      ensemble.resetKeys(event)
      releaseUnheld()
      ensemble.followModes()
      ensemble.controlAll()
    case .allNotesOff:
      if arps.used != 0 { arps.releaseAll(ensemble, event) }
      ensemble.releaseKeys(event)
      if arps.used != 0 { arps.releaseOrphans(&ensemble) }
      ensemble.resetFingers(event)
    case .allSoundOff:
      end(source: event.source, target: event.target, fades: true)
      ensemble.resetFingers(event)
    case .sourceGone:
      releaseSources(from: Int(event.source), to: Int(event.source) &+ 1, haveDisconnected: true)
      ensemble.renderer.beatClock.lose(event.source, frame: frame)
      if Int(event.source) == Limits.songSource { ensemble.renderer.beatClock.endMeter() }
    case .setUp:
      releaseSources(from: Int(event.source), to: Int(event.source) &+ 1, haveDisconnected: true)
      ensemble.controllers.setUp(event)
      ensemble.controlAll()
    case .panic: panic()
    case .masterVolume, .masterTuning:
      ensemble.controllers.setMaster(event)
      ensemble.controlAll()
    case .masterBalance:
      ensemble.controllers.setMaster(event)
      ensemble.followBalances()
    case .keyTuning, .scaleTuning:
      ensemble.controllers.tune(event)
      ensemble.retuneKeys(event)
    case .notePitch, .noteGain, .keyPressure:
      ensemble.shape(event)
      if arps.used != 0 { arps.shape(ensemble, event) }
    case .keyBend, .keyBendRange, .keyPitch, .keyWheel, .keyBreath, .keyTimbre, .keyVolume, .keyExpression,
      .keyPan, .keyManagement, .strokePitch:
      ensemble.moveKey(event)
    case .mpeZone: setZone(event)
    case .bend, .bendRange, .tuning, .wheel, .pressure, .timbre, .breath:
      if ensemble.controllers.zoneManager(event) != event.target { return ensemble.moveFinger(event) }
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controlAll()
    case .assignable:
      ensemble.controllers.claim(event).pointee.move(source: event.note, to: event.value)
      ensemble.controlAll()
    case .expression, .volume:
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controllers.movedPedal(of: event.source)
      ensemble.controlAll()
    case .route: route(event)
    case .rhythm:
      ensemble.controllers.setRhythm(event)
      releaseUnheld()
      ensemble.followBalances()
      ensemble.controlAll()
    case .balance:
      ensemble.controllers.claim(event).pointee.move(event.kind, to: event.value)
      ensemble.controllers.movedPedal(of: event.source)
      ensemble.followBalances()
    case .clockTempo, .clockBeat, .clockCountIn, .clockTap, .clockStop, .clockGone:
      ensemble.renderer.beatClock.follow(event, frame: frame)
    case .clockMeter:
      if Int(event.source) != Limits.songSource { break }
      ensemble.renderer.beatClock.follow(event, frame: frame)
      arps.beginBars()
    case .clockStart:
      if ensemble.renderer.beatClock.mayLead(event.source) {
        ensemble.renderer.beatClock.follow(event, frame: frame)
        arps.start(&ensemble)
      }
    case .clockContinue:
      if ensemble.renderer.beatClock.mayLead(event.source) {
        ensemble.renderer.beatClock.follow(event, frame: frame)
        arps.resume()
      }
    case .clearArp: arps.clear(ensemble, event)
    case .controller, .program, .modulationDepth, .tempo, .songCommand, .songPosition: break
    }
  }

  /// Fades every voice and the ringing effects at once, and resets all controllers.
  @_noLocks
  mutating func panic() {
    for source in 0..<Limits.sources {
      ensemble.controllers.reset(source: UInt8(source), hasDisconnected: true, forgetsChannels: false)
    }
    arps.panic()
    ensemble.fadeAll()
    ensemble.followModes()
    ensemble.followBalances()
    hasPanicked = true
  }

  /// Releases everything that the sources in a range hold or have moved: they `haveDisconnected`, or their ring has
  /// lost events, possibly note offs. In the latter case their settings stay.
  @_noLocks
  mutating func releaseSources(from first: Int, to last: Int, haveDisconnected: Bool = false) {
    var source = first
    while source < last {
      ensemble.controllers.reset(source: UInt8(source), hasDisconnected: haveDisconnected)
      end(source: UInt8(source), target: nil, fades: false)
      // The modes that a song has set end with it.
      if haveDisconnected, source == Limits.songSource {
        for part in 0..<Limits.parts {
          if Int(ensemble.played[part].pointee.modeSource) == source {
            ensemble.played[part].pointee.mode = nil
          }
        }
      }
      source &+= 1
    }
    releaseUnheld()
    ensemble.followModes()
    ensemble.followBalances()
    ensemble.controlAll()
  }

  /// Routes a channel of a source to other parts. Held notes stay where they began.
  @_noLocks
  private mutating func route(_ event: Event) {
    if Int(event.target) >= Limits.channels { return }
    ensemble.controllers.route(event)
    releaseUnheld()
    ensemble.followModes()
    ensemble.followBalances()
    ensemble.controlAll()
  }

  // MARK: - Notes

  @_noLocks
  private mutating func noteOn(_ event: Event) {
    for part in 0..<Limits.parts {
      if ensemble.reaches(event, part) { start(event, part: part) }
    }
    ensemble.controllers.forgetGlide(event)
    ensemble.controllers.keys.forgetStroke(event)
  }

  @_noLocks
  private mutating func start(_ event: Event, part: Int) {
    let input = ensemble.scene.part(part).pointee.input
    var role = ArpRole.notes
    if Int(event.source) != Limits.songSource { role = arps[part].pointee.role }
    let drum = ensemble.drum(event, part: part, isDirect: role.equals(.notes))
    // Ignored: a key without a drum, that the part does not play, or that the tuning leaves out.
    guard !drum.isSilent, let key = input.key(for: event, sound: drum.sound > 0 ? drum.soundKey : drum.key),
      let shift = ensemble.scene.part(part).pointee.tuning.shift(key)
    else { return }
    let play = ensemble.playKnobs(part)
    var note = Note(event, part: part)
    note.key = key
    note.tuningOctaves = shift
    note.drum = drum.sound
    ensemble.controllers.assign(&note)
    note.shape(curve: play.curve + input.curve)
    note.soften(ensemble.controllers.softness(note))
    switch role {
    case .notes: ensemble.strike(note, part: part, group: drum.group)
    case .chords: arps.pressChord(&ensemble, note, part: part, group: drum.group)
    case .arpeggio, .sequence: arps.press(&ensemble, note, part: part, group: drum.group)
    }
  }

  @_noLocks
  private mutating func noteOff(_ event: Event) {
    ensemble.lift(event)
    if arps.used != 0 { arps.release(&ensemble, event) }
    // Even if its voice has ended before.
    if ensemble.controllers.zoneManager(event) != event.target { leaveChannel(event) }
  }

  /// Resets the finger of a member channel of MPE whose last key was released.
  @_noLocks
  private func leaveChannel(_ event: Event) {
    if arps.used != 0, arps.hasKey(event.source, UInt32(1) << UInt32(event.target)) { return }
    ensemble.leaveChannel(event)
  }

  /// Makes or ends an MPE zone. Notes on the affected channels are released, and the controllers of these channels are
  /// reset.
  @_noLocks
  private mutating func setZone(_ event: Event) {
    guard MPEZones.canManage(event.target), Int(event.note) < Limits.channels else { return }
    let before = ensemble.controllers.zones[event.source].pointee
    let changed = ensemble.changeZone(event)
    if changed == 0 { return }
    if arps.used != 0 { arps.remove(source: event.source, channels: changed) }
    ensemble.leave(event.source, changed)
    if arps.used != 0 { arps.releaseOrphans(&ensemble) }
    ensemble.controllers.settle(event.source, changed, before: before, maker: event.target)
    ensemble.controllers.movedPedal(of: event.source)
    releaseUnheld()
    ensemble.followModes()
    ensemble.followBalances()
    ensemble.controlAll()
  }

  /// Ends all notes of a source, or those of one target, and removes their keys from arpeggios. The notes fade if
  /// `fades`; otherwise they are released.
  @_noLocks
  private mutating func end(source: UInt8, target: UInt8?, fades: Bool) {
    if arps.used != 0 { arps.remove(source: source, target: target) }
    ensemble.end(source: source, target: target, fades: fades)
    if arps.used != 0 { arps.releaseOrphans(&ensemble) }
  }

  /// Releases the notes and the keys of arpeggios that no pedal holds any more.
  @_noLocks
  mutating func releaseUnheld() {
    if arps.used != 0 { arps.releaseEntries(ensemble) }
    ensemble.releaseUnheld()
  }
}
