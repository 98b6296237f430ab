import MIDI
import Parameters

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
