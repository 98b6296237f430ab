import Scenes

// The channels of MPE zones: their managers and their fingers.

extension Controllers {
  /// The target whose pedals and parts apply to an event: the manager of its MPE zone, or its own target.
  @_noLocks
  func zoneManager(_ event: Event) -> UInt8 {
    Int(event.target) < Limits.channels
      ? zones[event.source].pointee.zoneManager(of: event.target) : event.target
  }

  /// Sets the zone manager and the initial finger expression of a new note.
  @_noLocks
  func assign(_ note: inout Note) {
    if Int(note.target) >= Limits.channels { return }
    note.zoneManager = zones[note.source].pointee.zoneManager(of: note.target)
    if note.isMember {
      note.isFingered = true
      note.finger = finger(note.source, note.target)
    } else if keys.areMoved(by: note.source) {
      note.isFingered = true
      keys.strike(&note)
      note.finger = keyFinger(note)
    }
  }

  /// Updates the finger expression of a note whose key is down.
  @_noLocks
  func assignFinger(_ note: inout Note) {
    if Int(note.target) >= Limits.channels { return }
    if note.isMember {
      note.finger = finger(note.source, note.target)
    } else if keys.areMoved(by: note.source) {
      note.isFingered = true
      note.finger = keyFinger(note)
    }
  }

  /// The finger expression of a member channel.
  @_noLocks
  func finger(_ source: UInt8, _ index: UInt8) -> NoteExpression {
    let zones = zones[source]
    return NoteExpression(
      channel(source, index).pointee,
      range: zones.pointee.range(manager: zones.pointee.zoneManager(of: index)))
  }

  @_noLocks
  func channel(_ source: UInt8, _ index: UInt8) -> UnsafeMutablePointer<ControllerState> {
    channels + (Int(source) * Limits.channels + Int(index))
  }

  /// Resets the members of all zones, and the bend ranges of their managers.
  @_noLocks
  func settleZones() {
    for source in 0..<Limits.sources {
      settleZones(of: UInt8(source))
    }
  }

  /// Resets the members of the zones of a source, and the bend ranges of their managers.
  @_noLocks
  func settleZones(of source: UInt8) {
    let zones = zones[source]
    var left = zones.pointee.channels
    while left != 0 {
      let index = UInt8(left.trailingZeroBitCount)
      if zones.pointee.isMember(index) {
        channel(source, index).pointee = .restingFinger
      } else {
        channel(source, index).pointee.bendRange = MPEZones.managerRange
      }
      left &= left &- 1
    }
  }

  /// Initializes the given channels, one bit each, for the zones that have just been made. The channel that made them
  /// gets the bend range of a manager, or that of the patch if it manages none.
  @_noLocks
  func settle(_ source: UInt8, _ changed: UInt32, before: MPEZones, maker: UInt8) {
    let zones = zones[source]
    var left = changed
    while left != 0 {
      let index = UInt8(left.trailingZeroBitCount)
      let state = channel(source, index)
      keys.forget(source, channel: index)
      if zones.pointee.isMember(index) {
        state.pointee = .restingFinger
      } else if before.isMember(index) {
        state.pointee = ControllerState()
      }
      left &= left &- 1
    }
    if zones.pointee.isMember(maker) { return }
    let isManager = zones.pointee.channels(manager: maker) != 0
    let state = channel(source, maker)
    (state.pointee.bend, state.pointee.pressure) = (0, 0)
    state.pointee.bendRange = isManager ? MPEZones.managerRange : -1
  }
}
