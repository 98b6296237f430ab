// The effect of MPE zones and their channels on sounding notes.

extension Engine {
  /// Makes or ends an MPE zone. Notes on the affected channels are released, and the controllers of these channels are
  /// reset.
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

  /// Releases the notes on channels whose zones have changed. Notes that ring on follow the new zones, except for their
  /// finger, which keeps its state.
  @_noLocks
  private mutating func leave(_ source: UInt8, _ channels: UInt32) {
    if arps.used != 0 { removeArpKeys(source: source, channels: channels) }
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
    var index = played.next(0)
    while index < PlayedParts.end {
      if played.note(index).pointee.isOn(source, channels) { played.note(index).pointee.held = 0 }
      index = played.next(index &+ 1)
    }
    settleMono()
    if arps.used != 0 { releaseOrphans() }
  }

  /// Moves the finger of a member channel, for notes whose keys are down there and for later ones.
  @_noLocks
  func moveFinger(_ event: Event) {
    let zones = controllers.zones[event.source]
    let manager = zones.pointee.zoneManager(of: event.target)
    switch event.kind {
    // The range of one member applies to all members.
    case .bendRange:
      zones.pointee.setRange(manager: manager, max(0, min(event.value, MPEZones.widestRange)))
      followFingers(event.source, zones.pointee.channels(manager: manager))
    case .bend, .pressure, .timbre, .wheel, .breath:
      controllers.claim(event).pointee.move(event.kind, to: event.value)
      followFingers(event.source, UInt32(1) << UInt32(event.target))
    default: break
    }
  }

  /// Resets the fingers of all members when the controllers of their manager are reset.
  @_noLocks
  func resetFingers(_ event: Event) {
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

  /// Resets the finger of a member channel after its last key was released. Bend and timbre stay for the next key,
  /// because sequencers leave out values that repeat.
  @_noLocks
  func leaveChannel(_ event: Event) {
    let channel = UInt32(1) << UInt32(event.target)
    if arps.used != 0, hasArpKey(event.source, channel) { return }
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes[voice]
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index).pointee
      if note.held & Note.byKey != 0, note.isOn(event.source, channel) { return }
      index = played.next(index &+ 1)
    }
    controllers.channel(event.source, event.target).pointee.resetFinger()
  }

  /// Updates the notes whose keys are down on the given channels from their fingers.
  @_noLocks
  private func followFingers(_ source: UInt8, _ channels: UInt32) {
    var voice = voices.next(0)
    while voice < Limits.lanes {
      let note = voices.notes + voice
      if note.pointee.tracksExpression, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        control(voice)
      }
      voice = voices.next(voice &+ 1)
    }
    var index = played.next(0)
    while index < PlayedParts.end {
      let note = played.note(index)
      if note.pointee.tracksExpression, note.pointee.isMember, note.pointee.isOn(source, channels) {
        note.pointee.finger = controllers.finger(source, note.pointee.target)
        let part = played.part(index)
        if played[part].pointee.sounding == note.pointee.id { followMono(part, note.pointee.finger) }
      }
      index = played.next(index &+ 1)
    }
  }

  /// Updates the mono voice of a part from the finger of the key that it plays.
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
  /// True for a note of a source on one of the given channels, one bit each.
  @_noLocks
  func isOn(_ source: UInt8, _ channels: UInt32) -> Bool {
    self.source == source && Int(target) < Limits.channels && channels >> UInt32(target) & 1 != 0
  }
}
