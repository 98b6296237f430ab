import MIDI

/// What the MIDI thread and the control thread have for one another beside events: movements of controls that are bound
/// or may be, and values for their lamps.
struct DeviceInbox: Sendable {
  /// Whether every movement is wanted, not only those that are bound.
  var isLearning = false
  /// Whether something was set for a device that the MIDI thread has not looked at.
  var hasNews = false
  private(set) var movements: [Movement] = []
  private(set) var lamps:
    [(address: Device.Address, channel: UInt8, isNote: Bool, number: UInt8, value: UInt8)] =
      []

  /// So many wait at most; of more the oldest are dropped.
  static let room = 1024

  /// Puts a movement in.
  mutating func put(_ movement: Movement) {
    if movements.count >= Self.room { movements.removeFirst(Self.room / 2) }
    movements.append(movement)
  }

  /// Puts a message for a device in.
  mutating func put(
    lamp address: Device.Address, channel: UInt8, isNote: Bool, _ number: UInt8, _ value: UInt8
  ) {
    if lamps.count >= Self.room { lamps.removeFirst(Self.room / 2) }
    lamps.append((address, channel, isNote, number, value))
  }

  /// Takes all movements out.
  mutating func takeMovements() -> [Movement] {
    defer { movements.removeAll(keepingCapacity: true) }
    return movements
  }

  /// Takes all messages for devices out.
  mutating func takeLamps() -> [(
    address: Device.Address, channel: UInt8, isNote: Bool, number: UInt8, value: UInt8
  )] {
    defer { lamps.removeAll(keepingCapacity: true) }
    return lamps
  }
}
