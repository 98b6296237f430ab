import MIDI
import Parameters
import Synth
import System

/// Learning of bindings: a fader is touched on the tablet, and then a control is moved on a keyboard. Control thread.
public final class ControlLearn: Feature {
  private let writer: SceneWriter
  private let devices: Devices
  private let notices: NoticeBoard
  private var learned = LearnedBinding()
  // The last result; empty if there is none.
  private var result = ""
  // When learning times out, CLOCK_MONOTONIC; nil while nothing is learned.
  private var end: Int64?

  /// How long learning waits for the next touch or movement, nanoseconds.
  static let timeout: Int64 = 30_000_000_000

  /// The number of letters that fit on a tablet's button.
  static let letters = 16

  init(_ writer: SceneWriter, _ devices: Devices, _ notices: NoticeBoard) {
    (self.writer, self.devices, self.notices) = (writer, devices, notices)
  }

  /// 0 while nothing is learned, 1 if the next control will be bound, 2 if the next control will lose its bindings.
  public var state: Int {
    switch learned.step {
    case .off: 0
    case .touch, .move: 1
    case .forget: 2
    }
  }

  /// The next thing to do, or the last result; empty while nothing is learned.
  public var text: String {
    switch learned.step {
    case .off: ""
    case .touch: result.isEmpty ? "touch a fader" : result
    case .move(let target): "\(target.words(2).prefix(ControlLearn.letters - 1))…"
    case .forget: result.isEmpty ? "touch to forget" : result
    }
  }

  /// Begins to learn, changes from learning to forgetting, or ends both.
  /// - Parameter now: CLOCK_MONOTONIC; a second press within a quarter of a second is a packet that the network has
  ///   duplicated.
  public func press(now: Int64) {
    if writer.isDuplicate("learn", now) { return }
    switch learned.step {
    case .off: go(.touch, now)
    case .touch, .move: go(.forget, now)
    case .forget: go(.off, now)
    }
  }

  /// Removes the bindings of the next control that is touched or moved. A second call cancels that.
  public func pressUnlearn(now: Int64) {
    if writer.isDuplicate("unlearn", now) { return }
    go(learned.step == .forget ? .off : .forget, now)
  }

  /// Handles a touch of an address on a surface. True if the touch was only for learning, and must not act.
  public func touch(_ address: String, now: Int64) -> Bool {
    if learned.step == .off { return false }
    guard let target = BindingTarget(address) else { return false }
    if learned.step == .forget {
      unlearn(now) { BindingTarget($0.target) == target }
    } else {
      go(.move(target), now)
    }
    switch target {
    // Panic always acts.
    case .action(let action, _): return action != .panic
    case .setup: return true
    case .knob: return false
    }
  }

  private func go(_ step: LearnedBinding.Step, _ now: Int64) {
    if step != learned.step { result = "" }
    learned.go(to: step)
    end = step == .off ? nil : now + ControlLearn.timeout
    writer.changed(.learning)
  }

  func update(_ now: Int64) -> Int64? {
    if let end, now >= end { go(.off, now) }
    return end
  }

  /// Handles a movement while something is learned. True if the movement was only for learning, and must not act.
  func learn(_ movement: Movement, now: Int64) -> Bool {
    switch learned.step {
    case .off, .touch: return false
    case .forget:
      unlearn(now) { $0.isMoved(by: movement) }
      return true
    case .move:
      guard let device = devices.table.device(source: movement.source), let taken = learned.take(movement)
      else {
        return true
      }
      let binding = taken.fitted(to: BindingTarget(taken.target)?.kind(writer.names))
      var settings = device.settings
      settings.bind(binding)
      try? devices.ask(.set(device.id, settings), saving: "\(binding.control), \(binding.target)")
      go(.touch, now)
      let moved = BindingTarget(binding.target)?.words(1) ?? ""
      result = String("\(binding.kind.rawValue) \(binding.number): \(moved)".prefix(ControlLearn.letters))
      let text = "\(binding.target) is moved by \(binding.control) of \(device.identity.name)"
      notices.post(text, about: .learning, .moment(seconds: 5))
      writer.changed(.learning)
      return true
    }
  }

  /// Removes the matching bindings of all devices.
  private func unlearn(_ now: Int64, matching isMatch: (Binding) -> Bool) {
    end = now + ControlLearn.timeout
    var count = 0
    for device in devices.table.devices where device.settings.bindings.contains(where: isMatch) {
      var settings = device.settings
      count += settings.bindings.count(where: isMatch)
      settings.bindings.removeAll(where: isMatch)
      try? devices.ask(.set(device.id, settings), saving: "\(count) forgotten")
    }
    if devices.table.bindings.contains(where: isMatch) {
      count += devices.table.bindings.count(where: isMatch)
      try? devices.ask(
        .bindAll(devices.table.bindings.filter { !isMatch($0) }), saving: "\(count) forgotten")
    }
    if count == 0 { return }
    result = "\(count) forgotten"
    writer.changed(.learning)
  }
}

extension BindingTarget {
  /// The last words of its address, for a small label.
  func words(_ count: Int) -> String {
    address.split(separator: "/").suffix(count).joined(separator: " ")
  }
}
