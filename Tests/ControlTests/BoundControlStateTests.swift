import MIDI
import Parameters
import Scenes
import Scratch
import Testing
@testable import Control

/// A hand on a control, with the knob that it is bound to.
private struct Bench {
  var hand = BoundControlState()
  var binding: Binding
  let knob: ParameterID
  var value: Float

  init(_ mode: Binding.Mode, _ address: String = "/filter/cutoff", normalized: Float = 0.5) {
    binding = Binding(.controller, 21, to: address, mode)
    knob = Parameters.Address(address, focus: 0)?.knob ?? ParameterID(row: 0, part: 0)
    value = 0
    self.normalized = normalized
  }

  var kind: Kind { Table.rows[knob.row].kind }
  /// Where the knob is.
  var normalized: Float {
    get { kind.normalized(value) }
    set { value = kind.value(normalized: newValue) ?? 0 }
  }

  mutating func turn(_ number: Int) { turn(MIDIValue(UInt32(number), bits: 7)) }

  mutating func turn(_ value: MIDIValue) {
    if let moved = hand.move(binding, to: value, knob, kind, at: self.value) { self.value = moved }
  }
}

@Suite("The state of a bound control") struct BoundControlStateTests {
  @Test("A control in jump mode sets its knob at once, within the ends of the binding") func jumpMode() {
    var bench = Bench(.jump)
    bench.turn(0)
    #expect(bench.normalized == 0)
    bench.turn(127)
    #expect(bench.normalized == 1)
    (bench.binding.low, bench.binding.high) = (0.75, 0.25)
    bench.turn(0)
    #expect(abs(bench.normalized - 0.75) < 1e-4)
    bench.turn(127)
    #expect(abs(bench.normalized - 0.25) < 1e-4)
  }

  @Test("A control in pickup mode moves its knob only after passing the knob's value") func pickupMode() {
    var bench = Bench(.pickup)
    for number in 0..<60 { bench.turn(number) }
    #expect(abs(bench.normalized - 0.5) < 1e-4)
    // Fast: it never sends what the knob is at.
    bench.turn(70)
    #expect(abs(bench.normalized - MIDIValue(70, bits: 7).unit) < 1e-4)
    bench.turn(90)
    #expect(abs(bench.normalized - MIDIValue(90, bits: 7).unit) < 1e-4)
    // A recall, or a finger: again.
    bench.normalized = 0.2
    for number in (40..<90).reversed() { bench.turn(number) }
    #expect(abs(bench.normalized - 0.2) < 1e-4)
    bench.turn(20)
    #expect(abs(bench.normalized - MIDIValue(20, bits: 7).unit) < 1e-4)
  }

  /// The largest step of the knob is one of the hand, or four where it is scaled, whatever else moves the knob.
  @Test(
    "A control in pickup or scale mode never makes its knob jump, whatever else moves the knob",
    arguments: [Binding.Mode.pickup, .scale], [(Float(0), Float(1)), (1, 0), (0.2, 0.6)])
  func noJumps(mode: Binding.Mode, ends: (Float, Float)) {
    var random = SeededRandom(7)
    for _ in 0..<200 {
      var bench = Bench(mode, normalized: .random(in: 0...1, using: &random))
      (bench.binding.low, bench.binding.high) = ends
      var place = Int.random(in: 0...127, using: &random)
      bench.turn(place)
      for _ in 0..<200 {
        if random.chance(0.02) { bench.normalized = .random(in: 0...1, using: &random) }
        if random.chance(0.01) { bench.hand.forget() }
        let before = bench.normalized
        let next = max(0, min(place + .random(in: -9...9, using: &random), 127))
        let step = abs(Float(next - place)) * abs(ends.1 - ends.0) / 126
        place = next
        bench.turn(place)
        let most = mode == .pickup ? step : 4 * step
        #expect(abs(bench.normalized - before) <= most + 1.0 / 127 + 1e-3)
      }
    }
  }

