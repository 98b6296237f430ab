// The channels of MPE zones: what they do to the notes that sound.

extension Engine {
  /// Makes an MPE zone, or ends it. The notes on the channels that it changes are let go, and nothing that has been
  /// moved on them stays moved.
  @_noLocks
  mutating func setZone(_ event: Event) {
    guard MPEZones.canManage(event.target), Int(event.note) < Limits.channels else { return }
    let zones = controllers.zones[event.source]
    let before = zones.pointee
    zones.pointee.choose(range: event.value)
    zones.pointee.set(manager: event.target, members: event.note)
    let other = UInt8(Limits.channels &- 1) &- event.target
    var changed =
      before.channels(manager: event.target) | zones.pointee.channels(manager: event.target)
    if before.channels(manager: other) != zones.pointee.channels(manager: other) {
      changed |= before.channels(manager: other)
    }
    if changed == 0 { return }
    leave(event.source, changed)
    controllers.settle(event.source, changed, before: before, maker: event.target)
    controllers.movedPedal(of: event.source)
    releaseUnheld()
    followModes()
    followBalances()
    controlAll()
  }

  /// Lets go of the notes on channels whose zones have changed. What rings on is heard as the new zones have it, but for
  /// its finger, which stays where it was.
  @_noLocks
  private mutating func leave(_ source: UInt8, _ channels: UInt32) {
    let zones = controllers.zones[source]
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.isOn(source, channels) {
        if !note.pointee.isMono { voices.release(voice) }
        note.pointee.zoneManager = zones.pointee.zoneManager(of: note.pointee.target)
      }
      voice = voices.next(voice &+ 1)
    }
    var place = played.next(0)
    while place < PlayedParts.places {
      if played.note(place).pointee.isOn(source, channels) { played.note(place).pointee.held = 0 }
      place = played.next(place &+ 1)
    }
    settleMono()
  }

  /// What the finger of a member channel does: to the notes whose keys are down there, and to those that come.
  @_noLocks
  func moveFinger(_ event: Event) {
    let zones = controllers.zones[event.source]
    let manager = zones.pointee.zoneManager(of: event.target)
    switch event.kind {
    // Of one member for all.
    case .bendRange:
      zones.pointee.setRange(manager: manager, max(0, min(event.value, ControllerState.widestBend)))
      followFingers(event.source, zones.pointee.channels(manager: manager))
    case .bend, .pressure, .timbre, .wheel, .breath:
      controllers.state(event).pointee.move(event.kind, to: event.value)
      followFingers(event.source, UInt32(1) << UInt32(event.target))
    default: break
    }
  }

  /// Where a manager's controllers are put to rest, the fingers of its members are too.
  @_noLocks
  func restFingers(_ event: Event) {
    guard MPEZones.canManage(event.target) else { return }
    let zones = controllers.zones[event.source]
    let channels = zones.pointee.channels(manager: event.target)
    var left = channels & ~(UInt32(1) << UInt32(event.target))
    if left == 0 { return }
    while left != 0 {
      controllers.channel(event.source, UInt8(left.trailingZeroBitCount)).pointee.reset()
      left &= left &- 1
    }
    followFingers(event.source, channels)
  }

  /// A key of a member channel has come up: with none left, the finger has gone.
  @_noLocks
  func leaveChannel(_ event: Event) {
    let channel = UInt32(1) << UInt32(event.target)
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      voice = voices.next(voice &+ 1)
    }
    var place = played.next(0)
    while place < PlayedParts.places {
      let note = played.note(place).pointee
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      place = played.next(place &+ 1)
    }
    controllers.channel(event.source, event.target).pointee = .restingFinger
  }

  /// Lets the notes whose keys are down on some channels follow their fingers.
  @_noLocks
  private func followFingers(_ source: UInt8, _ channels: UInt32) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.held & Note.byKey != 0, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var place = played.next(0)
    while place < PlayedParts.places {
      let note = played.note(place)
      if note.pointee.held & Note.byKey != 0, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        let part = played.part(place)
        if played[part].pointee.sounding == note.pointee.id { followMono(part, note.pointee.finger) }
      }
      place = played.next(place &+ 1)
    }
  }

  /// Lets the one voice of a part follow the finger of the key that it sounds.
  @_noLocks
  private func followMono(_ part: Int, _ finger: NoteExpression) {
    var voice = voices.nextMono(part, 0)
    while voice < Limits.lanes {
      if voices.notes[voice].isHeld {
        voices.notes[voice].finger = finger
        control(voice)
      }
      voice = voices.nextMono(part, voice &+ 1)
    }
  }
}

extension Note {
  /// True of a note of a source on one of some channels, one bit each.
  @_noLocks
  fileprivate func isOn(_ source: UInt8, _ channels: UInt32) -> Bool {
    self.source == source && Int(target) < Limits.channels && channels >> UInt32(target) & 1 != 0
  }
}
