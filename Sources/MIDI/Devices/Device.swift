/// A MIDI port of a keyboard or of another program, present or known from before: its identity and its settings.
public struct Device: Hashable, Sendable {
  /// The address of a port of the sequencer.
  public struct Address: Hashable, Sendable {
    /// The sequencer's numbers of the client and of its port.
    public var (client, port): (UInt8, UInt8)

    /// A port of a client.
    public init(client: UInt8, port: UInt8) { (self.client, self.port) = (client, port) }
  }

  /// Identifies it for as long as it is known, even after a restart; from 1.
  public let id: Int
  /// The identity of its port, as it was seen last.
  public internal(set) var identity: PortIdentity
  public var settings = DeviceSettings()
  /// The address of its port; nil while it is not connected to the machine.
  public internal(set) var address: Address?
  /// The source of its events; nil while it is not played.
  public internal(set) var source: UInt8?
  /// Why it is connected but not played; empty when it is played.
  public internal(set) var reason = ""
  /// The number of times that it has been connected; each time, its lights are dark at first.
  public internal(set) var arrivals = 0
}

/// The identity of a port of another client, as far as it is known. Client numbers are no part of it: they change
/// with every plug.
public struct PortIdentity: Hashable, Sendable {
  /// The names of the client and of its port, as the sequencer has them.
  public var (client, port): (String, String)
  /// The number of the port in its client.
  public var index: Int
  /// Its index, from 0, among the present ports with these names.
  public var ordinal = 0
  /// Vendor and product of a USB device, as `1235:0102`; empty for other devices.
  public var usb: String
  /// The serial number that it reports; empty for none.
  public var serial: String
  /// The socket that it is in, as the kernel names it: `1-1.2`.
  public var path: String

  /// A port; without `usb` it is known by its names alone.
  public init(
    client: String, port: String, index: Int = 0, usb: String = "", serial: String = "", path: String = ""
  ) {
    (self.client, self.port, self.index) = (client, port, index)
    (self.usb, self.serial, self.path) = (usb, serial, path)
  }

  /// False for a serial number that stands for none: all zeros, or nothing.
  var hasSerial: Bool { serial.contains { $0 != "0" && $0 != " " && $0 != "-" } }

  /// The model and the serial number, which all ports of a device share.
  var unit: String { usb + " " + serial }

  /// For people: the names of client and port, each once.
  public var name: String {
    if port.isEmpty || port == client { return client }
    return port.hasPrefix(client) ? port : "\(client): \(port)"
  }

  /// Its other distinguishing features, for display; empty if it has only a name.
  public var mark: String {
    let words = [usb.isEmpty ? "" : "USB \(usb)", serial.isEmpty ? "" : "serial \(serial)", path]
    return words.filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// Ports of known controllers that are for a DAW: they repeat the keys, or send notes for pads and buttons.
public enum KnownPorts {
  /// Words in the name of a port of hardware that are for a DAW: of Novation, Native Instruments, Arturia, M-Audio,
  /// Akai, Korg and others.
  static let words = ["daw", "mcu", "hui", "mackie", "incontrol", "haken", "transport"]

  /// Controllers whose second port is for a DAW, or for an editor, by the beginning of their names: kernels give both
  /// ports one name.
  static let secondPorts = ["launchkey", "flkey", "keystation", "osmose"]

  /// Why a port is not played unless the player allows it; nil for one that is played. Only the ports of hardware are
  /// known.
  public static func reason(_ port: PortIdentity) -> String? {
    if port.usb.isEmpty { return nil }
    let client = port.client.lowercased()
    let name = port.port.lowercased()
    // The words of the port alone, without the name of the device.
    let rest = name.hasPrefix(client) ? name.dropFirst(client.count) : name[...]
    let spoken = rest.split { !$0.isLetter }.map(String.init)
    let isSecond =
      port.index == 1
      && secondPorts.contains { beginning in
        client.indices.contains { (" " + client)[$0...].hasPrefix(" " + beginning) }
      }
    return isSecond || spoken.contains { words.contains($0) } ? "the port for a DAW" : nil
  }
}

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
