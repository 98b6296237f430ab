import MIDI

/// Messages other than events between the MIDI thread and the control thread: movements of bound controls or, during
/// learning, of all controls; and values for their lamps.
struct DeviceInbox: Sendable {
  /// Whether to collect every movement, and not only those of bound controls.
  var isLearning = false
  /// Whether the settings of a device have changed and the MIDI thread has not applied them yet.
  var hasChangedSettings = false
  private(set) var movements: [Movement] = []
  private(set) var lamps:
    [(address: Device.Address, channel: UInt8, isNote: Bool, number: UInt8, value: UInt8)] =
      []

  /// The maximum number of waiting entries. When it is reached, the oldest half is dropped.
  static let capacity = 1024

  /// Adds a movement.
  mutating func put(_ movement: Movement) {
    if movements.count >= Self.capacity { movements.removeFirst(Self.capacity / 2) }
    movements.append(movement)
  }

  /// Adds a message for a device.
  mutating func put(
    lamp address: Device.Address, channel: UInt8, isNote: Bool, _ number: UInt8, _ value: UInt8
  ) {
    if lamps.count >= Self.capacity { lamps.removeFirst(Self.capacity / 2) }
    lamps.append((address, channel, isNote, number, value))
  }

  /// Removes and returns all movements.
  mutating func takeMovements() -> [Movement] {
    defer { movements.removeAll(keepingCapacity: true) }
    return movements
  }

  /// Removes and returns all messages for devices.
  mutating func takeLamps() -> [(
    address: Device.Address, channel: UInt8, isNote: Bool, number: UInt8, value: UInt8
  )] {
    defer { lamps.removeAll(keepingCapacity: true) }
    return lamps
  }
}
