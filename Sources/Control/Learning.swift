import MIDI
import Parameters

/// What is being learned: first what is to be moved, then what is to move it. A value without a clock.
struct Learning: Equatable {
  enum Step: Equatable {
    case off
    /// A control of the tablet is to be touched.
    case touch
    /// A control of a keyboard is to be moved, for this.
    case move(BindingTarget)
    /// What is touched or moved next loses its bindings.
    case forget
  }

  private struct Candidate: Hashable {
    let (source, channel): (UInt8, UInt8)
    let kind: Binding.Kind
    let number: UInt16
  }

  private(set) var step = Step.off
  // What was moved so far, each with the last numbers that it sent.
  private var heard: [Candidate: [UInt8]] = [:]
  private var fine: Set<Candidate> = []

  /// Goes on to a step.
  mutating func go(to next: Step) {
    if step == next { return }
    (step, heard, fine) = (next, [:], [])
  }

  /// Takes a movement while one is waited for; the binding that it makes, once it is clear what is moved, and how: a knob
  /// has been at three places, a switch was pressed and let go, an endless knob has said the same several times.
  mutating func take(_ movement: Movement) -> Binding? {
    guard case .move(let target) = step, !movement.isCoarse else { return nil }
    let candidate = Candidate(
      source: movement.source, channel: movement.channel, kind: movement.kind, number: movement.number)
    if movement.isFine { fine.insert(candidate) }
    heard[candidate, default: []].append(movement.value.sevenBits)
    let numbers = (heard[candidate] ?? []).suffix(12)
    guard let mode = Self.mode(movement, Array(numbers), target.row?.kind) else { return nil }
    var binding = Binding(
      movement.kind, movement.number, channel: movement.channel, to: target.address, mode)
    binding.isFine = fine.contains(candidate) && !mode.isRelative
    return binding
  }

  /// How a control moves a knob, or with no knob does something; nil as long as that is not clear.
  static func mode(_ movement: Movement, _ numbers: [UInt8], _ knob: Kind?) -> Binding.Mode? {
    switch movement.kind {
    case .note, .program:
      // Whoever plays meanwhile binds no knob to a key.
      guard movement.value.raw > 0 else { return nil }
      guard let knob else { return .press }
      return knob.isDiscrete ? switching(knob) : nil
    case .controller, .parameter, .keyPressure, .pressure, .bend: break
    }
    guard let knob else { return movement.value.sevenBits >= 64 ? .press : nil }
    let places = Set(numbers)
    if places == [0, 127] { return knob.isDiscrete ? switching(knob) : .jump }
    let repeats = zip(numbers, numbers.dropFirst()).count { $0 == $1 }
    // A knob that has ends says nothing twice.
    if repeats > 0, let coding = coding(places) { return repeats > 1 ? coding : nil }
    return places.count > 2 ? .pickup : nil
  }

  private static func switching(_ knob: Kind) -> Binding.Mode {
    if case .toggle = knob { .toggle } else { .cycle }
  }

  /// The coding of an endless knob, by the numbers that it says; nil for numbers that are places.
  private static func coding(_ numbers: Set<UInt8>) -> Binding.Mode? {
    let around = numbers.allSatisfy { (49...79).contains($0) }
    if around { return numbers.contains { $0 < 64 } ? .offset : .sign }
    if numbers.allSatisfy({ (1...15).contains($0) || $0 >= 113 }) { return .twos }
    return numbers.allSatisfy { (1...15).contains($0) || (65...79).contains($0) } ? .sign : nil
  }
}
