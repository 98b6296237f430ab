import MIDI
import Parameters
import Scenes
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

/// A binding that is being learned: first its target is touched, then its control is moved. A value type that reads
/// no clock.
struct LearnedBinding: Equatable {
  enum Step: Equatable {
    case off
    /// A control of the tablet must be touched.
    case touch
    /// A control of a keyboard must be moved, for this target.
    case move(BindingTarget)
    /// The next control that is touched or moved loses its bindings.
    case forget
  }

  private struct Candidate: Hashable {
    let (source, channel): (UInt8, UInt8)
    let kind: Binding.Kind
    let number: UInt16
  }

  private(set) var step = Step.off
  // The controls that have been moved so far, with the values that each has sent.
  private var candidates: [Candidate: [UInt8]] = [:]
  private var fine: Set<Candidate> = []

  /// Changes to a step, unless it is the current one.
  mutating func go(to next: Step) {
    if step == next { return }
    (step, candidates, fine) = (next, [:], [])
  }

  /// Handles a movement. Returns the binding once it is clear which control was moved, and in which mode: a knob has
  /// sent three values, a switch was pressed and released, or an endless knob has sent one value several times.
  mutating func take(_ movement: Movement) -> Binding? {
    guard case .move(let target) = step, !movement.isCoarse else { return nil }
    let candidate = Candidate(
      source: movement.source, channel: movement.channel, kind: movement.kind, number: movement.number)
    if movement.isFine { fine.insert(candidate) }
    candidates[candidate, default: []].append(movement.value.sevenBits)
    let numbers = (candidates[candidate] ?? []).suffix(12)
    guard let mode = Self.mode(movement, Array(numbers), target.row?.kind) else { return nil }
    var binding = Binding(
      movement.kind, movement.number, channel: movement.channel, to: target.address, mode)
    binding.isFine = fine.contains(candidate) && !mode.isRelative
    return binding
  }

  /// The mode in which a control moves a knob or, without a knob, triggers an action; nil while it is not clear.
  static func mode(_ movement: Movement, _ numbers: [UInt8], _ knob: Kind?) -> Binding.Mode? {
    switch movement.kind {
    case .note, .program:
      // A key that is played in the meantime must not be bound to a knob.
      guard movement.value.raw > 0 else { return nil }
      guard let knob else { return .press }
      return knob.isDiscrete ? switching(knob) : nil
    case .controller, .parameter, .keyPressure, .pressure, .bend: break
    }
    guard let knob else { return movement.value.sevenBits >= 64 ? .press : nil }
    let values = Set(numbers)
    if values == [0, 127] { return knob.isDiscrete ? switching(knob) : .jump }
    let repeats = zip(numbers, numbers.dropFirst()).count { $0 == $1 }
    // A knob with end stops never sends one value twice.
    if repeats > 0, let coding = coding(values) { return repeats > 1 ? coding : nil }
    return values.count > 2 ? .pickup : nil
  }

  private static func switching(_ knob: Kind) -> Binding.Mode {
    if case .toggle = knob { .toggle } else { .cycle }
  }

  /// The coding of an endless knob, derived from its values; nil for the values of a knob with end stops.
  private static func coding(_ numbers: Set<UInt8>) -> Binding.Mode? {
    let around = numbers.allSatisfy { (49...79).contains($0) }
    if around { return numbers.contains { $0 < 64 } ? .offset : .sign }
    if numbers.allSatisfy({ (1...15).contains($0) || $0 >= 113 }) { return .twos }
    return numbers.allSatisfy { (1...15).contains($0) || (65...79).contains($0) } ? .sign : nil
  }
}
