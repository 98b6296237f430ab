import MIDI
import Scenes
import System

/// The known keyboards and other MIDI devices, and their settings. Control thread.
public final class Devices {
  private let writer: SceneWriter
  private let saving: SavingNotice

  /// The known devices. The MIDI reader keeps the table up to date.
  public var table = DeviceTable() {
    didSet {
      writer.stage.setRoutes(of: table)
      writer.changed(.devices)
    }
  }
  /// Carries out requests about devices; nil if there is no MIDI reader.
  public weak var handler: (any RequestHandler<DeviceRequest>)?
  /// Whether changes of the table are stored; false if the stored table could not be read.
  public var isStored = true

  init(_ writer: SceneWriter, _ saving: SavingNotice) { (self.writer, self.saving) = (writer, saving) }

  /// Each device as a line: its number, its state, its name, its identity, the parts that play it, its settings, and
  /// the file of its pads, separated by tabs.
  public var catalog: [String] {
    table.devices.map { device in
      [
        "\(device.id)", device.state, device.identity.name, device.identity.mark,
        device.source == nil ? "" : listeners(device), device.settings.text,
        table.pads(of: device)?.name ?? "",
      ].tabbedLine
    }
  }

  /// The parts that play a device, such as `1, 3 (channel 2)`, or `none`.
  private func listeners(_ device: Device) -> String {
    let words = (0..<Limits.parts).compactMap { part -> String? in
      let channels = (0..<Limits.channels).filter { channel in
        device.settings.routes[channel].map { $0 >> UInt8(part) & 1 != 0 }
          ?? (writer.stage.scene[part].strip.channels >> UInt32(channel) & 1 != 0)
      }
      if channels.isEmpty { return nil }
      if channels.count == Limits.channels { return "\(part + 1)" }
      let numbers = channels.map { "\($0 + 1)" }.joined(separator: ", ")
      return "\(part + 1) (channel\(channels.count == 1 ? "" : "s") \(numbers))"
    }
    return words.isEmpty ? "none" : words.joined(separator: ", ")
  }

  /// Changes a setting of a device, given by its number, its name or the beginning of its name. Returns a sentence
  /// about what was done.
  public func set(_ words: String, _ name: String, to value: String) throws -> String {
    let device = try find(words)
    guard DeviceSettings.names.contains(name) else {
      throw DeviceError(
        description: "sets one of \(DeviceSettings.names.joined(separator: ", ")), not \(quoted(name))")
    }
    var settings = device.settings
    guard settings.set(name, to: value) else {
      throw DeviceError(
        description: "takes for \(name): \(DeviceSettings.takes(name)), not \(quoted(value))")
    }
    let words = "\(device.identity.name): \(name) \(settings[name] ?? "")"
    try ask(.set(device.id, settings), saving: words)
    return words
  }

  /// Whose clock the beat line follows: `auto`, `own`, `song`, or the name of a device.
  public var clockSource: String {
    guard case .device(let id) = table.clock else { return table.clock.text }
    return table[id]?.identity.name ?? table.clock.text
  }

  /// Chooses whose clock the beat line follows: `auto`, `own`, `song`, or a device by its number, its name or the
  /// beginning of its name.
  public func follow(clock words: String) throws {
    let clock: ClockChoice =
      switch words {
      case "auto": .auto
      case "own": .own
      case "song": .song
      default: .device(try find(words).id)
      }
    try ask(.follow(clock), saving: "choice of the clock")
  }

  /// Shows values on lamps and lights. Nothing happens without a MIDI reader.
  public func show(_ messages: [LampMessage]) { try? ask(.show(messages), saving: nil) }

  /// Forgets a disconnected device. Returns a sentence about what was done.
  public func forget(_ words: String) throws -> String {
    let device = try find(words)
    if device.address != nil {
      throw DeviceError(
        description: "\(device.identity.name) is plugged in, and would be known again at once")
    }
    try ask(.forget(device.id), saving: "\(device.identity.name) forgotten")
    return "\(device.identity.name) is forgotten"
  }

  /// The device with a number or a name. Throws if there is none, or more than one.
  func find(_ words: String) throws -> Device {
    if let device = table.find(words) { return device }
    let names = table.devices.map { "\($0.id) \($0.identity.name)" }.joined(separator: "; ")
    throw DeviceError(
      description: "no device, or several, begin with \(quoted(words)); there is "
        + (names.isEmpty ? "none" : names))
  }

  /// Passes a request to the handler. Throws if it is refused.
  /// - Parameter what: What the request changes and stores, for the notice of its saving; nil if nothing.
  func ask(_ request: DeviceRequest, saving what: String?) throws(RequestRefused) {
    guard let handler else { throw RequestRefused("reads no MIDI here") }
    if let reason = handler.handle(request) { throw RequestRefused(reason) }
    if let what { saving.post(change: what, isKept: isStored) }
  }
}

extension Device {
  /// The state of the device, for people.
  fileprivate var state: String {
    if source != nil { return "played" }
    return address == nil ? "not there" : reason.isEmpty ? "not connected" : reason
  }
}

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
