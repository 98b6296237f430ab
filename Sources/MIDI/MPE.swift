import Scenes

/// Whether a device uses MPE, with a channel for each note: as the device announces, or as the player sets it.
public enum MPESetting: Hashable, Sendable, CustomStringConvertible {
  /// Never: plain MIDI, regardless of the device's messages.
  case off
  /// When the device announces it by the MPE configuration message.
  case auto
  /// Always: channel 1 manages 1…15 members above it, with an initial bend range of 1…96 semitones.
  case lower(UInt8, range: UInt8 = 48)
  /// Always: channel 16 manages 1…15 members below it, with an initial bend range of 1…96 semitones.
  case upper(UInt8, range: UInt8 = 48)

  /// Reads `off`, `auto`, `lower` or `upper`, the latter two optionally with the number of members and their bend
  /// range, such as `lower-7` or `lower-15-24`; nil for anything else.
  public init?(_ text: String) {
    let words = text.split(separator: "-", omittingEmptySubsequences: false)
    guard words.count <= 3, let name = words.first else { return nil }
    var numbers: [UInt8] = [15, 48]
    for (index, word) in words.dropFirst().enumerated() {
      guard let number = UInt8(word), (1...(index == 0 ? 15 : 96)).contains(number) else { return nil }
      numbers[index] = number
    }
    switch (name, words.count) {
    case ("off", 1): self = .off
    case ("auto", 1): self = .auto
    case ("lower", _): self = .lower(numbers[0], range: numbers[1])
    case ("upper", _): self = .upper(numbers[0], range: numbers[1])
    default: return nil
    }
  }

  /// The text that `init` reads.
  public var description: String {
    switch self {
    case .off: "off"
    case .auto: "auto"
    case .lower(let members, let range): "lower" + Self.words(members, range)
    case .upper(let members, let range): "upper" + Self.words(members, range)
    }
  }

  private static func words(_ members: UInt8, _ range: UInt8) -> String {
    if range != 48 { return "-\(members)-\(range)" }
    return members == 15 ? "" : "-\(members)"
  }
}

extension MIDIDecoder {
  /// Sets whether a source uses MPE, until the next `choose`; resets of the device and `forget` do not change it.
  /// Returns the events for the engine, at `frame`, in order. Call it when a source appears, on the thread that
  /// decodes its events, between two of them.
  public func choose(_ setting: MPESetting, source: UInt8, frame: Int64) -> [Event] {
    var zones = MPEZones()
    switch setting {
    case .auto: break
    case .off: zones.choose(range: MPEZones.memberRange)
    case .lower(let members, let range):
      zones.choose(range: Float(range))
      zones.set(manager: 0, members: members)
    case .upper(let members, let range):
      zones.choose(range: Float(range))
      zones.set(manager: 15, members: members)
    }
    let before = self.zones(of: source).pointee
    // Zones that the device has configured stay.
    if setting == .auto, !before.isFixed, before != zones { return [] }
    self.zones(of: source).pointee = zones
    settle(source, UInt32.max)
    return events(of: zones, source: source, frame: frame)
  }

  /// The events that restore a source's MPE zones at `frame` in an engine that has lost them.
  public func zoneEvents(of source: UInt8, frame: Int64) -> [Event] {
    let zones = zones(of: source).pointee
    if zones == MPEZones() { return [] }
    var events = events(of: zones, source: source, frame: frame)
    for manager in [0, 15] as [UInt8] where zones.members(of: manager) > 0 {
      for index in [manager, manager == 0 ? 1 : 14] {
        let range = channel(source, index).pointee.parameters.bendSemitones
        events.append(Event(frame: frame, kind: .bendRange, source: source, target: index, value: range))
      }
    }
    return events
  }

  /// The manager of a channel of a source in an MPE zone; outside a zone, the channel itself.
  @_noLocks
  public func zoneManager(of channel: UInt8, source: UInt8) -> UInt8 {
    zones(of: source).pointee.zoneManager(of: channel & 15)
  }

  private func events(of zones: MPEZones, source: UInt8, frame: Int64) -> [Event] {
    let members: [(UInt8, UInt8)] = [(0, zones.lower), (15, zones.upper)]
    return members.map {
      Event(frame: frame, kind: .mpeZone, source: source, target: $0.0, note: $0.1, value: zones.chosenRange)
    }
  }
}

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
