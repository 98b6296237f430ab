import MIDI
import Parameters
import Synth
import System

// Learning by touching and turning, as surfaces see it.

extension Control {
  /// For so long nothing may happen before learning ends by itself, nanoseconds.
  static let learnPatience: Int64 = 30_000_000_000

  /// As many letters as the button on a tablet shows.
  static let learnLetters = 16

  /// 0 when nothing is learned, 1 when a control is bound next, 2 when one loses its bindings.
  public var learnState: Int {
    switch learning.step {
    case .off: 0
    case .touch, .move: 1
    case .forget: 2
    }
  }

  /// What is to be done next to learn, or what was learned; empty for nothing.
  public var learnText: String {
    switch learning.step {
    case .off: ""
    case .touch: learned.isEmpty ? "touch a fader" : learned
    case .move(let target): "\(target.words(2).prefix(Control.learnLetters - 1))…"
    case .forget: learned.isEmpty ? "touch to forget" : learned
    }
  }

  /// Begins to learn, goes on to forgetting, or ends both.
  /// - Parameter now: CLOCK_MONOTONIC; what is pressed twice within a quarter of a second is a packet that was doubled.
  public func pressLearn(now: Int64) {
    if isDoubled("learn", now) { return }
    switch learning.step {
    case .off: goLearn(.touch, now)
    case .touch, .move: goLearn(.forget, now)
    case .forget: goLearn(.off, now)
    }
  }

  /// Has the next control that is touched or moved lose its bindings, or no more.
  public func pressUnlearn(now: Int64) {
    if isDoubled("unlearn", now) { return }
    goLearn(learning.step == .forget ? .off : .forget, now)
  }

  /// A hand has touched an address of a surface. True when that was for learning alone, and is not to be done.
  public func touch(_ address: String, now: Int64) -> Bool {
    if learning.step == .off { return false }
    guard let target = BindingTarget(address) else { return false }
    if learning.step == .forget {
      unlearn(now) { BindingTarget($0.target) == target }
    } else {
      goLearn(.move(target), now)
    }
    // Panic is never put off.
    if case .action(let action, _) = target { return action != .panic }
    return false
  }

  func goLearn(_ step: Learning.Step, _ now: Int64) {
    if step != learning.step { learned = "" }
    learning.go(to: step)
    learnEnd = step == .off ? nil : now + Control.learnPatience
    changed(.learning)
  }

  /// Ends what nobody goes on with.
  func endLearning(at now: Int64) {
    if let end = learnEnd, now >= end { goLearn(.off, now) }
  }

  /// A movement while something is learned; true when it was for that alone.
  func learn(_ movement: Movement, now: Int64) -> Bool {
    switch learning.step {
    case .off, .touch: return false
    case .forget:
      unlearn(now) { $0.isMoved(by: movement) }
      return true
    case .move:
      guard let device = devices.device(source: movement.source), let binding = learning.take(movement) else {
        return true
      }
      var settings = device.settings
      settings.bind(binding)
      askDevice?(.set(device.id, settings))
      goLearn(.touch, now)
      let moved = BindingTarget(binding.target)?.words(1) ?? ""
      learned = String("\(binding.kind.rawValue) \(binding.number): \(moved)".prefix(Control.learnLetters))
      let text = "\(binding.target) is moved by \(binding.control) of \(device.identity.name)"
      notify(text, about: .learning, .moment(seconds: 5))
      changed(.learning)
      return true
    }
  }

  /// Takes away the bindings that are meant, of all devices.
  private func unlearn(_ now: Int64, _ isMeant: (Binding) -> Bool) {
    learnEnd = now + Control.learnPatience
    var count = 0
    for device in devices.devices where device.settings.bindings.contains(where: isMeant) {
      var settings = device.settings
      count += settings.bindings.count(where: isMeant)
      settings.bindings.removeAll(where: isMeant)
      askDevice?(.set(device.id, settings))
    }
    if devices.bindings.contains(where: isMeant) {
      count += devices.bindings.count(where: isMeant)
      askDevice?(.bindAll(devices.bindings.filter { !isMeant($0) }))
    }
    if count == 0 { return }
    learned = "\(count) forgotten"
    changed(.learning)
  }
}

extension BindingTarget {
  /// The last words of its address, for a small label.
  func words(_ count: Int) -> String {
    address.split(separator: "/").suffix(count).joined(separator: " ")
  }
}
