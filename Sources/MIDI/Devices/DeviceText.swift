// The settings of devices that outlast a restart, as text.

extension DeviceTable {
  private static let head = "pipit devices "
  // The names of an identity's fields, with their key paths.
  private static let words: [(name: String, path: WritableKeyPath<PortIdentity, String> & Sendable)] = [
    ("client", \.client), ("port", \.port), ("usb", \.usb), ("serial", \.serial), ("path", \.path),
  ]
  private static let numbers: [(name: String, path: WritableKeyPath<PortIdentity, Int> & Sendable)] = [
    ("index", \.index), ("ordinal", \.ordinal),
  ]

  /// A version line, a line for each serial number that several devices have and for each binding of every device,
  /// and for each device a line `device` with its id, and lines for its identity, its settings and its bindings.
  public var text: String {
    var text = Self.head + "1\n"
    if clock != .auto { text += "clock \(clock.text)\n" }
    for unit in shared.sorted() { text += "shared \(unit)\n" }
    for binding in bindings { text += "bind \(binding.text)\n" }
    for device in devices {
      text += "device \(device.id)\n"
      for (name, path) in Self.words where !device.identity[keyPath: path].isEmpty {
        text += "\(name) \(Self.line(device.identity[keyPath: path]))\n"
      }
      for (name, path) in Self.numbers where device.identity[keyPath: path] != 0 {
        text += "\(name) \(device.identity[keyPath: path])\n"
      }
      for name in DeviceSettings.names where device.settings[name] != DeviceSettings()[name] {
        text += "set \(name) \(device.settings[name] ?? "")\n"
      }
      for binding in device.settings.bindings { text += "bind \(binding.text)\n" }
    }
    return text
  }

  private static func line(_ name: String) -> String {
    name.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Reads a text. Unknown lines, which a newer pipit may have written, are skipped.
  public init(reading text: String) {
    self.init()
    guard text.hasPrefix(Self.head) else { return }
    var devices: [Device] = []
    var shared: Set<String> = []
    var bindings: [Binding] = []
    var clock = ClockChoice.auto
    for line in text.split(separator: "\n").dropFirst() {
      let word = line.prefix { $0 != " " }
      let rest = String(line.dropFirst(word.count + 1))
      if word == "shared" {
        shared.insert(rest)
      } else if word == "clock" {
        clock = ClockChoice(rest) ?? clock
      } else if word == "device" {
        // The next device gets the number after the highest.
        guard let id = Int(rest), (1..<Int(Int32.max)).contains(id), devices.count < Self.mostDevices,
          !devices.contains(where: { $0.id == id })
        else { break }
        devices.append(Device(id: id, identity: PortIdentity(client: "", port: "")))
      } else if devices.isEmpty {
        if word == "bind", let binding = Binding(rest) { bindings.append(binding) }
      } else {
        devices[devices.count - 1].read(String(word), rest, Self.words, Self.numbers)
      }
    }
    self.init(devices, shared: shared, bindings: bindings)
    follow(clock)
  }
}

extension Device {
  fileprivate mutating func read(
    _ word: String, _ rest: String,
    _ words: [(name: String, path: WritableKeyPath<PortIdentity, String> & Sendable)],
    _ numbers: [(name: String, path: WritableKeyPath<PortIdentity, Int> & Sendable)]
  ) {
    if word == "bind" {
      if let binding = Binding(rest) { settings.bind(binding) }
    } else if word == "set" {
      let name = rest.prefix { $0 != " " }
      _ = settings.set(String(name), to: String(rest.dropFirst(name.count + 1)))
    } else if let path = words.first(where: { $0.name == word })?.path {
      identity[keyPath: path] = rest
    } else if let path = numbers.first(where: { $0.name == word })?.path, let number = Int(rest) {
      identity[keyPath: path] = number
    }
  }
}
