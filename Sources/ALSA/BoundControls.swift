import MIDI

/// Which controls of which sources are bound: their messages go to the control thread alone.
struct BoundControls {
  private struct Control: Hashable {
    let source: UInt8
    let kind: Binding.Kind
    let number: UInt16
    let channel: UInt8?
  }
  private var controls: Set<Control> = []

  // Wheels, volumes, pedals, and the controllers that move what is heard from what the sound has.
  private static let held: Set<UInt16> = Set([1, 2, 7, 8, 11] + Array(64...69) + Array(71...79))

  /// None.
  init() {}

  /// Those of the devices that are there.
  init(_ devices: DeviceTable) {
    for device in devices.devices {
      guard let source = device.source else { continue }
      for binding in devices.bindings + device.settings.bindings {
        controls.insert(
          Control(source: source, kind: binding.kind, number: binding.number, channel: binding.channel))
      }
    }
  }

  /// No control is bound.
  var isEmpty: Bool { controls.isEmpty }

  /// Whether a movement is of one of them.
  func contains(_ movement: Movement) -> Bool {
    if isEmpty { return false }
    func has(_ channel: UInt8?) -> Bool {
      controls.contains(
        Control(
          source: movement.source, kind: movement.kind, number: movement.number, channel: channel))
    }
    return has(nil) || has(movement.channel)
  }

  /// The sources of which a control is bound now that was not before, and that may hold something: a key, a wheel, a pedal,
  /// a sound controller.
  func heldSources(since before: BoundControls) -> Set<UInt8> {
    Set(
      controls.subtracting(before.controls).filter { control in
        switch control.kind {
        case .controller: Self.held.contains(control.number)
        case .parameter, .program: false
        case .note, .keyPressure, .pressure, .bend: true
        }
      }.map(\.source))
  }
}
