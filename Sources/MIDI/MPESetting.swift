import Synth

/// Whether a device plays by MPE, one channel for each note: as it says itself, or as the player says.
public enum MPESetting: Hashable, Sendable, CustomStringConvertible {
  /// Never: plain MIDI, whatever the device says.
  case off
  /// When the device says so, by the MPE configuration message.
  case auto
  /// Always: channel 1 manages so many members above it, 1…15, which bend so many semitones at first, 1…96.
  case lower(UInt8, range: UInt8 = 48)
  /// Always: channel 16 manages so many members below it.
  case upper(UInt8, range: UInt8 = 48)

  /// `off`, `auto`, `lower`, `upper`, or the latter two with their members and the range of those, as `lower-7` or
  /// `lower-15-24`; nil for anything else.
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
  /// Has a source play by MPE as the player says, from now on and until `choose` says otherwise: over resets of the device
  /// and `forget`. What the engine is to be told of it, at `frame`, in this order. To be called when
  /// a source appears, where its events are decoded, between two of them.
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
    // What the device has said goes on.
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

  /// The channel that a channel of a source is managed by, in an MPE zone, or itself.
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
