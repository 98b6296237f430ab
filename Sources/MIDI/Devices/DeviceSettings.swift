/// The player's settings for a device. By default it is played, unless it is the port of a DAW.
public struct DeviceSettings: Hashable, Sendable {
  /// Whether it is played; nil if the rule for known ports decides.
  public var isAllowed: Bool?
  /// Whether it uses MPE; nil for the setting of all devices.
  public var mpe: MPESetting?
  /// Whether the tempo follows its clock.
  public var hasClock = false
  /// Whether it is sent the clock of the beat line, unless its own clock leads.
  public var hasClockOut = false
  /// Whether its lamps and motorized faders are sent the values of the addresses bound to its controllers.
  public var hasFeedback = false
  /// Whether its pads follow the pad file of its model, if there is one.
  public var hasPads = true
  /// The parts that play it.
  public var routes = ChannelRoutes()
  /// The bindings of its controls.
  public var bindings: [Binding] = []

  /// The most bindings of a device.
  public static let mostBindings = 256

  /// The settings of a new device.
  public init() {}

  /// The settings, by the names that `set` takes.
  public static let names = ["play", "mpe", "clock", "clock-out", "feedback", "pads", "parts"]

  /// The value of a setting as text; nil for an unknown name.
  public subscript(name: String) -> String? {
    switch name {
    case "play": isAllowed.map { $0 ? "on" : "off" } ?? "auto"
    case "mpe": mpe.map { "\($0)" } ?? "default"
    case "clock": hasClock ? "on" : "off"
    case "clock-out": hasClockOut ? "on" : "off"
    case "feedback": hasFeedback ? "on" : "off"
    case "pads": hasPads ? "on" : "off"
    case "parts": routes.text
    default: nil
    }
  }

  /// Binds a control; an earlier binding of the control is removed.
  public mutating func bind(_ binding: Binding) {
    bindings.removeAll { $0.hasControl(of: binding) }
    bindings = bindings.suffix(Self.mostBindings - 1) + [binding]
  }

  /// Sets a field by its name in texts. Returns false, and sets nothing, if the name or the value is unknown.
  public mutating func set(_ name: String, to value: String) -> Bool {
    let isOn = ["on", "1"].contains(value) ? true : ["off", "0"].contains(value) ? false : nil
    switch (name, isOn) {
    case ("play", let isOn?): isAllowed = isOn
    case ("play", nil) where value == "auto": isAllowed = nil
    case ("mpe", _):
      let found = MPESetting(value)
      if found == nil, value != "default" { return false }
      mpe = found
    case ("clock", let isOn?): hasClock = isOn
    case ("clock-out", let isOn?): hasClockOut = isOn
    case ("feedback", let isOn?): hasFeedback = isOn
    case ("pads", let isOn?): hasPads = isOn
    case ("parts", _):
      guard let found = ChannelRoutes(value) else { return false }
      routes = found
    default: return false
    }
    return true
  }

  /// The values that a setting may have, in words.
  public static func takes(_ name: String) -> String {
    switch name {
    case "play": "on, off or auto"
    case "mpe": "auto, off, lower, upper, lower-7, or default, as the option mpe has it"
    case "parts": "parts as 1,3; channels with parts as 2:1,3 10:-; or auto"
    default: "on or off"
    }
  }

  /// The settings that differ from the defaults, as `play on, mpe lower`; empty if none does.
  public var text: String {
    let usual = DeviceSettings()
    return Self.names.filter { self[$0] != usual[$0] }.map { "\($0) \(self[$0] ?? "")" }.joined(
      separator: ", ")
  }
}
