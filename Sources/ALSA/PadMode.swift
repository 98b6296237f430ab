import MIDI

/// Controllers with a file of pads: the messages that put them into the mode that the file is for, and back.
extension MIDIReader {
  /// Sends a played device the `hello` messages of its pads' file, once, or the `bye` messages if it no longer has a
  /// file.
  func updatePadMode(of other: SourceTable.Port) {
    let table = sequencer.devices
    let device = table[other].flatMap { $0.source == nil ? nil : $0 }
    let map = device.flatMap { table.pads(of: $0) }
    if padModes[other] == map { return }
    endPadMode(of: other)
    guard let map, let device else { return }
    padModes[other] = map
    connectOutput(to: other)
    for message in map.hello { port.send(message, to: other) }
    sequencer.log("MIDI: the pads of \(device.identity.name) do what \(map.name) says")
  }

  /// Sends a device the `bye` messages of its pads' file.
  func endPadMode(of other: SourceTable.Port) {
    guard let map = padModes.removeValue(forKey: other) else { return }
    for message in map.bye { port.send(message, to: other) }
    let settings = sequencer.devices[other]?.settings ?? DeviceSettings()
    if !settings.hasFeedback, !settings.hasClockOut { disconnectOutput(from: other) }
  }

  /// Sends every device the `bye` messages of its pads' file.
  func endPadModes() {
    for other in padModes.keys { endPadMode(of: other) }
  }
}
