/// The MPE zones of one device (M1-100 v1.1): channels that together form one instrument. Each member channel has one
/// note and its finger; the manager channel applies to all of them. Channel 0 manages the lower zone, whose members
/// follow it; channel 15 manages the upper zone, whose members go down from 14.
///
/// The decoder and the engine have a copy each, which the same events change in the same way.
public struct MPEZones: Equatable, Sendable {
  /// Number of members of the lower zone, 0…15; 0 for no zone.
  public private(set) var lower: UInt8 = 0
  /// Number of members of the upper zone.
  public private(set) var upper: UInt8 = 0
  /// Initial bend range of members in semitones if the player has configured the zones; 0 if the device has.
  public private(set) var chosenRange: Float = 0
  // Bend ranges of the members of each zone in semitones.
  private var lowerRange = MPEZones.memberRange
  private var upperRange = MPEZones.memberRange

  /// Default bend range of a member in semitones.
  public static var memberRange: Float { @_noLocks get { 48 } }
  /// The widest bend range that an MPE message may ask for, in semitones: eight octaves.
  public static var widestRange: Float { @_noLocks get { 96 } }
  /// Default bend range of a manager in semitones.
  public static var managerRange: Float { @_noLocks get { 2 } }
  /// Channels between the two managers.
  private static var between: UInt8 { @_noLocks get { 14 } }
  private static var last: UInt8 { @_noLocks get { 15 } }

  /// No zones: each channel stands alone.
  @_noLocks public init() {}

  /// True when the player has configured the zones: the device then changes nothing.
  public var isFixed: Bool { @_noLocks get { chosenRange > 0 } }

  /// Bend range of the members in semitones until RPN 0 sets another.
  public var firstRange: Float { @_noLocks get { isFixed ? chosenRange : Self.memberRange } }

  /// Lets the player configure the zones, with an initial bend range of 1…96 semitones for members; 0 lets the device
  /// configure them.
  @_noLocks
  public mutating func choose(range: Float) { chosenRange = max(0, min(range, Self.widestRange)) }

  /// True for a channel that may manage a zone.
  @_noLocks
  public static func canManage(_ channel: UInt8) -> Bool { channel == 0 || channel == last }

  /// The channel whose pedals, programs and parts apply to a channel 0…15: its manager if it is a member, otherwise
  /// itself.
  @_noLocks
  public func zoneManager(of channel: UInt8) -> UInt8 {
    if channel > 0, channel <= lower { return 0 }
    if channel < Self.last, channel &+ upper >= Self.last { return Self.last }
    return channel
  }

  /// True for a member channel, 0…15.
  @_noLocks
  public func isMember(_ channel: UInt8) -> Bool { zoneManager(of: channel) != channel }

  /// Number of members of the zone of a manager, 0 or 15.
  @_noLocks
  public func members(of manager: UInt8) -> UInt8 { manager == 0 ? lower : upper }

  /// Sets the number of members of the zone of a manager, 0 or 15, to 0…15, where 0 means no zone. The other zone shrinks
  /// as needed. The bend range returns to its initial value.
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

  /// Bend range of the members of a manager's zone in semitones.
  @_noLocks
  public func range(manager: UInt8) -> Float { manager == 0 ? lowerRange : upperRange }

  /// Sets the bend range of the members of a manager's zone.
  @_noLocks
  public mutating func setRange(manager: UInt8, _ semitones: Float) {
    if manager == 0 { lowerRange = semitones } else { upperRange = semitones }
  }

  /// The channels of a manager's zone, including the manager, one bit each; none where there is no zone.
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

  /// Resets the zones when the device starts anew: zones of the device are removed, zones of the player return to their
  /// initial state.
  @_noLocks
  public mutating func forget() {
    if !isFixed { (lower, upper) = (0, 0) }
    (lowerRange, upperRange) = (firstRange, firstRange)
  }
}

/// The zones of all sources in the engine. Owned by the link, since they outlive an engine. Audio thread only.
public struct MPEZoneTable: @unchecked Sendable {
  private let zones: UnsafeMutablePointer<MPEZones>

  /// No zones of any source.
  public init() {
    zones = .allocate(capacity: Limits.sources)
    zones.initialize(repeating: MPEZones(), count: Limits.sources)
  }

  /// Frees the memory. Nothing may use it afterwards.
  public func deallocate() { zones.deallocate() }

  /// The zones of a source, 0..<`Limits.sources`, in place.
  @_noLocks
  public subscript(source: UInt8) -> UnsafeMutablePointer<MPEZones> { zones + Int(source) }
}
