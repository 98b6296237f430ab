import MIDI
import Parameters
import Presets
import Synth
import System

// What the controls of keyboards are bound to: moved, listed, changed.

extension Control {
  /// Takes a movement of a control that is bound, or of any while something is learned.
  /// - Parameter now: CLOCK_MONOTONIC.
  public func take(_ movement: Movement, now: Int64) {
    if learn(movement, now: now) { return }
    for (device, binding) in devices.bindings(of: movement) {
      if binding.isFine && movement.isCoarse { continue }
      if lamps.isEcho(binding, device.id, movement, now) { continue }
      move(binding, device, movement, now)
    }
  }

  private func move(_ binding: Binding, _ device: Device, _ movement: Movement, _ now: Int64) {
    guard let target = BindingTarget(binding.target) else { return }
    let place = BoundControl(device: device.id, binding: binding)
    var hand = hands[place] ?? BoundHand()
    defer { hands[place] = hand }
    switch target {
    case .knob(let row, let part):
      let knob = Knob(row: row, part: part ?? focus)
      guard let value = hand.move(binding, to: movement.value, knob, at: stage.scene[knob]) else { return }
      set(knob, to: value)
    case .action(let action, let part):
      if hand.isPress(binding, movement.value) { act(action, part ?? focus, now) }
    }
  }

  private func act(_ action: BindingTarget.Action, _ part: Int, _ now: Int64) {
    switch action {
    case .next: step(forward: true, part: part)
    case .previous: step(forward: false, part: part)
    case .tap: tapTempo(at: now)
    case .panic: play(.panic, source: Limits.songSource, part: 0)
    }
  }

  /// Forgets where the hands of devices are that have gone.
  func forgetHands() {
    for place in hands.keys where devices[place.device]?.source == nil { hands[place]?.forget() }
  }

  // MARK: - The list

  /// All bindings in the order of the list, those of every device first; their device is nil.
  private var allBindings: [(device: Device?, binding: Binding)] {
    devices.bindings.map { (nil, $0) }
      + devices.devices.flatMap { device in device.settings.bindings.map { (device, $0) } }
  }

  /// Each binding in a line: its number from 1, the device, what is moved on it, the address, how, and the ends of the
  /// way, with tabs between.
  public var bindingCatalog: [String] {
    allBindings.enumerated().map { index, entry in
      let (name, binding) = (entry.device?.identity.name ?? "any", entry.binding)
      return "\(index + 1)\t\(name)\t\(binding.control)\t\(binding.target)\t\(binding.mode.rawValue)\t"
        + "\(binding.low) to \(binding.high)"
    }
  }

  /// Binds a control of a device, or of `any`, by a line as `Binding.text` writes it. What was done, as a sentence.
  public func bind(_ words: String, _ line: String) throws -> String {
    let binding: Binding
    do throws(BindingError) { binding = try Binding(reading: line) } catch {
      throw DeviceError(description: "\(error)")
    }
    if BindingTarget(binding.target) == nil {
      throw DeviceError(
        description:
          "takes as address a knob, /preset/next, /preset/previous, /tempo/tap or /panic, not \(quoted(binding.target))"
      )
    }
    if words == "any" {
      let others = devices.bindings.filter { !$0.hasControl(of: binding) }
      try ask(.bindAll(others + [binding]))
      return "\(binding.control) of any device moves \(binding.target)"
    }
    let device = try device(words)
    var settings = device.settings
    settings.bind(binding)
    try ask(.set(device.id, settings))
    return "\(binding.control) of \(device.identity.name) moves \(binding.target)"
  }

  /// Sets something of the binding of that number. What was done, as a sentence.
  public func setBinding(_ number: String, _ name: String, to value: String) throws -> String {
    try change(number) { binding in
      guard var changed = binding, changed.set(name, to: value) else {
        guard Binding.names.contains(name) else {
          throw DeviceError(description: "sets mode, low, high or channel, not \(quoted(name))")
        }
        throw DeviceError(description: "takes for \(name): \(Binding.takes(name)), not \(quoted(value))")
      }
      binding = changed
      return "\(changed.control): \(name) \(value)"
    }
  }

  /// Removes the binding of that number. What was done, as a sentence.
  public func removeBinding(_ number: String) throws -> String {
    try change(number) { binding in
      defer { binding = nil }
      return "\(binding?.control ?? "") moves \(binding?.target ?? "") no more"
    }
  }

  private func change(_ number: String, _ body: (inout Binding?) throws -> String) throws -> String {
    let all = allBindings
    guard let place = Int(number), (1...max(all.count, 1)).contains(place), place <= all.count else {
      throw DeviceError(description: "finds no binding \(quoted(number)); there are \(all.count)")
    }
    var binding: Binding? = all[place - 1].binding
    let sentence = try body(&binding)
    guard let device = all[place - 1].device else {
      var bindings = devices.bindings
      bindings.replaceSubrange(place - 1..<place, with: binding.map { [$0] } ?? [])
      try ask(.bindAll(bindings))
      return sentence
    }
    var settings = device.settings
    if let index = settings.bindings.firstIndex(of: all[place - 1].binding) {
      settings.bindings.replaceSubrange(index..<index + 1, with: binding.map { [$0] } ?? [])
    }
    try ask(.set(device.id, settings))
    return sentence
  }
}

/// A control of a device with what it is bound to.
struct BoundControl: Hashable {
  let device: Int
  let binding: Binding
}
