/// The known devices, and which of them are connected. A device that is connected again is recognised by, in this
/// order, its model, serial number and port; its model, socket and port; its names, and its position among the ports
/// with these names.
///
/// A serial number that two connected devices share identifies neither: their settings then belong to their USB sockets.
public struct DeviceTable: Sendable {
  /// By their ids.
  public private(set) var devices: [Device] = []
  /// Bindings for the controls of every device, unless the device has one of its own.
  public private(set) var bindings: [Binding] = []
  /// The clock that the beat line follows.
  public private(set) var clock = ClockChoice.auto
  /// Pad maps of known controller models, those of the player first.
  public private(set) var padMaps: [PadMap] = []
  /// Increases with every change.
  public private(set) var revision = 0
  // Models with serial numbers that several devices have.
  private(set) var shared: Set<String> = []

  /// The most devices that are remembered.
  public static let mostDevices = 64

  /// No device.
  public init() {}

  /// Devices as they were stored, none of them connected.
  init(_ devices: [Device], shared: Set<String>, bindings: [Binding]) {
    self.devices = devices.sorted { $0.id < $1.id }
    (self.shared, self.bindings) = (shared, bindings)
  }

  /// A device by its id.
  public subscript(id: Int) -> Device? { devices.first { $0.id == id } }

  /// The device at an address.
  public subscript(address: Device.Address) -> Device? { devices.first { $0.address == address } }

  /// The device that plays as a source.
  public func device(source: UInt8) -> Device? { devices.first { $0.source == source } }

  /// The device that words name: its id, its name, or a beginning that only one name has.
  public func find(_ words: String) -> Device? {
    if let id = Int(words) { return self[id] }
    let name = words.lowercased()
    let same = devices.filter { $0.identity.name.lowercased() == name }
    // Of two devices with one name, the connected one is meant.
    if let one = only(same) ?? only(same.filter { $0.address != nil }) { return one }
    return same.isEmpty ? only(devices.filter { $0.identity.name.lowercased().hasPrefix(name) }) : nil
  }

  private func only(_ found: [Device]) -> Device? { found.count == 1 ? found[0] : nil }

  // MARK: - Changes

  /// Attaches a port at an address. Returns its device, a known or a new one. A port that is attached there already
  /// under other names was renamed: its device takes the new names, or becomes a known one that has them.
  public mutating func attach(_ identity: PortIdentity, at address: Device.Address) -> Device {
    let present = devices.firstIndex { $0.address == address }
    if let present, devices[present].identity.hasNames(of: identity) { return devices[present] }
    var identity = identity
    let taken = Set(
      devices.filter { ![nil, address].contains($0.address) && $0.identity.hasNames(of: identity) }
        .map(\.identity.ordinal))
    identity.ordinal = (0...taken.count).first { !taken.contains($0) } ?? 0
    let twin = devices.contains {
      $0.address != nil && $0.identity.unit == identity.unit && $0.identity.index == identity.index
        && $0.identity.path != identity.path
    }
    if twin && identity.hasSerial { shared.insert(identity.unit) }
    let position = match(identity) ?? present ?? add(identity)
    if let present, present != position {
      let former = devices[present]
      (devices[position].source, devices[position].reason) = (former.source, former.reason)
      (devices[present].address, devices[present].source, devices[present].reason) = (nil, nil, "")
    }
    devices[position].identity = identity
    devices[position].address = address
    revision += 1
    return devices[position]
  }

  private func match(_ new: PortIdentity) -> Int? {
    func first(_ fits: (PortIdentity) -> Bool) -> Int? {
      devices.firstIndex { $0.address == nil && fits($0.identity) }
    }
    if hasOwnSerial(new), let found = first({ $0.unit == new.unit && $0.index == new.index }) { return found }
    if !new.usb.isEmpty,
      let found = first({
        $0.usb == new.usb && $0.path == new.path && $0.index == new.index && !areDifferent($0, new)
      })
    {
      return found
    }
    return first { $0.hasNames(of: new) && $0.ordinal == new.ordinal && !areDifferent($0, new) }
  }

  private func hasOwnSerial(_ port: PortIdentity) -> Bool {
    !port.usb.isEmpty && port.hasSerial && !shared.contains(port.unit)
  }

  /// Whether two ports certainly belong to different devices.
  private func areDifferent(_ one: PortIdentity, _ other: PortIdentity) -> Bool {
    if !one.usb.isEmpty && !other.usb.isEmpty && one.usb != other.usb { return true }
    return hasOwnSerial(one) && hasOwnSerial(other) && one.serial != other.serial
  }

