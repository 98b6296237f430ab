import MIDI
import Parameters
import Presets
import Scenes
import Storage
import System

/// The bindings of devices' controls to knobs and actions: which knob a control moves, and which value its lamp
/// shows. Control thread.
public final class Bindings: Feature {
  let writer: SceneWriter
  let devices: Devices
  private let learning: ControlLearn
  private let presets: PartPresets
  private let tempo: TempoSource
  private let performance: Performance
  /// The setups and the setlist, which pedals step through.
  var show: (setups: Setups, setlists: Setlists)?
  private let snapshots: SnapshotButtons
  private var states: [BoundControl: BoundControlState] = [:]
  var lamps = Lamps()

  init(
    _ writer: SceneWriter, _ devices: Devices, _ learning: ControlLearn, _ presets: PartPresets,
    _ tempo: TempoSource, _ performance: Performance, _ snapshots: SnapshotButtons
  ) {
    self.snapshots = snapshots
    (self.writer, self.devices, self.learning) = (writer, devices, learning)
    (self.presets, self.tempo, self.performance) = (presets, tempo, performance)
  }

  func follow(_ change: Change) {
    if change != .devices { return }
    // The controls of a disconnected device may be moved before it returns.
    for control in states.keys where devices.table[control.device]?.source == nil {
      states[control]?.forget()
    }
    lamps.follow(devices.table)
  }

  /// Handles a movement of any control: moves the bound knob, or learns the control. False if the control is neither
  /// bound nor learned.
  /// - Parameter now: CLOCK_MONOTONIC.
  @discardableResult
  public func take(_ movement: Movement, now: Int64) -> Bool {
    if learning.learn(movement, now: now) { return true }
    let bound = devices.table.bindings(of: movement)
    for (device, binding) in bound {
      if binding.isFine && movement.isCoarse { continue }
      if lamps.isEcho(binding, device.id, movement, now) { continue }
      move(binding, device, movement, now)
    }
    return !bound.isEmpty
  }

  private func move(_ binding: Binding, _ device: Device, _ movement: Movement, _ now: Int64) {
    guard let target = BindingTarget(binding.target) else { return }
    let control = BoundControl(device: device.id, binding: binding)
    var state = states[control] ?? BoundControlState()
    defer { states[control] = state }
    switch target {
    case .knob(let row, let part):
      let knob = ParameterID(row: row, part: part ?? writer.focus)
      // A relative or toggling binding starts from the edited sound, to which an edit returns from a comparison.
      if knob.isOfSound, binding.mode.isRelative || binding.mode == .toggle { writer.beforeEdit(knob.part) }
      let kind = writer.kind(row: row)
      guard let value = state.move(binding, to: movement.value, knob, kind, at: writer[knob]) else { return }
      writer.set(knob, to: value)
    case .action(let action, let part):
      if state.isPress(binding, movement.value) { act(action, part ?? writer.focus, now) }
    case .setup(let number):
      guard state.isPress(binding, movement.value), let setups = show?.setups else { return }
      do throws(DocumentError) { try setups.recall(number: number) } catch {
        setups.notices.post("a control \(error)", about: .show, .moment(seconds: 5))
      }
    }
  }

  private func act(_ action: BindingTarget.Action, _ part: Int, _ now: Int64) {
    switch action {
    case .next: presets.step(forward: true, part: part)
    case .previous: presets.step(forward: false, part: part)
    case .tap: tempo.tap(at: now)
    case .panic: performance.play(.panic, source: Limits.songSource, part: 0)
    case .nextSetup: show?.setups.step(forward: true, now: now)
    case .previousSetup: show?.setups.step(forward: false, now: now)
    case .nextEntry: show?.setlists.step(forward: true, now: now)
    case .previousEntry: show?.setlists.step(forward: false, now: now)
    case .nextCue: show?.setlists.stepCue(forward: true)
    case .previousCue: show?.setlists.stepCue(forward: false)
    case .snapshotA, .snapshotB, .snapshotC, .snapshotD, .snapshotE, .snapshotF, .snapshotG, .snapshotH:
      if let index = action.snapshot { snapshots.press(index, part: part, now: now) }
    }
  }
}

/// A control of a device, and one of its bindings.
struct BoundControl: Hashable {
  let device: Int
  let binding: Binding
}

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
