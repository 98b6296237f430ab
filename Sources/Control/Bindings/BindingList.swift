import MIDI
import System

// The list of bindings, for listing and editing.

extension Bindings {
  /// All bindings in the order of the list: first those for every device, whose `device` is nil.
  private var allBindings: [(device: Device?, binding: Binding)] {
    devices.table.bindings.map { (nil, $0) }
      + devices.table.devices.flatMap { device in device.settings.bindings.map { (device, $0) } }
  }

  /// Each binding as a line: its number from 1, the device, the control, the address, the mode and the range,
  /// separated by tabs.
  public var catalog: [String] {
    allBindings.enumerated().map { index, entry in
      let (name, binding) = (entry.device?.identity.name ?? "any", fitted(entry.binding))
      return "\(index + 1)\t\(name)\t\(binding.control)\t\(binding.target)\t\(binding.mode.rawValue)\t"
        + "\(binding.low) to \(binding.high)"
    }
  }

  private func fitted(_ binding: Binding) -> Binding {
    binding.fitted(to: BindingTarget(binding.target)?.kind(writer.names))
  }

  /// Binds a control of a device, or of `any` device, by a line in the format of `Binding.text`. Returns a sentence
  /// about what was done.
  public func bind(_ words: String, _ line: String) throws -> String {
    let binding: Binding
    do throws(BindingError) { binding = fitted(try Binding(reading: line)) } catch {
      throw DeviceError(description: "\(error)")
    }
    if BindingTarget(binding.target) == nil {
      throw DeviceError(
        description:
          "takes as address a knob, \(BindingTarget.actions), not \(quoted(binding.target))"
      )
    }
    if words == "any" {
      let others = devices.table.bindings.filter { !$0.hasControl(of: binding) }
      try devices.ask(.bindAll(others + [binding]), saving: "\(binding.control), \(binding.target)")
      return "\(binding.control) of any device moves \(binding.target)"
    }
    let device = try devices.find(words)
    var settings = device.settings
    settings.bind(binding)
    try devices.ask(.set(device.id, settings), saving: "\(binding.control), \(binding.target)")
    return "\(binding.control) of \(device.identity.name) moves \(binding.target)"
  }

  /// Changes a setting of the binding with a number. Returns a sentence about what was done.
  public func set(_ number: String, _ name: String, to value: String) throws -> String {
    try change(number) { binding in
      guard var changed = binding.map(fitted), changed.set(name, to: value) else {
        guard Binding.names.contains(name) else {
          throw DeviceError(description: "sets mode, low, high or channel, not \(quoted(name))")
        }
        throw DeviceError(description: "takes for \(name): \(Binding.takes(name)), not \(quoted(value))")
      }
      binding = changed
      return "\(changed.control): \(name) \(value)"
    }
  }

  /// Removes the binding with a number. Returns a sentence about what was done.
  public func remove(_ number: String) throws -> String {
    try change(number) { binding in
      defer { binding = nil }
      return "\(binding?.control ?? "") moves \(binding?.target ?? "") no more"
    }
  }

  private func change(_ number: String, _ body: (inout Binding?) throws -> String) throws -> String {
    let all = allBindings
    guard let position = Int(number), (1...max(all.count, 1)).contains(position), position <= all.count else {
      throw DeviceError(description: "finds no binding \(quoted(number)); there are \(all.count)")
    }
    var binding: Binding? = all[position - 1].binding
    let sentence = try body(&binding)
    guard let device = all[position - 1].device else {
      var bindings = devices.table.bindings
      bindings.replaceSubrange(position - 1..<position, with: binding.map { [$0] } ?? [])
      try devices.ask(.bindAll(bindings), saving: sentence)
      return sentence
    }
    var settings = device.settings
    if let index = settings.bindings.firstIndex(of: all[position - 1].binding) {
      settings.bindings.replaceSubrange(index..<index + 1, with: binding.map { [$0] } ?? [])
    }
    try devices.ask(.set(device.id, settings), saving: sentence)
    return sentence
  }
}
