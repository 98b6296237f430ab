import MIDI

/// A request about a keyboard, carried out by whoever reads MIDI.
public enum DeviceRequest: Sendable, Equatable {
  /// Gives the device with that number new settings.
  case set(Int, DeviceSettings)
  /// Forgets the device with that number, which is not plugged in.
  case forget(Int)
  /// Replaces the bindings that hold for every device.
  case bindAll([Binding])
  /// Shows values on lamps and motors.
  case show([LampMessage])
}

/// Why something could not be done with a device: a sentence without its subject.
public struct DeviceError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
}
