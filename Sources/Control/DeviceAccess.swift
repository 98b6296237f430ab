import MIDI
import Synth
import System

/// What a surface asks about a keyboard.
public enum DeviceRequest: Sendable, Equatable {
  /// From now on this is set for the device of that id.
  case set(Int, DeviceSettings)
  /// The device of that id, which is not there, is forgotten.
  case forget(Int)
  /// From now on these are the bindings of every device.
  case bindAll([Binding])
}

/// Why something could not be done with a keyboard, as a sentence without its subject.
public struct DeviceError: Error, CustomStringConvertible {
  /// The reason.
  public let description: String
}

extension Control {
  /// Each device in a line: its id, whether it is played, its name, what it is known by, which parts hear it, and what
  /// was set for it, with tabs between.
  public var deviceCatalog: [String] {
    devices.devices.map { device in
      [
        "\(device.id)", device.state, device.identity.name, device.identity.mark,
        device.source == nil ? "" : listeners(device), device.settings.text,
      ].map { $0.split(separator: "\t").joined(separator: " ") }.joined(separator: "\t")
    }
  }

  /// The parts that hear a device, as `1, 3 (channel 2)`; `none` for none.
  private func listeners(_ device: Device) -> String {
    let words = (0..<Limits.parts).compactMap { part -> String? in
      let channels = (0..<Limits.channels).filter { channel in
        device.settings.routes[channel].map { $0 >> UInt8(part) & 1 != 0 }
          ?? (stage.scene[part].strip.channels >> UInt32(channel) & 1 != 0)
      }
      if channels.isEmpty { return nil }
      if channels.count == Limits.channels { return "\(part + 1)" }
      let numbers = channels.map { "\($0 + 1)" }.joined(separator: ", ")
      return "\(part + 1) (channel\(channels.count == 1 ? "" : "s") \(numbers))"
    }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  /// Sets something for a device that words mean. What was done, as a sentence.
  public func setDevice(_ words: String, _ name: String, to value: String) throws -> String {
    let device = try device(words)
    guard DeviceSettings.names.contains(name) else {
      throw DeviceError(
        description: "sets one of \(DeviceSettings.names.joined(separator: ", ")), not \(quoted(name))")
    }
    var settings = device.settings
    guard settings.set(name, to: value) else {
      throw DeviceError(
        description: "takes for \(name): \(DeviceSettings.takes(name)), not \(quoted(value))")
    }
    try ask(.set(device.id, settings))
    return "\(device.identity.name): \(name) \(settings[name] ?? "")"
  }

  /// Forgets a device that is not there. What was done, as a sentence.
  public func forgetDevice(_ words: String) throws -> String {
    let device = try device(words)
    if device.place != nil {
      throw DeviceError(
        description: "\(device.identity.name) is plugged in, and would be known again at once")
    }
    try ask(.forget(device.id))
    return "\(device.identity.name) is forgotten"
  }

  func device(_ words: String) throws -> Device {
    if let device = devices.find(words) { return device }
    let names = devices.devices.map { "\($0.id) \($0.identity.name)" }.joined(separator: "; ")
    throw DeviceError(
      description: "no device, or several, begin with \(quoted(words)); there is "
        + (names.isEmpty ? "none" : names))
  }

  func ask(_ request: DeviceRequest) throws {
    guard let askDevice else { throw DeviceError(description: "reads no MIDI here") }
    askDevice(request)
  }
}

extension Device {
  /// Whether it is played, for people.
  fileprivate var state: String {
    if source != nil { return "played" }
    return place == nil ? "not there" : reason.isEmpty ? "not connected" : reason
  }
}
