import Synth

// MPE (M1-100 v1.1): the messages that make zones, and the messages on the channels of their members.

extension MIDIDecoder {
  /// Makes a zone with the number of members that the device requests; false if the player has fixed the zones or the
  /// channel cannot be a manager.
  @_noLocks
  func configure(_ source: UInt8, manager: UInt8, members: UInt8) -> Bool {
    let zones = zones(of: source)
    guard MPEZones.canManage(manager), !zones.pointee.isFixed else { return false }
    let before = zones.pointee
    zones.pointee.set(manager: manager, members: members)
    var changed = before.channels | zones.pointee.channels
    // An unchanged zone keeps its state; the manager channel keeps its selected parameter.
    let other = 15 - manager
    if before.members(of: other) == zones.pointee.members(of: other) {
      changed &= ~zones.pointee.channels(manager: other)
    }
    settle(source, changed & ~(UInt32(1) << UInt32(manager)))
    channel(source, manager).pointee.parameters.setBendRange(MPEZones.managerRange)
    return true
  }

  /// Resets channels, one bit each, to their initial state in the zones.
  @_noLocks
  func settle(_ source: UInt8, _ channels: UInt32) {
    let zones = zones(of: source)
    var index: UInt8 = 0
    while index < 16 {
      if channels >> UInt32(index) & 1 != 0 {
        let kept = channel(source, index)
        kept.pointee = ChannelMemory()
        if zones.pointee.isMember(index) {
          kept.pointee.parameters.setBendRange(zones.pointee.firstRange)
        }
      }
      index &+= 1
    }
  }

  /// Whether a controller has an effect on a member channel: those of one note, and those that set the range of its
  /// bend. Pedals and the like belong to the manager; some devices repeat them on all channels.
  @_noLocks
  static func isOfMembers(_ controller: UInt8) -> Bool {
    switch controller {
    case 1, 2, 33, 34, 74, 88, 106: true
    case 6, 38, 96...101: true
    default: false
    }
  }

  /// Copies the bend range of a member, RPN 0, to all members of its zone.
  @_noLocks
  func shareBendRange(_ source: UInt8, of member: UInt8) {
    let zones = zones(of: source)
    let manager = zones.pointee.zoneManager(of: member)
    let parameters = channel(source, member).pointee.parameters
    var index: UInt8 = 0
    while index < 16 {
      if index != manager, zones.pointee.zoneManager(of: index) == manager {
        channel(source, index).pointee.parameters.copyBendRange(of: parameters)
      }
      index &+= 1
    }
  }
}