  private mutating func add(_ identity: PortIdentity) -> Int {
    let id = (devices.map(\.id).max() ?? 0) + 1
    if devices.count >= Self.mostDevices {
      // Removes one without settings, or else the oldest.
      let absent = devices.indices.filter { devices[$0].address == nil }
      let unset = absent.first {
        devices[$0].settings == DeviceSettings() && clock != .device(devices[$0].id)
      }
      if let old = unset ?? absent.first {
        if clock == .device(devices[old].id) { clock = .auto }
        devices.remove(at: old)
      }
    }
    devices.append(Device(id: id, identity: identity))
    return devices.count - 1
  }

  /// Plays the device at an address as a source from now on; if that is nil, the device is not played, for a reason.
  public mutating func play(_ address: Device.Address, as source: UInt8?, reason: String = "") {
    change({ $0.address == address }) { device in
      if device.source == nil, source != nil { device.arrivals += 1 }
      (device.source, device.reason) = (source, source == nil ? reason : "")
    }
  }

  /// Detaches the port at an address.
  public mutating func detach(_ address: Device.Address) { detach { $0 == address } }

  /// Detaches all ports of a client; of all clients when nil.
  public mutating func detach(client: UInt8?) { detach { client == nil || $0.client == client } }

  private mutating func detach(_ isGone: (Device.Address) -> Bool) {
    change({ $0.address.map(isGone) ?? false }) { ($0.address, $0.source, $0.reason) = (nil, nil, "") }
  }

  /// Replaces the bindings of every device.
  public mutating func bind(_ bindings: [Binding]) {
    if bindings == self.bindings { return }
    self.bindings = bindings.suffix(DeviceSettings.mostBindings)
    revision += 1
  }

  /// Replaces the pad maps of controller models. Earlier maps take precedence.
  public mutating func use(_ maps: [PadMap]) {
    padMaps = maps
    revision += 1
  }

  /// The pad map of a device; nil if none is for its model, or its pads are off.
  public func pads(of device: Device) -> PadMap? {
    device.settings.hasPads ? padMaps.first { $0.fits(device.identity) } : nil
  }

  /// Changes whose clock the beat line follows.
  public mutating func follow(_ clock: ClockChoice) {
    if clock == self.clock { return }
    self.clock = clock
    revision += 1
  }

  /// Whether the clock of a device may lead the beat line.
  public func mayLead(_ device: Device) -> Bool {
    switch clock {
    case .auto: device.settings.hasClock
    case .own, .song: false
    case .device(let id): device.id == id
    }
  }

  /// The bindings that a device has: those of this device, and those of every device for other controls.
  public func bindings(of device: Device) -> [Binding] {
    let ofDevice = device.settings.bindings
    return ofDevice
      + bindings.filter { binding in
        !ofDevice.contains { ($0.kind, $0.number) == (binding.kind, binding.number) && $0.meets(binding) }
      }
  }

  /// The bindings of the control that has moved: those of its device, or else those of every device.
  public func bindings(of movement: Movement) -> [(device: Device, binding: Binding)] {
    guard let device = device(source: movement.source) else { return [] }
    let ofDevice = device.settings.bindings.filter { $0.isMoved(by: movement) }
    return (ofDevice.isEmpty ? bindings.filter { $0.isMoved(by: movement) } : ofDevice).map { (device, $0) }
  }

  /// Changes the settings of a device.
  public mutating func set(_ id: Int, _ settings: DeviceSettings) {
    change({ $0.id == id }) { $0.settings = settings }
  }

  /// Forgets a device that is not connected; false when it is connected, or unknown.
  public mutating func forget(_ id: Int) -> Bool {
    guard let position = devices.firstIndex(where: { $0.id == id && $0.address == nil }) else { return false }
    devices.remove(at: position)
    if clock == .device(id) { clock = .auto }
    revision += 1
    return true
  }

  /// Replaces all known devices by saved ones. Devices that are present stay attached and playable.
  public mutating func restore(_ kept: DeviceTable) {
    let before = self
    self = kept
    padMaps = before.padMaps
    for device in before.devices.sorted(by: { $0.identity.ordinal < $1.identity.ordinal }) {
      guard let address = device.address else { continue }
      _ = attach(device.identity, at: address)
      play(address, as: device.source, reason: device.reason)
    }
    revision += before.revision + 1
  }

  private mutating func change(_ isMeant: (Device) -> Bool, _ body: (inout Device) -> Void) {
    for position in devices.indices where isMeant(devices[position]) {
      let before = devices[position]
      body(&devices[position])
      if devices[position] != before { revision += 1 }
    }
  }
}

extension PortIdentity {
  fileprivate func hasNames(of other: PortIdentity) -> Bool { client == other.client && port == other.port }
}

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
