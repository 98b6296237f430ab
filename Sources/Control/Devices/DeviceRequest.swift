import MIDI

/// A request about a MIDI device. The MIDI reader carries it out.
public enum DeviceRequest: Sendable, Equatable {
  /// Changes the settings of the device with a number.
  case set(Int, DeviceSettings)
  /// Forgets the device with a number, which must be disconnected.
  case forget(Int)
  /// Replaces the bindings that apply to every device.
  case bindAll([Binding])
  /// Replaces the known devices, their settings and all bindings by those of a stored text.
  case restore(String)
  /// Chooses the clock that the beat line follows.
  case follow(ClockChoice)
  /// Shows values on lamps and motors.
  case show([LampMessage])
}

/// The reason why a request about a device was refused: a sentence without its subject.
public struct DeviceError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
}
