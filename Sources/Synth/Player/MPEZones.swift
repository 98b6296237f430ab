/// The MPE zones of one device (M1-100 v1.1): channels that are one instrument. Each member channel has one note and its
/// finger; the manager channel speaks for all of them. Channel 0 manages the lower zone, whose members follow it;
/// channel 15 the upper one, whose members go down from 14.
///
/// The decoder and the engine have one each, which the same events change in the same way.
public struct MPEZones: Equatable, Sendable {
  /// Members of the lower zone, 0…15; 0 where there is none.
  public private(set) var lower: UInt8 = 0
  /// Members of the upper zone.
  public private(set) var upper: UInt8 = 0
  /// Where the player has chosen them, and not the device, semitones that members bend at first; else 0.
  public private(set) var chosenRange: Float = 0
  // How far the members of each bend, semitones.
  private var lowerRange = MPEZones.memberRange
  private var upperRange = MPEZones.memberRange

  /// Semitones that a member bends, and a manager, where nobody says otherwise.
  public static var memberRange: Float { @_noLocks get { 48 } }
  public static var managerRange: Float { @_noLocks get { 2 } }
  /// Channels between the two managers.
  private static var between: UInt8 { @_noLocks get { 14 } }
  private static var last: UInt8 { @_noLocks get { 15 } }

  /// No zones: each channel is by itself.
  @_noLocks public init() {}

  /// True where the player has chosen them: then the device changes nothing.
  public var isFixed: Bool { @_noLocks get { chosenRange > 0 } }

  /// Semitones that the members bend until RPN 0 says otherwise.
  public var firstRange: Float { @_noLocks get { isFixed ? chosenRange : Self.memberRange } }

  /// From now on they are the player's, with a range for members, 1…96 semitones; with 0 the device's.
  @_noLocks
  public mutating func choose(range: Float) { chosenRange = max(0, min(range, ControllerState.widestBend)) }

  /// True for the channels that may manage a zone.
  @_noLocks
  public static func canManage(_ channel: UInt8) -> Bool { channel == 0 || channel == last }

  /// The channel whose pedals, programs and parts a channel, 0…15, has: its manager's, if it is a member, or its own.
  @_noLocks
  public func zoneManager(of channel: UInt8) -> UInt8 {
    if channel > 0, channel <= lower { return 0 }
    if channel < Self.last, channel &+ upper >= Self.last { return Self.last }
    return channel
  }

  /// True for a channel, 0…15, whose manager is another.
  @_noLocks
  public func isMember(_ channel: UInt8) -> Bool { zoneManager(of: channel) != channel }

  /// Members of the zone of a manager, 0 or 15.
  @_noLocks
  public func members(of manager: UInt8) -> UInt8 { manager == 0 ? lower : upper }

  /// Gives the zone of a manager, 0 or 15, so many members, 0…15; 0 is none. The other zone gives up what is needed. The
  /// ranges are what they are at first.
  @_noLocks
  public mutating func set(manager: UInt8, members: UInt8) {
    let members = min(members, Self.last)
    let rest = members > Self.between ? 0 : Self.between - members
    if manager == 0 {
      (lower, lowerRange) = (members, firstRange)
      if members > 0 { upper = min(upper, rest) }
    } else {
      (upper, upperRange) = (members, firstRange)
      if members > 0 { lower = min(lower, rest) }
    }
  }

  /// How far the members of a manager's zone bend, semitones.
  @_noLocks
  func range(manager: UInt8) -> Float { manager == 0 ? lowerRange : upperRange }

  /// Sets it.
  @_noLocks
  mutating func setRange(manager: UInt8, _ semitones: Float) {
    if manager == 0 { lowerRange = semitones } else { upperRange = semitones }
  }

  /// The channels of a manager's zone, its own among them, one bit each; none where there is no zone.
  @_noLocks
  public func channels(manager: UInt8) -> UInt32 {
    let members = UInt32(members(of: manager))
    if members == 0 { return 0 }
    let all: UInt32 = (2 << members) &- 1
    return manager == 0 ? all : all << (UInt32(Self.last) - members)
  }

  /// The channels of both zones, one bit each.
  public var channels: UInt32 {
    @_noLocks get { channels(manager: 0) | channels(manager: Self.last) }
  }

  /// The device begins anew: the zones that it has made are gone, those of the player are as at first.
  @_noLocks
  public mutating func forget() {
    if !isFixed { (lower, upper) = (0, 0) }
    (lowerRange, upperRange) = (firstRange, firstRange)
  }
}

/// The zones of all sources, as the engine knows them: of the link, since they outlive an engine. Audio thread only.
struct MPEZoneTable: @unchecked Sendable {
  private let zones: UnsafeMutablePointer<MPEZones>

  init() {
    zones = .allocate(capacity: Limits.sources)
    zones.initialize(repeating: MPEZones(), count: Limits.sources)
  }

  func deallocate() { zones.deallocate() }

  /// Those of a source, 0..<`Limits.sources`, in place.
  @_noLocks
  subscript(source: UInt8) -> UnsafeMutablePointer<MPEZones> { zones + Int(source) }
}
