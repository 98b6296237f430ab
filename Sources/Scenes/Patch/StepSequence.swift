/// A step of a sequence: a note, a rest or a tie. One number holds it, so that a patch is only `Float`s.
public struct SequenceStep: Sendable, Equatable {
  /// Semitones from the key that plays the sequence, -60…60.
  public var note = 0
  /// The velocity, 0…127; 0 is a rest.
  public var velocity = 0
  /// Length of the note in hundredths of the step, 2…200, even.
  public var gate = 50
  /// Times that the note is played within the step, 1…4.
  public var ratchet = 1
  /// True when the previous note continues, at the pitch of this step.
  public var isTie = false

  /// A rest.
  @_noLocks
  public init() {}

  /// A step of these numbers, clamped to their ranges.
  public init(note: Int, velocity: Int, gate: Int = 50, ratchet: Int = 1, isTie: Bool = false) {
    self.note = max(-60, min(note, 60))
    self.velocity = max(0, min(velocity, 127))
    self.gate = max(1, min(gate / 2, 100)) * 2
    self.ratchet = max(1, min(ratchet, 4))
    self.isTie = isTie
  }

  /// The step that a number holds; whatever the number, all values are within their ranges.
  @_noLocks
  public init(packed number: Float) {
    if !(number > 0) { return }
    // 24 bits, which a Float holds exactly: tie, ratchet, gate, velocity, note, from the highest on.
    var bits = Int(min(number, 16_777_215))
    note = min(bits & 127, 120) &- 60
    bits >>= 7
    velocity = bits & 127
    bits >>= 7
    gate = max(1, min(bits & 127, 100)) &* 2
    bits >>= 7
    ratchet = bits & 3 &+ 1
    isTie = bits & 4 != 0
  }

  /// The step as a number; 0 is a rest.
  var packed: Float {
    if self == SequenceStep() { return 0 }
    let high = (isTie ? 4 : 0) | (ratchet - 1)
    return Float(((high << 7 | gate / 2) << 7 | velocity) << 7 | (note + 60))
  }
}

/// Sixteen numbers, one for each step.
public struct SixteenSteps: Sendable {
  public var step1: Float = 0
  public var step2: Float = 0
  public var step3: Float = 0
  public var step4: Float = 0
  public var step5: Float = 0
  public var step6: Float = 0
  public var step7: Float = 0
  public var step8: Float = 0
  public var step9: Float = 0
  public var step10: Float = 0
  public var step11: Float = 0
  public var step12: Float = 0
  public var step13: Float = 0
  public var step14: Float = 0
  public var step15: Float = 0
  public var step16: Float = 0

  /// All steps at 0.
  public init() {}

  /// The steps in order.
  public static var all: [WritableKeyPath<SixteenSteps, Float>] {
    [
      \.step1, \.step2, \.step3, \.step4, \.step5, \.step6, \.step7, \.step8, \.step9, \.step10, \.step11,
      \.step12, \.step13, \.step14, \.step15, \.step16,
    ]
  }
}

/// The sequence of a sound: steps that a key plays, or that play in addition to the keys.
public struct StepSequence: Sendable {
  /// A `SequenceMode`.
  public var mode: Float = 0
  /// Steps that are used, 1…64.
  public var length: Float = 0
  // Each number holds a `SequenceStep`.
  private var steps = (SixteenSteps(), SixteenSteps(), SixteenSteps(), SixteenSteps())

  /// The most steps.
  public static var mostSteps: Int { @_noLocks @inlinable get { 64 } }

  /// A step, 0..<64; other indices are clamped.
  public subscript(step: Int) -> SequenceStep {
    get { withUnsafePointer(to: self) { $0.step(step) } }
    set {
      let index = max(0, min(step, StepSequence.mostSteps - 1))
      withUnsafeMutableBytes(of: &self) {
        $0.storeBytes(
          of: newValue.packed, toByteOffset: (2 + index) * MemoryLayout<Float>.size, as: Float.self)
      }
    }
  }

  /// The number of steps up to the last one that is not a rest.
  public var written: Int {
    (0..<StepSequence.mostSteps).last { self[$0] != SequenceStep() }.map { $0 + 1 } ?? 0
  }
}

extension UnsafePointer where Pointee == StepSequence {
  /// A step, 0..<64; other indices are clamped. The numbers follow the mode and the length, which a test checks.
  @_noLocks @inlinable
  public func step(_ index: Int) -> SequenceStep {
    let numbers = UnsafeRawPointer(self).assumingMemoryBound(to: Float.self) + 2
    return SequenceStep(packed: numbers[max(0, min(index, StepSequence.mostSteps &- 1))])
  }
}