  @Test("A control in scale mode meets its knob at the end of the range and moves with it from then on")
  func scaleMode() {
    var bench = Bench(.scale, normalized: 0.8)
    bench.turn(40)
    #expect(abs(bench.normalized - 0.8) < 1e-4)
    var last = bench.normalized
    for number in 41...127 {
      bench.turn(number)
      #expect(bench.normalized >= last - 1e-5 && bench.normalized - last < 0.02)
      last = bench.normalized
    }
    #expect(bench.normalized == 1)
    for number in (0..<127).reversed() { bench.turn(number) }
    #expect(bench.normalized == 0)
    // Together from then on.
    bench.turn(64)
    #expect(abs(bench.normalized - 0.5) < 1e-2)
  }

  @Test("A knob outside the range of its binding is moved towards that range without a jump")
  func outsideRange() {
    var bench = Bench(.pickup, normalized: 0.9)
    (bench.binding.low, bench.binding.high) = (0.2, 0.6)
    var last = bench.normalized
    for number in 0...127 { bench.turn(number) }
    #expect(bench.normalized == last)
    for number in (0..<127).reversed() {
      bench.turn(number)
      #expect(bench.normalized <= last + 1e-5 && last - bench.normalized < 0.01)
      last = bench.normalized
    }
    #expect(bench.normalized < 0.6)
  }

  @Test(
    "An endless encoder moves its knob by 1/127 per step from the knob's current value",
    arguments: [(Binding.Mode.twos, 1, 127), (.offset, 65, 63), (.sign, 1, 65), (.signReversed, 65, 1)])
  func endlessSteps(mode: Binding.Mode, up: Int, down: Int) {
    var bench = Bench(mode, normalized: 0.5)
    for _ in 0..<10 { bench.turn(up) }
    #expect(abs(bench.normalized - (0.5 + 10.0 / 127)) < 1e-3)
    for _ in 0..<10 { bench.turn(down) }
    #expect(abs(bench.normalized - 0.5) < 1e-3)
    bench.normalized = 0.1
    for _ in 0..<5 { bench.turn(up) }
    #expect(abs(bench.normalized - (0.1 + 5.0 / 127)) < 1e-3)
    for _ in 0..<200 { bench.turn(down) }
    #expect(bench.normalized == 0)
    (bench.binding.low, bench.binding.high) = (1, 0)
    bench.turn(down)
    #expect(abs(bench.normalized - 1.0 / 127) < 1e-3)
  }

  /// The waveforms that a control reaches, which was bound when there were only four.
  private func reached(_ mode: Binding.Mode, _ low: Float, _ high: Float, _ numbers: [Int]) -> [Float] {
    var bench = Bench(mode, "/osc/1/wave", normalized: 0)
    (bench.binding.low, bench.binding.high, bench.binding.choices) = (low, high, 4)
    return numbers.map { number in
      bench.turn(number)
      return bench.value
    }
  }

  @Test("A control that was bound when its knob had four choices still reaches only those four choices")
  func boundChoices() {
    let presses = [127, 0, 127, 0, 127, 0, 127]
    #expect(reached(.cycle, 0, 1, presses) == [1, 1, 2, 2, 3, 3, 0])
    #expect(reached(.cycle, 0, Float(2) / 3, presses) == [1, 1, 2, 2, 0, 0, 1])
    #expect(reached(.toggle, 0, 1, presses) == [3, 3, 0, 0, 3, 3, 0])
    #expect(reached(.toggle, Float(1) / 3, 0, presses) == [1, 1, 0, 0, 1, 1, 0])
    #expect(reached(.jump, 0, 1, [0, 64, 127]) == [0, 2, 3])
    #expect(reached(.twos, 0, 1, [1, 1, 1, 1, 127]) == [1, 2, 3, 3, 2])
  }

  @Test("An endless encoder selects each choice of a knob once, in order") func endlessChoices() {
    var bench = Bench(.twos, "/osc/1/wave", normalized: 0)
    var seen = [bench.value]
    for _ in 0..<20 {
      bench.turn(1)
      if bench.value != seen.last { seen.append(bench.value) }
    }
    #expect(seen == (0...Int(bench.kind.range.upperBound)).map(Float.init))
  }

