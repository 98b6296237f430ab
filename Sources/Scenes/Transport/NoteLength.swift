/// The note lengths for periods of LFOs and for echoes, in the order of the choice `/lfo/1/sync`: off, eight bars to
/// one, and halves to thirty-seconds, each dotted, plain and as a triplet.
public enum NoteLength {
  /// The names of the choices.
  public static let names: [String] = {
    let notes = [2, 4, 8, 16, 32].flatMap { ["1/\($0)d", "1/\($0)", "1/\($0)t"] }
    return ["off", "8/1", "4/1", "2/1", "1/1"] + notes
  }()

  /// Quarter notes for a knob's value; 0 for off.
  @_noLocks @inlinable
  public static func beats(_ choice: Float) -> Float {
    let index = choice > 0 ? min(Int(min(choice, 255)), 19) : 0
    if index == 0 { return 0 }
    if index < 5 { return Float(32 &>> (index &- 1)) }
    let note = index &- 5
    let plain = 2 / Float(1 &<< (note / 3))
    switch note % 3 {
    case 0: return plain * 1.5
    case 1: return plain
    default: return plain * 2 / 3
    }
  }
}

/// The note lengths of an arpeggiator's steps.
public enum StepLength {
  /// The names of the choices: those of `NoteLength`, and two shorter ones.
  public static let names = NoteLength.names + ["1/64", "1/64t"]

  /// Quarter notes for a knob's value; 0 for off.
  @_noLocks @inlinable
  public static func beats(_ choice: Float) -> Double {
    // A triplet in a Float would be some frames off after an hour.
    let index = Int(max(0, min(choice, 255)))
    if index >= 5, index < 20, index % 3 == 1 { return Double(NoteLength.beats(choice - 1)) * 2 / 3 }
    if choice < 19.5 { return Double(NoteLength.beats(choice)) }
    return choice < 20.5 ? 1.0 / 16 : 1.0 / 24
  }
}
