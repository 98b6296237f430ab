import Synth

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