  @Test("Each button press toggles a switch or selects the next choice, even without release messages")
  func buttonPresses() {
    var bench = Bench(.toggle, "/part/1/mute", normalized: 0)
    for expected in [1, 0, 1] as [Float] {
      bench.turn(127)
      #expect(bench.value == expected)
      bench.turn(0)
      #expect(bench.value == expected)
    }
    // A button that says nothing when it is let go.
    for expected in [0, 1, 0] as [Float] {
      bench.turn(127)
      #expect(bench.value == expected)
    }
    bench = Bench(.cycle, "/osc/1/wave", normalized: 0)
    let count = Int(bench.kind.range.upperBound) + 1
    for press in 1...count {
      bench.turn(127)
      bench.turn(0)
      #expect(bench.value == Float(press % count))
    }
  }
}

@Suite("What is learned of what a control says") struct LearningTests {
  private func learned(_ kind: Binding.Kind, _ numbers: [Int], _ address: String) -> Binding? {
    var learning = LearnedBinding()
    guard let target = BindingTarget(address) else { return nil }
    learning.go(to: .move(target))
    for number in numbers {
      let value = MIDIValue(UInt32(number), bits: 7)
      if let binding = learning.take(Movement(source: 3, channel: 1, kind, 21, value)) { return binding }
    }
    return nil
  }

  @Test(
    "The mode of a binding is learned from the values of the control and the kind of its target",
    arguments: [
      ([10, 11, 12], "/filter/cutoff", Binding.Mode.pickup), ([127, 120, 101], "/filter/cutoff", .pickup),
      ([127, 0], "/drive/on", .toggle), ([127, 0], "/osc/1/wave", .cycle),
      ([127, 0], "/filter/cutoff", .jump),
      ([1, 1, 1], "/filter/cutoff", .twos), ([127, 127, 127], "/filter/cutoff", .twos),
      ([63, 63, 63], "/filter/cutoff", .offset), ([65, 65, 63, 63], "/filter/cutoff", .offset),
      ([65, 65, 65], "/filter/cutoff", .sign), ([1, 1, 65, 65], "/filter/cutoff", .sign),
      ([127], "/preset/next", .press), ([5, 6, 7], "/osc/1/wave", .pickup),
    ])
  func learnedMode(numbers: [Int], address: String, mode: Binding.Mode) {
    let binding = learned(.controller, numbers, address)
    #expect(binding?.mode == mode && binding?.target == address && binding?.channel == 1, "\(numbers)")
  }

  @Test("One or two values of a controller, or a button release alone, are not enough to learn a binding")
  func tooFewValues() {
    #expect(learned(.controller, [64], "/filter/cutoff") == nil)
    #expect(learned(.controller, [64, 65], "/filter/cutoff") == nil)
    #expect(learned(.controller, [0], "/preset/next") == nil)
  }

  @Test("A note is learned for a button or a switch, but never for a continuous knob") func learnedNotes() {
    #expect(learned(.note, [100, 90, 80, 70], "/filter/cutoff") == nil)
    #expect(learned(.note, [0], "/panic") == nil)
    #expect(learned(.note, [100], "/panic")?.mode == .press)
    #expect(learned(.note, [100], "/drive/on")?.mode == .toggle)
    #expect(learned(.program, [127], "/preset/next")?.mode == .press)
  }

  @Test("Addresses of knobs and of bindable actions are accepted as targets, and all others are refused")
  func bindableAddresses() {
    #expect(BindingTarget("/filter/cutoff/hz")?.address == "/filter/cutoff")
    #expect(BindingTarget("/part/3/filter/cutoff")?.address == "/part/3/filter/cutoff")
    #expect(BindingTarget("/part/2/preset/next")?.address == "/part/2/preset/next")
    for address in ["/part/2/panic", "/sync", "/note/60", "/part/3/master/level", "", "/preset/delete"] {
      #expect(BindingTarget(address) == nil, "\(address)")
    }
  }
}
