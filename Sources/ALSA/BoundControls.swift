import MIDI

/// The controls that are bound, and the pads, by source. Their messages go to the control thread only.
struct BoundControls {
  private struct Control: Hashable {
    let source: UInt8
    let kind: Binding.Kind
    let number: UInt16
    let channel: UInt8?
  }
  private var controls: Set<Control> = []

  // Controllers whose value lasts: wheels, volumes, pedals, and the sound controllers that offset parameters.
  private static let held: Set<UInt16> = Set([1, 2, 7, 8, 11, 91, 92, 93] + Array(64...69) + Array(71...79))

  /// No bound controls.
  init() {}

  /// The bound controls and the pads of the connected devices.
  init(_ devices: DeviceTable) {
    for device in devices.devices {
      guard let source = device.source else { continue }
      for binding in devices.bindings + device.settings.bindings {
        controls.insert(
          Control(source: source, kind: binding.kind, number: binding.number, channel: binding.channel))
      }
      for pad in devices.pads(of: device)?.pads ?? [] {
        // A pad that plays no note has no pressure either.
        for kind in pad.kind == .note ? [pad.kind, .keyPressure] : [pad.kind] {
          controls.insert(Control(source: source, kind: kind, number: pad.number, channel: pad.channel))
        }
      }
    }
  }

  /// True if no control is bound.
  var isEmpty: Bool { controls.isEmpty }

  /// Whether a movement comes from a bound control.
  func contains(_ movement: Movement) -> Bool {
    if isEmpty { return false }
    func has(_ channel: UInt8?) -> Bool {
      controls.contains(
        Control(
          source: movement.source, kind: movement.kind, number: movement.number, channel: channel))
    }
    return has(nil) || has(movement.channel)
  }

  /// The sources with a newly bound control that may hold something: a key, a wheel, a pedal or a sound controller.
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
